// Lookup: compares what is kept of the uses of discounts, codes and customers with the uses themselves.

import type { Difference } from "#kernel/difference.ts";
import { nextTurn } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";
import {
  limitedCodesAfter,
  limitedDiscountsAfter,
  needlessUses,
  personalDiscountsAfter,
  wrongCustomerUses,
} from "#pricing/discounts/use-queries.ts";

const PAGE_ROWS = 1000;

interface Counts {
  readonly expected: number;
  readonly found: number;
}

type RowsOf<Read extends (...given: never[]) => Promise<unknown[]>> = Awaited<
  ReturnType<Read>
>[number];

/** Yields each count that is not that of the uses. `db` must be a reader of one snapshot. */
export async function* auditDiscounts(db: Reader): AsyncGenerator<Difference> {
  yield* wrongCounts<RowsOf<typeof limitedDiscountsAfter>>(
    (last) => limitedDiscountsAfter(db, { id: last?.id ?? "", rows: PAGE_ROWS }),
    ({ id }) => ({ subject: id, what: "used_count" }),
  );
  yield* wrongCounts<RowsOf<typeof limitedCodesAfter>>(
    (last) => limitedCodesAfter(db, { code: last?.code ?? "", rows: PAGE_ROWS }),
    ({ code }) => ({ subject: `code ${code}`, what: "used_count" }),
  );
  yield* wrongUsesOfCustomers(db);
  for (const { discountId, customerId } of await needlessUses(db, { rows: PAGE_ROWS })) {
    yield { subject: discountId, what: `uses of ${customerId}`, expected: "none", found: "kept" };
  }
}

async function* wrongUsesOfCustomers(db: Reader): AsyncGenerator<Difference> {
  let page = await personalDiscountsAfter(db, { id: "", rows: PAGE_ROWS });
  while (page.length > 0) {
    await nextTurn();
    for (const { id: subject } of page) {
      const wrong = await wrongCustomerUses(db, { discountId: subject, rows: PAGE_ROWS });
      for (const { customerId, ...counts } of wrong) {
        yield { subject, what: `uses of ${customerId}`, ...counts };
      }
    }
    page = await personalDiscountsAfter(db, { id: page.at(-1)?.id ?? "", rows: PAGE_ROWS });
  }
}

/** Compares the rows of all pages; `read` gets the last row of the page before. */
async function* wrongCounts<Row extends Counts>(
  read: (last?: Row) => Promise<Row[]>,
  nameOf: (row: Row) => Pick<Difference, "subject" | "what">,
): AsyncGenerator<Difference> {
  let rows = await read();
  while (rows.length > 0) {
    await nextTurn();
    for (const row of rows) {
      const { expected, found } = row;
      if (expected !== found) yield { ...nameOf(row), expected, found };
    }
    rows = await read(rows.at(-1));
  }
}
