// Orders found by their lines, and the terms of lines written now rather than in the background.

import type { Database } from "#platform/database/database.ts";
import { lockLogCursor, moveLogCursor } from "#platform/event-log/log-cursors.ts";
import { emptyTables } from "#platform/event-log/reset.ts";
import { CONSUMER } from "#sales/rows/line-index-queries.ts";
import { LineIndexWriter } from "#sales/rows/line-index.ts";

import type { TestShop } from "../../support/shop.ts";

/** Writes the terms of all events so far. */
export async function writeTerms(database: Database): Promise<void> {
  const writer = new LineIndexWriter(database);
  while (await writer.step());
}

/** Afterwards no term is written, and the writer begins with the first event. */
export async function forgetTerms({ test: { database } }: TestShop): Promise<void> {
  await database.write(async (tx) => {
    await moveLogCursor(tx, CONSUMER, { from: await lockLogCursor(tx, CONSUMER), to: 0 });
    await emptyTables(tx, ["order_line_terms"]);
  });
}

/** The numbers of the orders that a list answers, as it lists them. */
export async function numbersOf(shop: TestShop, query: string): Promise<unknown[]> {
  const list = await shop.get(`/v2/orders?${query}`);
  if (list.status !== 200) throw new Error(list.text);
  return list.list("/data").map((_, index) => list.at(`/data/${index}/number`));
}
