// The index of orders by kind: lists by any state follow it, which SQLite does only where its text is that of the query.

import { expect, test } from "bun:test";

import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";

import { kindOfOrder } from "#sales/rows/condition-queries.ts";

import { rowsBehind } from "../../support/behind-the-shop.ts";
import { openTestShop } from "../../support/shop.ts";

test("a list of a kind is read from the index in its order", async () => {
  await using shop = await openTestShop();
  const { sql: kind } = new SQLiteSyncDialect().sqlToQuery(kindOfOrder);

  const plan = await rowsBehind(
    shop.folder.path,
    `EXPLAIN QUERY PLAN SELECT id FROM orders WHERE ${kind} = 'open' AND id < 'x' ORDER BY id DESC`,
  );

  expect(JSON.stringify(plan)).toContain("orders_kind_index (<expr>=? AND id<?)");
  expect(JSON.stringify(plan)).not.toContain("TEMP B-TREE");
});
