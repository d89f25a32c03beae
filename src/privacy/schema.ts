// The export of a customer on the wire.

import Type, { type Static } from "typebox";

import { customerWire } from "#customers/schema.ts";
import { toIso } from "#kernel/time.ts";
import { paymentSchema, presentPayment } from "#payments/payments/schema.ts";
import { thaw } from "#platform/event-log/frozen-json.ts";
import { anyMembers, component, instant, object, whole } from "#platform/http/contract/words.ts";
import { cartSchema, presentCart } from "#sales/carts/schema.ts";
import { orderWire, viewOrder } from "#sales/orders/schema.ts";

import type { ExportedCustomer } from "./export-customer.ts";

export const customerExportSchema = component("CustomerExport", {
  customer: customerWire.schema,
  carts: Type.Array(cartSchema, { description: "Oldest first." }),
  orders: Type.Array(orderWire.schema, { description: "Newest first." }),
  events: Type.Array(
    object({
      id: Type.String(),
      event: Type.String(),
      sequence: whole(1),
      created_at: instant,
      data: anyMembers("The payload of the event."),
    }),
    { description: "The customer's events, oldest first." },
  ),
  exported_at: instant,
  payments: Type.Array(paymentSchema, { description: "Newest first." }),
});

/** The response of an export. */
export function presentCustomerExport(
  exported: ExportedCustomer,
): Static<typeof customerExportSchema> {
  return {
    customer: customerWire.present(exported.customer),
    carts: exported.carts.map(presentCart),
    orders: exported.orders.map((order) => orderWire.present(viewOrder(order))),
    events: exported.events.map((event) => ({
      id: event.id,
      event: event.name,
      sequence: event.sequence,
      created_at: toIso(event.createdAt),
      data: thaw(event.data),
    })),
    exported_at: toIso(exported.exportedAt),
    payments: exported.payments.map(presentPayment),
  };
}
