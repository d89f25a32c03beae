// Workflow: a test shop begins anew. Every table is named here, so that a new one is not forgotten.

import type { Shop } from "#platform/database/shop.ts";
import { emptyTables } from "#platform/event-log/reset.ts";

import { requireSandbox } from "./require-sandbox.ts";

/**
 * Those that refer to others come first; else those that an order writes last do: on PostgreSQL they are
 * locked from the end to the beginning, and whoever writes in another order has to begin again.
 */
export const emptiedTables: readonly string[] = [
  "timers",
  "shop_clock",
  "stored_answers",
  "events",
  "log_cursors",
  "analytics_buyers",
  "analytics_checkouts",
  "analytics_figures",
  "analytics_names",
  "analytics_parts",
  "analytics_purchases",
  "analytics_refunded",
  "analytics_scopes",
  "inbox_messages",
  "webhook_attempts",
  "webhook_deliveries",
  "webhook_replays",
  "webhook_health",
  "counters",
  "search_documents",
  "search_entries",
  "simulated_refunds",
  "simulated_charges",
  "gateway_notices",
  "product_tags",
  "variants",
  "products",
  "refunds",
  "payments",
  "fulfillments",
  "order_lines",
  "orders",
  "carts",
  "customer_tags",
  "customers",
  "inventory_movements",
  "inventory_levels",
];

/** The shop, who may enter it and who serves it outlive everything that happened in it. */
export const keptTables: readonly string[] = [
  "migrations",
  "vault_marks",
  "leases",
  "rate_uses",
  "store",
  "cart_recovery",
  "api_keys",
  "api_key_changes",
  "webhook_endpoints",
];

/**
 * Afterwards nothing is left of what happened in the shop, and its clock shows the machine's time;
 * settings and keys are as they were, and `sequence` goes on rising. Answers when that was.
 */
export async function resetShop(shop: Shop): Promise<number> {
  await requireSandbox(shop).returnToMachineTime((tx) => emptyTables(tx, emptiedTables));
  return shop.clock.now();
}
