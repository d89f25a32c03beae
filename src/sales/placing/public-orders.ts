// Bounds the orders of publishable keys, which strangers hold: the stock that they reserve without
// paying is limited by order, by contact and by address.

import type { Id } from "#kernel/id.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import { MINUTE_MS } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";
import { countOpenPublicOrders } from "#sales/rows/queries.ts";
import { type LimitSettings, publicLimitsOf } from "#shop/store/public-limits.ts";

export const tooManyOpenOrders = defineRefusal("too_many_open_orders", "conflict", {
  title: "The contact has too many open unpaid orders.",
  cause:
    "Publishable keys placed as many orders for this email or phone as the store's `limits.open_orders_per_contact` allows, and none of them is paid or closed yet.",
  remedy: "Pay or cancel one of them first, or place the order with a secret key.",
});
export const tooManyOrders = defineRefusal("too_many_orders", "limited", {
  title: "Too many orders in the last 10 minutes.",
  cause:
    "Publishable keys placed 20 orders from the client's address, or 320 from its network, in the last 10 minutes.",
  remedy:
    "Wait for the number of seconds in `Retry-After`, or sign the customer in with a code and send `Customer-Token`: a customer who is signed in has a limit of their own. Name servers that render a storefront in `DUKA_STOREFRONT_SERVERS`.",
  example: { headers: { "Retry-After": "75" } },
});

const placing = {
  name: "orders",
  perMs: 10 * MINUTE_MS,
  countsCustomers: true,
  refusal: tooManyOrders,
} as const;

/**
 * Only placing is limited by address and network, never what is open: carriers share them among customers. A customer who
 * is signed in has a limit of their own.
 */
export const placingBudgets = [
  { ...placing, unit: "narrow", limit: 20 },
  { ...placing, unit: "wide", limit: 320 },
] as const;

/**
 * Refuses with `too_many_open_orders`. The caller has locked the customer in a transaction of its own, so that of two
 * orders at once one counts the other.
 */
export async function limitOpenOrders(
  db: Reader,
  settings: LimitSettings,
  customer: { readonly id: Id<"customer"> } | null,
): Promise<void> {
  if (customer === null) return;
  const { openOrdersPerContact } = publicLimitsOf(settings);
  if ((await countOpenPublicOrders(db, customer.id)) >= openOrdersPerContact) {
    throw tooManyOpenOrders();
  }
}
