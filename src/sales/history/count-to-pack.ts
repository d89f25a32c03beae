// Lookup: how many orders wait to be sent.

import { type Counted, countUpTo } from "#kernel/page.ts";
import type { Reader } from "#platform/database/database.ts";

import { findOldestToPack } from "./queries.ts";

export interface ToPack extends Counted {
  /** When the oldest of them was placed, epoch milliseconds; null if there is none. */
  readonly oldestAt: number | null;
}

/** Counts the orders whose goods wait to be sent, up to a limit. */
export async function countToPack(db: Reader, limit: number): Promise<ToPack> {
  const found = await findOldestToPack(db, limit + 1);
  return { ...countUpTo(found, limit), oldestAt: found[0]?.createdAt ?? null };
}
