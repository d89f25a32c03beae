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
  title: "Too many orders from this address in the last 10 minutes.",
  cause: "Publishable keys placed 20 orders from the client's address in the last 10 minutes.",
  remedy:
    "Wait for the number of seconds in `Retry-After`. Name servers that render a storefront in `DUKA_STOREFRONT_SERVERS`.",
  example: { headers: { "Retry-After": "75" } },
});

/** Only placing is limited by address, never what is open: carriers share addresses among customers. */
export const placedPerAddress = {
  limit: 20,
  windowMs: 10 * MINUTE_MS,
  refusal: tooManyOrders,
} as const;

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
