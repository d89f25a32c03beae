// Workflow: erase a customer's personal data from its record, carts, orders, returns and payments. Amounts stay for the
// accounts.

import { type Customer, openOrders } from "#customers/customer.ts";
import { forgetCustomer, removeCustomer } from "#customers/forget-customer.ts";
import { lockCustomer } from "#customers/lookups.ts";
import { type ExpectedVersion, requireVersion } from "#kernel/change.ts";
import { type Id, isId } from "#kernel/id.ts";
import { nextTurn } from "#kernel/time.ts";
import { redactPayments } from "#payments/rows/redact-payments.ts";
import type { Tx } from "#platform/database/database.ts";
import { requireNewestSchema } from "#platform/database/migrations.ts";
import type { Shop } from "#platform/database/shop.ts";
import type { TimerWorkflow } from "#platform/scheduler/timer-work.ts";
import { findOpenOrderIds } from "#sales/orders/lookups.ts";
import { redactCarts, redactReturns } from "#sales/orders/redact-orders.ts";

import { type AlsoForget, eraseNextOrders, erasureTimer, type Rest } from "./erase-next-orders.ts";

// Workflow: the orders of an erased customer, piece by piece. It may begin anew: what is erased stays as it is.

/** Erases the customer from the rest of their orders. */
async function finishErasure(shop: Shop, id: Id<"customer">, rest: Rest): Promise<void> {
  let { after } = rest;
  do {
    const piece = { ...rest, after };
    after = await shop.database.write((tx) => eraseNextOrders(tx, id, piece));
    await nextTurn();
  } while (after !== null);
}

/** Finishes what a crash left. */
export const erasureTimers = (alsoForget: AlsoForget): readonly TimerWorkflow[] => [
  {
    name: erasureTimer,
    queueOf: async (_shop, about) => ({ name: erasureTimer, width: 1, about }),
    runWith: async (shop, subject) => {
      const rest = { after: null, alsoForget };
      if (isId("customer", subject)) await finishErasure(shop, subject, rest);
    },
  },
];

/**
 * Removes personal data from the customer, its carts, orders, returns and payments, their events and stored answers:
 * all at once, but for further pieces where there are many orders. Keeps totals, lines, and the country and region
 * where tax was due. Returns an erased customer unchanged.
 * Refuses with `customer_not_found`, `stale_version`, `open_orders` and `newer_schema`.
 */
export async function eraseCustomer(
  shop: Shop,
  id: Id<"customer">,
  { expected, alsoForget }: { readonly expected: ExpectedVersion; readonly alsoForget: AlsoForget },
): Promise<Customer> {
  const { erased, last } = await shop.database.write(async (tx) => {
    await alsoForget(tx, await lockCustomer(tx, id));
    return {
      erased: await erase(tx, id, expected),
      last: await eraseNextOrders(tx, id, { after: null, alsoForget }),
    };
  });
  if (last !== null) await finishErasure(shop, id, { after: last, alsoForget });
  return erased;
}

/** Everything but the orders. */
async function erase(tx: Tx, id: Id<"customer">, expected: ExpectedVersion): Promise<Customer> {
  const before = await lockCustomer(tx, id);
  requireVersion(before.version, expected);
  // An order needs the customer's lock too, so none is placed after this.
  const orderIds = await findOpenOrderIds(tx, id);
  if (orderIds.length > 0) throw openOrders({ members: { order_ids: orderIds } });
  const erased = await forgetCustomer(tx, id, expected);
  // Earlier versions left some of it in them, so an erasure that is repeated clears it.
  await redactReturns(tx, id);
  // An erased customer cannot place orders, so nothing was added since.
  if (before.erasedAt !== null) return erased;
  await redactCarts(tx, before);
  await redactPayments(tx, id);
  return erased;
}

/**
 * Deletes the customer and redacts its carts, events and stored answers. Refuses with
 * `customer_not_found`, `stale_version`, `customer_has_orders` and `newer_schema`.
 */
export async function deleteCustomer(
  tx: Tx,
  id: Id<"customer">,
  expected: ExpectedVersion,
): Promise<undefined> {
  await requireNewestSchema(tx);
  const before = await lockCustomer(tx, id);
  // First, while the carts still refer to the customer. A refusal below rolls this back.
  await redactCarts(tx, before);
  return removeCustomer(tx, id, expected);
}
