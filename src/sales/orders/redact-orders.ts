// Story: a customer's personal data is removed from their orders. What bookkeeping needs is kept.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { redacted } from "#platform/database/record.ts";
import { redactEvents, type RedactField, withoutPersonal } from "#platform/event-log/redaction.ts";
import { withoutOwnWords } from "#pricing/quote/breakdown.ts";
import { redactFulfillments } from "#sales/fulfillments/queries.ts";
import { listOrderRows } from "#sales/history/queries.ts";

import { lockWholeOrder } from "./lookups.ts";
import type { WholeOrder } from "./order.ts";
import { orderRows, redactLines } from "./queries.ts";
import { fulfillments, orderLines, orders } from "./tables.ts";

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
  const page = { limit: ORDERS_AT_ONCE, after };
  const found = await listOrderRows(tx, { customerId: id }, page);
  const piece = found.slice(0, ORDERS_AT_ONCE);
  for (const order of piece) {
    await redactOrder(tx, await lockWholeOrder(tx, order.id));
    await redactEvents(tx, order.id, redact);
  }
  return found.length > piece.length ? (piece.at(-1)?.id ?? null) : null;
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
