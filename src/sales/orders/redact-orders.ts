// Stories: a customer's personal data is removed from their orders, carts and returns. What bookkeeping needs is kept.

import type { Customer } from "#customers/customer.ts";
import { withoutCustomer } from "#customers/redact-fields.ts";
import { isObject } from "#kernel/assume.ts";
import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { redacted } from "#platform/database/record.ts";
import {
  redactAnswersOfEach,
  redactEvents,
  type RedactField,
  withoutPersonal,
} from "#platform/event-log/redaction.ts";
import { withoutOwnWords } from "#pricing/quote/breakdown.ts";
import { saveCart } from "#sales/carts/advance-carts.ts";
import { findCartsOf } from "#sales/carts/lookups.ts";
import { findOrdersOfCustomer } from "#sales/history/queries.ts";
import { withLineIds } from "#sales/rows/cart-lines.ts";
import type { Cart } from "#sales/rows/cart.ts";
import type { WholeOrder } from "#sales/rows/order.ts";
import { orderRows, redactFulfillments, redactLines } from "#sales/rows/queries.ts";
import { carts, fulfillments, orderLines, orderReturns, orders } from "#sales/rows/tables.ts";

import { lockWholeOrder } from "./lookups.ts";
import { redactReturnRows, returnsOfCustomer } from "./return-queries.ts";

const ORDERS_AT_ONCE = 50;

const ofOrder = withoutPersonal(orders, orderLines, fulfillments);

/**
 * Redacts what an order has of its customer, with what the merchant called a discount or a charge of one sale. The
 * customer stays an object, whose members are redacted: in some answers it is the whole record.
 */
export const withoutOrder: RedactField = (field, value, holder) =>
  field === "customer" ? value : ofOrder(field, withoutOwnWords(field, value, holder), holder);

interface Piece {
  /** The last order of the piece before; null in the first one. */
  readonly after: Id<"order"> | null;
  /** Redacts what else stands in the events of an order. */
  readonly redact: RedactField;
}

/**
 * Removes the customer's personal data from their orders after the given one, newest first, from the lines and shipments,
 * and from the orders' events; totals, and the country and region of the addresses are kept. An order that has no such
 * data is not changed. Returns the last order of these where there are more, as one piece of work takes 50; null if there
 * are none.
 */
export async function redactOrders(
  tx: Tx,
  id: Id<"customer">,
  { after, redact }: Piece,
): Promise<Id<"order"> | null> {
  const rows = ORDERS_AT_ONCE + 1;
  const found = await findOrdersOfCustomer(tx, { customerId: id, after: after ?? undefined, rows });
  const piece = found.slice(0, ORDERS_AT_ONCE);
  for (const orderId of piece) {
    await redactOrder(tx, await lockWholeOrder(tx, orderId));
    await redactEvents(tx, orderId, redact);
  }
  return found.length > piece.length ? (piece.at(-1) ?? null) : null;
}

async function redactOrder(tx: Tx, whole: WholeOrder): Promise<void> {
  const { order } = whole;
  const optionId = order.breakdown?.shipping.optionId ?? null;
  const left = {
    ...redacted(orders, order),
    // The name of an option says nothing of the customer.
    ...(optionId !== null && { shippingLabel: order.shippingLabel }),
  };
  const parts = [
    await redactLines(tx, whole.lines),
    await redactFulfillments(tx, whole.fulfillments),
  ];
  if (parts.includes(true) || !Bun.deepEquals(left, order)) await orderRows.save(tx, order, left);
}

/** Removes the customer from their carts, from the carts' events and from the stored answers. */
export async function redactCarts(tx: Tx, customer: Customer): Promise<void> {
  const found = await findCartsOf(tx, customer);
  for (const cart of found) await redactCart(tx, cart, customer);
  const ids = found.map(({ id }) => id);
  await redactAnswersOfEach(tx, ids, withoutCartCustomer(customer, { keptId: null }));
}

async function redactCart(tx: Tx, cart: Cart, customer: Customer): Promise<void> {
  // The session that had it has ended, and its customer buys nothing more: the cart is a guest's.
  const isTheirs = cart.isOfSession && cart.customerId === customer.id;
  await saveCart(tx, cart, {
    ...withLineIds(redacted(carts, cart)),
    ...(isTheirs && { customerId: null, isOfSession: false }),
    // The name of an option says nothing of the customer.
    ...(cart.shippingOptionId !== null && { shippingLabel: cart.shippingLabel }),
  });
  // By its id an event is found whose deliveries have responses that may repeat what it said.
  await redactEvents(tx, cart.id, withoutCartCustomer(customer, { keptId: customer.id }));
}

const ofCart = withoutPersonal(carts);

/** A cart may hold a contact without an id. A line item has a name, too. */
function withoutCartCustomer(
  { id }: Customer,
  { keptId }: { readonly keptId: Customer["id"] | null },
): RedactField {
  const redactById = withoutCustomer(id);
  return (field, value, holder) => {
    if (field === "customer") return withoutValues(value, keptId);
    const left = redactById(field, withoutOwnWords(field, value, holder), holder);
    return field === "name" ? left : ofCart(field, left, holder);
  };
}

/** The same members, null but for the id: in events the customer is an object even if it is unknown. */
function withoutValues(customer: unknown, keptId: Customer["id"] | null): unknown {
  if (!isObject(customer)) return null;
  const names = Object.keys(customer);
  return Object.fromEntries(names.map((name) => [name, name === "id" ? keptId : null]));
}

/** Redacts what a return has of its customer. */
export const withoutReturn = withoutPersonal(orderReturns);

/** Removes what the returns of a customer say of them. The events are redacted by order. */
export async function redactReturns(tx: Tx, customerId: Id<"customer">): Promise<void> {
  tx.scrub();
  await redactReturnRows(tx, await returnsOfCustomer(tx, { customerId }));
}
