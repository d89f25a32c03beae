// Story: a customer's personal data is removed from their orders. What bookkeeping needs is kept.

import type { Address } from "#kernel/address.ts";
import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { redactEvents } from "#platform/event-log/redaction.ts";
import { withoutOwnTitles } from "#pricing/quote/breakdown.ts";
import { redactTracking } from "#sales/fulfillments/redact-tracking.ts";
import { listOrderRows } from "#sales/history/queries.ts";

import { withoutOrderCustomer } from "./events.ts";
import { lockWholeOrder } from "./lookups.ts";
import type { WholeOrder } from "./order.ts";
import { orderRows } from "./queries.ts";

const ORDERS_AT_ONCE = 50;

/**
 * Removes the customer's personal data from their orders after the given one, newest first, from the tracking of the
 * shipments, and from the orders' events; totals, lines, and the country and region of the addresses are kept. An order
 * that has no such data is not changed. Returns the last order of these where there are more, as one piece of work takes
 * 50; null if there are none.
 */
export async function redactOrders(
  tx: Tx,
  id: Id<"customer">,
  after: Id<"order"> | null,
): Promise<Id<"order"> | null> {
  const page = { limit: ORDERS_AT_ONCE, after };
  const found = await listOrderRows(tx, { customerId: id }, page);
  const orders = found.slice(0, ORDERS_AT_ONCE);
  for (const order of orders) await redactOrder(tx, await lockWholeOrder(tx, order.id), id);
  return found.length > orders.length ? (orders.at(-1)?.id ?? null) : null;
}

async function redactOrder(tx: Tx, whole: WholeOrder, id: Id<"customer">): Promise<void> {
  const { order } = whole;
  const redacted = {
    ...order,
    customer: { id, email: null, phone: null, name: null },
    contactEmail: null,
    contactPhone: null,
    shippingAddress: withoutStreet(order.shippingAddress),
    billingAddress: withoutStreet(order.billingAddress),
    notes: null,
    taxId: null,
    cancelNote: null,
    metadata: {},
    breakdown: withoutOwnTitles(order.breakdown),
    shippingLabel: order.breakdown?.shipping.optionId ? order.shippingLabel : null,
  };
  const wasTracked = await redactTracking(tx, whole);
  if (wasTracked || !Bun.deepEquals(redacted, order)) await orderRows.save(tx, order, redacted);
  await redactEvents(tx, order.id, withoutOrderCustomer(id));
}

/** Country and region stay: they decide the tax, which bookkeeping has to prove. */
function withoutStreet(address: Address | null): Address | null {
  if (address === null) return null;
  const { country, region } = address;
  return {
    name: null,
    line1: null,
    line2: null,
    city: null,
    region,
    postalCode: null,
    country,
    phone: null,
  };
}
