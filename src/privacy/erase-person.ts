// Story: a person goes from their own record, every cart and every order; what the books need stays.

import type { Address, Customer } from "#customers/customer.ts";
import { eraseCustomer } from "#customers/erase-customer.ts";
import { withoutPerson } from "#customers/events.ts";
import { holdCustomer } from "#customers/hold-customer.ts";
import type { Id } from "#kernel/id.ts";
import type { ExpectedVersion } from "#kernel/version.ts";
import { Overtaken, type Tx } from "#platform/database/store.ts";
import { redactAnswers, redactEvents, type RedactField } from "#platform/event-log/redaction.ts";
import { forgetCartBuyer } from "#sales/carts/forget-cart-buyer.ts";
import { holdOrder } from "#sales/orders/hold-order.ts";
import type { Order } from "#sales/orders/order.ts";
import { listOrderRows, replaceOrder } from "#sales/orders/queries.ts";

const ORDERS_AT_ONCE = 100;

/**
 * Afterwards nothing in the customer, their carts and orders, the events of both or stored answers says who
 * it was; totals, lines, and the country and region where tax was due are as before. Somebody
 * erased before is answered as they are. Refuses with `customer_not_found` and `stale_version`.
 */
export async function erasePerson(
  tx: Tx,
  id: Id<"customer">,
  expected: ExpectedVersion,
): Promise<Customer> {
  const before = await holdCustomer(tx, id);
  const erased = await eraseCustomer(tx, id, expected);
  // Who was erased before got no more orders, so there is nothing left to do.
  if (before.erasedAt !== null) return erased;
  for (let after: string | null = null, hasMore = true; hasMore;) {
    const found: Order[] = await listOrderRows(
      tx,
      { customerId: id },
      { limit: ORDERS_AT_ONCE, after },
    );
    const orders = found.slice(0, ORDERS_AT_ONCE);
    for (const order of orders) await forgetBuyer(tx, await holdOrder(tx, order.id), id);
    after = orders.at(-1)?.id ?? null;
    hasMore = found.length > orders.length;
  }
  await forgetCartBuyer(tx, before);
  await redactAnswers(tx, id, withoutBuyer(id));
  return erased;
}

async function forgetBuyer(tx: Tx, order: Order, id: Id<"customer">): Promise<void> {
  const redacted: Order = {
    ...order,
    customer: { id, email: null, phone: null, name: null },
    shippingAddress: withoutStreet(order.shippingAddress),
    billingAddress: withoutStreet(order.billingAddress),
    notes: null,
    cancelNote: null,
    metadata: {},
    version: order.version + 1,
    updatedAt: tx.now,
  };
  if (!(await replaceOrder(tx, redacted))) throw new Overtaken("The order");
  await redactEvents(tx, order.id, withoutBuyer(id));
}

/** What a merchant notes on a cancellation is about the person too. */
function withoutBuyer(id: Id<"customer">): RedactField {
  const redact = withoutPerson(id);
  return (field, value, holder) => (field === "cancel_note" ? null : redact(field, value, holder));
}

/** Where tax was due is for the books. */
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
