// An order as its customer reads it in their account: what the shop told them, without what is the merchant's own, and
// of the contact only what the order was placed with.

import Type from "typebox";

import { type Contact, type Customer, provedContact } from "#customers/customer.ts";
import type { Id } from "#kernel/id.ts";
import type { Reader } from "#platform/database/database.ts";
import { publicFields } from "#platform/http/audience/audience.ts";
import { list, wire } from "#platform/http/contract/wire.ts";
import { nullable } from "#platform/http/contract/words.ts";
import { orderLinkOf } from "#sales/links/link-addresses.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import type { LinkTerms } from "#sales/links/link-token.ts";
import { getOrder } from "#sales/orders/lookups.ts";
import { fulfillmentWire, orderFields, type OrderView } from "#sales/orders/schema.ts";
import { orderNotFound, sentFulfillments, type WholeOrder } from "#sales/rows/order.ts";

/** The order with the contact that it was placed with. */
export interface OwnOrderView extends OrderView, Contact {}

const {
  id,
  number,
  status,
  payment_status,
  fulfillment_status,
  customer_id: _customerId,
  customer: _customer,
  external_id: _externalId,
  cart_id: _cartId,
  channel: _channel,
  fulfillments: _fulfillments,
  cancel_reason: _reason,
  cancel_note: _note,
  metadata: _metadata,
  ...others
} = orderFields;

const textOrNull = nullable(Type.String());

export const ownOrderFields = {
  id,
  number,
  status,
  payment_status,
  fulfillment_status,
  ...publicFields({ email: textOrNull, phone: textOrNull }),
  ...others,
  ...publicFields({ fulfillments: list(fulfillmentWire) }),
};

export const ownOrderWire = wire<OwnOrderView>()("CustomerOrder", ownOrderFields);

/** Returns true if the order was placed with one of these. */
function isOfContact({ order }: WholeOrder, { email, phone }: Contact): boolean {
  return (
    (email !== null && order.contactEmail === email) ||
    (phone !== null && order.contactPhone === phone)
  );
}

/** Returns the row of `ownOrderWire`. The page of its link shows no contact that the customer may not have given. */
export function viewOwnOrder(given: WholeOrder, terms: LinkTerms): OwnOrderView {
  const { order, lines } = given;
  const fulfillments = sentFulfillments(given);
  const link = orderLinkOf(terms, order, { showsContact: false });
  const { contactEmail: email, contactPhone: phone } = order;
  return { ...order, lines, fulfillments, ...link, email, phone };
}

/** Returns the order. Refuses with `order_not_found`, also where another contact placed it. */
export async function getOwnOrder(
  db: Reader,
  orderId: Id<"order">,
  customer: Customer,
): Promise<OwnOrderView> {
  const order = await getOrder(db, orderId);
  if (!isOfContact(order, provedContact(customer))) throw orderNotFound();
  return viewOwnOrder(order, await getLinkTerms(db));
}
