// Workflow: a test shop begins anew. Every table that is emptied is named here, in the order of the work.

import type { Shop } from "#platform/database/shop.ts";
import { emptyTables } from "#platform/event-log/reset.ts";

import { requireSandbox } from "./require-sandbox.ts";

/**
 * Those that refer to others come first; else those that an order writes last do: on PostgreSQL they are
 * locked from the end to the beginning, and a story that writes in another order has to begin again.
 * @internal Exported for tests.
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

/**
 * Afterwards nothing is left of what happened in the shop, and its clock shows the machine's time;
 * settings and keys are as they were, and `sequence` goes on rising. Answers when that was.
 */
export async function resetShop(shop: Shop): Promise<number> {
  await requireSandbox(shop).returnToMachineTime((tx) => emptyTables(tx, emptiedTables));
  return shop.clock.now();
}
