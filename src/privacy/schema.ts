// The export of a customer on the wire.

import Type from "typebox";

import { customerWire } from "#customers/schema.ts";
import { sessionTimesShape } from "#customers/sessions/schema.ts";
import { paymentWire, viewPayment } from "#payments/rows/schema.ts";
import { type LoggedEvent, thaw } from "#platform/event-log/event-log.ts";
import { at, from, list, shape, wire } from "#platform/http/contract/wire.ts";
import { anyMembers, whole } from "#platform/http/contract/words.ts";
import { cartWire, viewCart } from "#sales/carts/schema.ts";
import { orderWire, returnWire, viewOrder } from "#sales/orders/schema.ts";

import type { ExportedCustomer } from "./export-customer.ts";

const eventShape = shape<LoggedEvent>()({
  id: Type.String(),
  event: from((event: LoggedEvent) => event.name, Type.String()),
  sequence: whole(1),
  created_at: at,
  data: from((event: LoggedEvent) => thaw(event.data), anyMembers("The payload of the event.")),
});

/** The response of an export. */
export const customerExportWire = wire<ExportedCustomer>()("CustomerExport", {
  customer: customerWire,
  carts: from(
    ({ carts, linkTerms }: ExportedCustomer) => carts.map((one) => viewCart(one, linkTerms)),
    list(cartWire, { description: "Oldest first." }),
  ),
  orders: from(
    ({ orders, linkTerms }: ExportedCustomer) => orders.map((one) => viewOrder(one, linkTerms)),
    list(orderWire, { description: "Newest first." }),
  ),
  events: list(eventShape, { description: "The customer's events, oldest first." }),
  exported_at: at,
  payments: from(
    ({ payments }: ExportedCustomer) => payments.map(viewPayment),
    list(paymentWire, { description: "Newest first." }),
  ),
  returns: list(returnWire, { description: "Newest first." }),
  sessions: list(sessionTimesShape, { description: "When the customer signed in, oldest first." }),
});
