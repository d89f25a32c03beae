// Shops that were built for a measurement and are kept for the next one, in a folder below the
// machine's temporary one. Invariant: one that is there is whole, and of this program's schema.

import { Database as SqliteFile } from "bun:sqlite";
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { CONSUMER } from "#analytics/figures.ts";
import { sqliteMigrations } from "#platform/database/sqlite/migrate.ts";
import { CONSUMER as TERMS } from "#sales/rows/line-index-queries.ts";

import type { ShopPlan } from "./build-shop.ts";
import { type Duka, runOn, startDuka } from "./programs.ts";
import { Progress } from "./progress.ts";
import { SUMMARY } from "./questions.ts";
import { ask } from "./shop.ts";

/** No build takes longer, milliseconds. */
const BUILD_MS_MAX = 1_500_000;
/** The log of a new shop is counted within this, milliseconds. */
const COUNT_MS_MAX = 1_200_000;
const COUNT_LOOK_MS = 1000;
const NOTE = "shop.json";
/** What makes a shop what it is. */
const recipe = ["build-shop", "catalog", "order-life", "shop-book", "year"];

const shelf = join(tmpdir(), "duka-bench-shops");

/** A data directory with a shop in it. */
export interface BuiltShop {
  readonly folder: string;
  readonly key: string;
  readonly buildSeconds: number;
}

/** A copy of the shop of so many orders, to be measured; built where none is kept. */
export async function takeShop(
  scratch: string,
  { orders, rebuild }: { readonly orders: number; readonly rebuild: boolean },
): Promise<BuiltShop> {
  const kept = join(shelf, `${orders}-${await mark()}`);
  if (rebuild || !existsSync(kept)) await build(scratch, { orders, kept });
  const { key, buildSeconds } = await Bun.file(join(kept, NOTE)).json();
  const folder = join(scratch, String(orders));
  cpSync(kept, folder, { recursive: true });
  return { folder, key, buildSeconds };
}

/** Of this program's schema and of how shops are built. */
async function mark(): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for (const { text } of sqliteMigrations) hash.update(text);
  for (const name of recipe)
    hash.update(await Bun.file(join(import.meta.dir, `${name}.ts`)).text());
  return hash.digest("hex").slice(0, 12);
}

async function build(
  scratch: string,
  { orders, kept }: { readonly orders: number; readonly kept: string },
): Promise<void> {
  console.error(`A shop of ${orders.toLocaleString("en")} orders is built.`);
  forgetOthers(orders);
  const from = performance.now();
  const folder = join(scratch, `new-${orders}`);
  const { key } = await startAndStop(folder, null);
  const plan: ShopPlan = { folder, orders };
  await runOn("build-shop.ts", plan, BUILD_MS_MAX);
  await startAndStop(folder, key);
  const buildSeconds = Math.round((performance.now() - from) / 1000);
  await Bun.write(join(folder, NOTE), JSON.stringify({ key, buildSeconds }));
  mkdirSync(shelf, { recursive: true });
  renameSync(folder, kept);
}

/** The server must start on it, and counts its log where it counts at all. */
async function startAndStop(folder: string, key: string | null): Promise<Duka> {
  const duka = await startDuka(folder, key);
  if (key !== null && (await hasSummary(duka))) await counted(duka.database);
  await duka.stop();
  return duka;
}

/** Whether this program answers summaries. */
export async function hasSummary(duka: Duka): Promise<boolean> {
  return (await ask(duka, ["GET", "/openapi.json"])).includes(`"${SUMMARY}"`);
}

/** Waits until all of the log is counted and read for terms; earlier requests are asked to retry, or cost more. */
async function counted(database: string): Promise<void> {
  using progress = new Progress();
  using opened = new SqliteFile(database, { readonly: true });
  const count = opened.query<{ done: number; total: number }, [string, string]>(
    `SELECT coalesce((SELECT min(sequence) FROM log_cursors WHERE consumer IN (?, ?) HAVING count(*) = 2), 0) AS done,
            (SELECT max(sequence) FROM events) AS total`,
  );
  const from = performance.now();
  for (;;) {
    const { done, total } = count.get(CONSUMER, TERMS) ?? { done: 0, total: 0 };
    if (done >= total) return;
    progress.tell("events read", done, total);
    if (performance.now() - from > COUNT_MS_MAX) throw new Error("The log is not counted.");
    await Bun.sleep(COUNT_LOOK_MS);
  }
}

/** Shops of an older schema are of no use, and large. */
function forgetOthers(orders: number): void {
  if (!existsSync(shelf)) return;
  for (const name of readdirSync(shelf)) {
    if (name.startsWith(`${orders}-`)) rmSync(join(shelf, name), { recursive: true });
  }
}
