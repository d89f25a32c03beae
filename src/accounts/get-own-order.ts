// Lookup: an order of the customer who is signed in.

import { type Customer, provedContact } from "#customers/customer.ts";
import type { Id } from "#kernel/id.ts";
import type { Reader } from "#platform/database/database.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import { getOrder } from "#sales/orders/lookups.ts";
import { orderNotFound } from "#sales/orders/order.ts";

import { isOfContact, type OwnOrderView, viewOwnOrder } from "./own-order.ts";

/** Returns the order. Refuses with `order_not_found`, also where another contact placed it. */
export async function getOwnOrder(
  db: Reader,
  id: Id<"order">,
  customer: Customer,
): Promise<OwnOrderView> {
  const order = await getOrder(db, id);
  if (!isOfContact(order, provedContact(customer))) throw orderNotFound();
  return viewOwnOrder(order, await getLinkTerms(db));
}
