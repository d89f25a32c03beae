// Workflow: resets a test shop. Names every table that is emptied, in order.

import { beginAlerts } from "#alerts/begin-alerts.ts";
import { listFileNames } from "#catalog/media/lookups.ts";
import { type MediaShop, removeFiles } from "#catalog/media/media-shop.ts";
import { beginEmails } from "#emails/sending/decide-emails.ts";
import { requireNewestSchema } from "#platform/database/migrations.ts";
import { emptyTables } from "#platform/event-log/reset.ts";
import { clearPriceTerms } from "#shop/store/price-terms.ts";

import { requireSandbox } from "./require-sandbox.ts";

/**
 * Tables with foreign keys come before those they refer to; otherwise tables that an order writes last come
 * first. PostgreSQL locks the list from its end, so in the order of writing: another order would deadlock
 * with stories and make them run again.
 * @internal Exported for tests.
 */
export const emptiedTables: readonly string[] = [
  "timers",
  "shop_clock",
  "abuse_marks",
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
  "bookings",
  "booking_days",
  "inbox_messages",
  "import_files",
  "customer_codes",
  "customer_challenges",
  "code_counts",
  "customer_sessions",
  "emails",
  "alerts",
  "cart_reminders",
  "consent_withdrawals",
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
  "discount_uses",
  "discount_buyers",
  "discount_codes",
  "discounts",
  "shipping_rates",
  "shipping_zones",
  "pickup_locations",
  "tax_rates",
  "collection_products",
  "collection_slugs",
  "collections",
  "product_slugs",
  "product_prices",
  "variant_options",
  "product_indexing",
  "search_rebuilds",
  "search_spellings",
  "product_tags",
  "product_media",
  "media",
  "variants",
  "products",
  "disputes",
  "payout_lines",
  "payouts",
  "refunds",
  "gateway_keys",
  "gateway_names",
  "payments",
  "fulfillments",
  "order_returns",
  "order_line_terms",
  "order_lines",
  "orders",
  "carts",
  "customer_tags",
  "customers",
  "inventory_movements",
  "inventory_levels",
];

/**
 * Afterwards the shop is empty, also of the files of its media, and its clock shows the machine's time; settings, keys
 * and endpoints stay, and `sequence` continues. An upload that is at work keeps its files. Returns the time of the reset,
 * epoch milliseconds. Refuses with `newer_schema`.
 */
export async function resetShop(shop: MediaShop): Promise<number> {
  let names: readonly string[] = [];
  await requireSandbox(shop).returnToMachineTime(async (tx) => {
    await requireNewestSchema(tx);
    names = await listFileNames(tx);
    await clearPriceTerms(tx);
    await emptyTables(tx, emptiedTables);
    await beginEmails(tx, true);
    await beginAlerts(tx);
  });
  await removeFiles(shop, names);
  return shop.clock.now();
}
