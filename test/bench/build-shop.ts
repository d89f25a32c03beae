// Builds a shop of many orders while no server runs: people and goods by the shop's own stories, a year
// of orders by the tables' own insert statements. Invariant: `duka check` finds nothing in it. A
// program of its own, so that its memory is gone when a server is measured.

import "#nouns.ts";
import { join } from "node:path";

import { openSqliteDatabase } from "#platform/database/sqlite/sqlite.ts";

import { passingVault } from "../support/passing-vault.ts";
import { type Catalog, CUSTOMERS, fillCatalog, PRODUCTS } from "./catalog.ts";
import { Progress } from "./progress.ts";
import { ShopBook } from "./shop-book.ts";
import { Year } from "./year.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Long enough ago that every order's life is over: a shop that is kept is the same tomorrow. */
const QUIET_MS = 3 * DAY_MS;
const YEAR_MS = 365 * DAY_MS;

/** What is to be built. */
export interface ShopPlan {
  readonly folder: string;
  readonly orders: number;
}

async function buildShop({ folder, orders }: ShopPlan): Promise<void> {
  const path = join(folder, "test.sqlite");
  const end = Date.now() - QUIET_MS;
  const start = end - YEAR_MS;
  using progress = new Progress();
  const catalog = await fill(path, start - HOUR_MS, progress);
  using book = new ShopBook(path, catalog);
  const year = new Year(catalog, { start, end, orders });
  year.run(book, (done) => progress.tell("orders", done, orders));
}

async function fill(path: string, at: number, progress: Progress): Promise<Catalog> {
  const clock = { at, now: () => clock.at };
  const { database } = openSqliteDatabase(path, { clock, vault: passingVault() });
  try {
    return await fillCatalog({ database, clock }, (done) =>
      progress.tell("products and customers", done, PRODUCTS + CUSTOMERS),
    );
  } finally {
    await database.close();
  }
}

if (import.meta.main) {
  const plan: ShopPlan = JSON.parse(await Bun.stdin.text());
  await buildShop(plan);
}
