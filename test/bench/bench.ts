// `npm run bench`: what Duka can do, measured from outside, all of it or the named parts (`sales`,
// `deliveries`, or of these `drain`, `delay`, `selling`, `dead`; `flash`, which sells out one product; `prices`, which
// compares orders with taxes, a delivery and a discount with orders without; `dashboard`, which
// holds the pages of a shop of 1,000,000 orders, or of `--orders`, against their budgets, in an installed Chromium; of
// so large a shop also `stalls`, for how long a question holds others up, and `life`, what an order takes of the disk;
// `alone`, what one order writes, exactly; `reads`, what reads take beside orders).
// `sales --beside <folder>` also measures the binary of another checkout, such as the one before a change;
// `--orders 1000000` compares so large a shop with a small one (`--rebuild` builds it anew); `--store postgres`
// measures programs that share a PostgreSQL, and `flash` on it. BENCH_ROUNDS and BENCH_SECONDS set how often
// and how long each load runs (3 and 5): on a busy machine many short rounds narrow a ratio. Absolute figures
// belong to the machine.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

import { printAlone } from "./alone.ts";
import { measureDashboard, ORDERS } from "./dashboard.ts";
import { type DeliveryPart, deliveryParts, measureDeliveries } from "./deliveries.ts";
import { measureFlash } from "./flash.ts";
import { measureLife } from "./life.ts";
import { measurePrices } from "./prices.ts";
import { measureProcesses } from "./processes.ts";
import { endAll } from "./programs.ts";
import { measureReads } from "./reads.ts";
import { measureSales } from "./sales.ts";
import { measureScale, SMALL } from "./scale.ts";
import { CONNECTIONS, ROUNDS, SECONDS } from "./shop.ts";
import { measureStalls, STALL_ORDERS } from "./stalls.ts";

/** Something hangs where a measurement takes longer, milliseconds. */
const MS_MAX = 1_800_000;
/** The same where shops have to be built, milliseconds. */
const SCALE_MS_MAX = 3_600_000;

/** The parts that run by themselves, and only where they are named. */
const apart = ["dashboard", "alone", "reads", "stalls", "life"] as const;
const all = ["sales", "deliveries", "flash", "prices", ...apart, ...deliveryParts];
const { values: options, positionals: asked } = parseArgs({
  options: {
    beside: { type: "string" },
    orders: { type: "string" },
    rebuild: { type: "boolean", default: false },
    store: { type: "string", default: "sqlite" },
  },
  allowPositionals: true,
});
const beside = options.beside === undefined ? null : resolve(options.beside);
const orders = options.orders === undefined ? null : Number(options.orders);
const lonely = apart.find((name) => asked.includes(name));
const msMax = orders === null && lonely === undefined ? MS_MAX : SCALE_MS_MAX;
const wants = (...names: string[]) =>
  asked.length === 0 || names.some((one) => asked.includes(one));
const isDeliveryPart = (part: DeliveryPart) => wants("deliveries", part);
const folders = new Set<string>();

/** Runs one part in a folder of its own. */
async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "duka-bench-"));
  folders.add(folder);
  try {
    await run(folder);
  } finally {
    await tidyUp();
  }
}

async function tidyUp(): Promise<void> {
  await endAll();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

async function end(reason: string): Promise<never> {
  console.error(reason);
  await tidyUp();
  process.exit(1);
}

for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => void end("Ended."));
const timer = setTimeout(() => void end(`Not done after ${msMax / 1000} s.`), msMax);
if (asked.some((name) => !all.includes(name))) await end(`There is: ${all.join(", ")}.`);
if (orders !== null && !(Number.isSafeInteger(orders) && orders > SMALL)) {
  await end(`--orders takes a number above ${SMALL}.`);
}
const { store } = options;
if (store !== "sqlite" && store !== "postgres") await end("--store is sqlite or postgres.");
if (beside !== null && (orders !== null || store !== "sqlite" || !wants("sales"))) {
  await end("--beside is for sales on SQLite.");
}
const { rebuild } = options;
if (lonely !== undefined) {
  await inFolder((folder) => measureApart(lonely, folder));
} else if (orders === null) await measureParts();
else await inFolder((folder) => measureScale(folder, { orders, rebuild }));
clearTimeout(timer);

async function measureApart(name: (typeof apart)[number], folder: string): Promise<void> {
  switch (name) {
    case "dashboard":
      return measureDashboard(folder, { orders: orders ?? ORDERS, rebuild });
    case "alone":
      return printAlone(folder);
    case "reads":
      return measureReads(folder);
    case "stalls":
      return measureStalls(folder, { orders: orders ?? STALL_ORDERS, rebuild });
    case "life":
      return measureLife(folder, { orders: orders ?? STALL_ORDERS, rebuild });
  }
}

async function measureParts(): Promise<void> {
  console.log(
    `${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s each, load from a third process`,
  );
  // `flash` runs by itself, and only where it is named.
  if (asked.includes("flash")) {
    await inFolder((folder) => measureFlash(folder, store === "postgres" ? store : "sqlite"));
    return;
  }
  if (asked.includes("prices")) {
    await inFolder(measurePrices);
    return;
  }
  if (store === "postgres") {
    await inFolder(measureProcesses);
    return;
  }
  if (wants("sales")) await inFolder((folder) => measureSales(folder, beside));
  const parts = deliveryParts.filter(isDeliveryPart);
  if (parts.length > 0) await inFolder((folder) => measureDeliveries(folder, parts));
}
