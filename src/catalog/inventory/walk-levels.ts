// Lookup: every stock level, for audits. Read in pages, since nobody knows how many there are.

import type { Id } from "#kernel/id.ts";
import type { Reader } from "#platform/database/store.ts";

import { levelRowsAfter } from "./queries.ts";

const PAGE_ROWS = 1000;

/** The figures of one level. */
export interface LevelFigures {
  readonly variantId: Id<"variant">;
  readonly onHand: number;
  readonly reserved: number;
}

/** All levels in the order of their variants. */
export async function* walkLevels(db: Reader): AsyncGenerator<LevelFigures> {
  let variantId = "";
  for (;;) {
    const rows = await levelRowsAfter(db, { variantId, rows: PAGE_ROWS });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    variantId = last.variantId;
  }
}
