// A person on the wire, as they may ask to see it: all that is kept under their name.

import Type, { type Static } from "typebox";

import { customerSchema, presentCustomer } from "#customers/schema.ts";
import { toIso } from "#kernel/time.ts";
import { instant, object, whole } from "#platform/http/contract/words.ts";
import { thaw } from "#platform/http/json/frozen-json.ts";
import { cartSchema, presentCart } from "#sales/carts/schema.ts";
import { orderSchema, presentOrder } from "#sales/orders/schema.ts";

import type { ExportedPerson } from "./export-person.ts";

/** The fields; payments, which know one kind of record more, make the answer of them. */
export const personExportFields = {
  customer: customerSchema,
  carts: Type.Array(cartSchema, { description: "Oldest first." }),
  orders: Type.Array(orderSchema, { description: "Newest first." }),
  events: Type.Array(
    object({
      id: Type.String(),
      event: Type.String(),
      sequence: whole(1),
      created_at: instant,
      data: Type.Unknown(),
    }),
    { description: "What was announced about the customer, oldest first." },
  ),
  exported_at: instant,
};
const personExportSchema = object(personExportFields);

/** Everything kept under the person's name, as one document. */
export function presentPersonExport(found: ExportedPerson): Static<typeof personExportSchema> {
  return {
    customer: presentCustomer(found.customer),
    carts: found.carts.map(presentCart),
    orders: found.orders.map(presentOrder),
    events: found.events.map((event) => ({
      id: event.id,
      event: event.name,
      sequence: event.sequence,
      created_at: toIso(event.createdAt),
      data: thaw(event.data),
    })),
    exported_at: toIso(found.exportedAt),
  };
}
