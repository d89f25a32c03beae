// `bun run test/bench/analytics.ts [orders] [variants] [days]`: how long a summary takes when so many
// orders were counted. The facts are made up and go the way of real ones, tally and rows; only the
// log is left out, which no summary reads.

import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type AnalyticsShop, openAnalytics } from "#analytics/analytics-shop.ts";
import type { Fact, SoldLine } from "#analytics/projection/fact.ts";
import { recallMemory } from "#analytics/projection/recall-memory.ts";
import { saveTally } from "#analytics/projection/save-tally.ts";
import { Tally } from "#analytics/projection/tally.ts";
import { SLOT_MS } from "#analytics/slots.ts";
import type { SummaryRequest } from "#analytics/summary/blocks.ts";
import { summarizeSales } from "#analytics/summary/summarize-sales.ts";
import { newId } from "#kernel/id.ts";
import type { Shop } from "#platform/database/shop.ts";
import { openSqliteDatabase } from "#platform/database/sqlite/sqlite.ts";
import { openStore } from "#shop/store/open-store.ts";

import { passingVault } from "../support/passing-vault.ts";

const [orders = 1_000_000, variants = 200, days = 365] = process.argv.slice(2).map(Number);
const ORDERS_AT_ONCE = 1_000;
const RUNS = 200;
const DAY_MS = 86_400_000;
const now = Date.UTC(2026, 5, 15, 13, 37);
const firstAt = now - days * DAY_MS;

/** The same numbers in every run: a linear congruential generator. */
let seed = 42;
function random(): number {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed / 2_147_483_648;
}

/** Few sell much, many little. */
function pick(count: number): number {
  return Math.floor(count * random() ** 2);
}

const channels = ["online_store", "online_store", "online_store", "pos", "social"];
const methods = ["mobile_money", "mobile_money", "card", "cash_on_delivery"];
const providers = ["mtn", "vodafone", "airteltigo"];

function lineOf(): SoldLine {
  const variant = pick(variants);
  const units = 1 + pick(4);
  const grossMinor = units * (500 + variant * 7);
  return {
    variantId: `var_${String(variant).padStart(26, "0")}`,
    productId: `prod_${String(Math.floor(variant / 3)).padStart(26, "0")}`,
    sku: `SKU-${variant}`,
    name: `Printed cloth, pattern ${variant}`,
    units,
    grossMinor,
    netMinor: grossMinor,
  };
}

/** What is heard of one order: placed, attempted, paid. */
function factsOf(index: number): Fact[] {
  const at = Math.floor(firstAt + ((index + random()) / orders) * days * DAY_MS);
  const orderId = newId("order", at);
  const place = { currency: "GHS" as const, channel: channels[pick(5)] ?? "pos" };
  const method = methods[pick(4)] ?? "card";
  const provider = method === "mobile_money" ? (providers[pick(3)] ?? "mtn") : null;
  const lines = [lineOf(), lineOf()];
  const grossMinor = lines.reduce((sum, line) => sum + line.grossMinor, 0);
  const by = { at, ...place, method, provider };
  const tookMs = 2_000 + pick(600_000);
  const customer = Math.floor(random() * (orders / 5));
  return [
    { at, ...place, kind: "placed", cartId: null, isPrepaid: method !== "cash_on_delivery" },
    { ...by, kind: "attempted" },
    ...(random() < 0.1 ? [{ ...by, kind: "failed", failureCode: "declined" } as const] : []),
    { ...by, kind: "succeeded", tookMs },
    {
      ...by,
      kind: "paid",
      orderId,
      cartId: null,
      customerId: `cus_${String(customer).padStart(26, "0")}`,
      grossMinor,
      discountMinor: 0,
      shippingMinor: 500,
      taxMinor: 0,
      includedTaxMinor: 0,
      discounts: [],
      taxes: [],
      refundedMinor: 0,
      writtenOffMinor: 0,
      lines,
    },
  ];
}

async function fill(shop: Shop): Promise<void> {
  await shop.database.write((tx) => openStore(tx, newId("store", now)));
  const startedAt = performance.now();
  for (let index = 0; index < orders; index += ORDERS_AT_ONCE) {
    const count = Math.min(ORDERS_AT_ONCE, orders - index);
    const facts = Array.from({ length: count }, (_, offset) => factsOf(index + offset)).flat();
    await shop.database.write(async (tx) => {
      const tally = new Tally(await recallMemory(tx, facts));
      for (const fact of facts) tally.add(fact);
      await saveTally(tx, tally);
    });
    if (process.stderr.isTTY) process.stderr.write(`\r${index + count} orders`);
  }
  const microseconds = ((performance.now() - startedAt) * 1000) / orders;
  console.log(`counted ${orders} paid orders, ${microseconds.toFixed(0)} us each`);
}

async function measure(shop: AnalyticsShop, name: string, request: SummaryRequest): Promise<void> {
  const times: number[] = [];
  const before = process.cpuUsage();
  for (let run = 0; run < RUNS; run += 1) {
    const startedAt = performance.now();
    await summarizeSales(shop, request);
    times.push(performance.now() - startedAt);
  }
  const { user, system } = process.cpuUsage(before);
  const cpuMs = ((user + system) / 1000 / RUNS).toFixed(2).padStart(6);
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => (sorted[Math.floor(share * RUNS)] ?? 0).toFixed(2).padStart(7);
  console.log(`${name.padEnd(52)} p50 ${at(0.5)} ms  p99 ${at(0.99)} ms  CPU ${cpuMs} ms`);
}

const folder = mkdtempSync(join(tmpdir(), "duka-analytics-"));
try {
  const path = join(folder, "test.sqlite");
  const clock = { now: () => now };
  const { database } = openSqliteDatabase(path, { clock, vault: passingVault() });
  const closing = new AbortController().signal;
  const shop: AnalyticsShop = {
    mode: "test",
    database,
    clock,
    closing,
    ...openAnalytics(database),
  };
  await fill(shop);
  console.log(`the file has ${(statSync(path).size / 1e6).toFixed(0)} MB`);
  const compare = "previous_period";
  await measure(shop, "30 days, UTC", {});
  await measure(shop, "30 days, UTC, compared", { compare });
  await measure(shop, "30 days, Africa/Lagos, compared", { timezone: "Africa/Lagos", compare });
  await measure(shop, "30 days, Asia/Kathmandu, compared", { timezone: "Asia/Kathmandu", compare });
  await measure(shop, "30 days, one channel", { channel: "pos" });
  await measure(shop, "30 days by the hour, Europe/Berlin", {
    timezone: "Europe/Berlin",
    interval: "hour",
  });
  const aligned = new Date(Math.floor(now / SLOT_MS) * SLOT_MS).toISOString();
  await measure(shop, "the last 24 hours", {
    from: new Date(Date.parse(aligned) - DAY_MS).toISOString(),
    to: aligned,
    interval: "hour",
  });
  await measure(shop, "a year by the week", {
    from: "2025-06-16",
    to: "2026-06-16",
    interval: "week",
  });
  await database.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
