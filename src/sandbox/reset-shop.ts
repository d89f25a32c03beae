// Workflow: a test shop begins anew. Every table is named here, so that a new one is not forgotten.

import { emptyTables } from "#platform/store/reset.ts";
import type { Shop } from "#platform/store/store.ts";

import { requireSandbox } from "./require-sandbox.ts";

/** Those that refer to others come first. */
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
  "refunds",
  "payments",
  "carts",
  "fulfillments",
  "order_lines",
  "orders",
  "inventory_movements",
  "inventory_levels",
  "customer_tags",
  "customers",
  "product_tags",
  "variants",
  "products",
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
