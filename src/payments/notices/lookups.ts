// Lookup: how notices of a gateway come in, for the operator.

import type { Reader } from "#platform/database/database.ts";

import { findLastNotice, findNoticesOfPaid } from "./queries.ts";

export interface NoticeRecord {
  /** When the last one came, by the shop's clock; null if none did in the last 90 days. */
  readonly lastAt: number | null;
  /** How many of its newest payments were paid, and of how many of those no notice came. */
  readonly paid: number;
  readonly unnoticed: number;
}

const PAID_ROWS = 20;

/** Finds the record of the gateway's latest notices. */
export async function findNoticeRecord(db: Reader, gateway: string): Promise<NoticeRecord> {
  const lastAt = await findLastNotice(db, gateway);
  const noticed = await findNoticesOfPaid(db, gateway, PAID_ROWS);
  const unnoticed = noticed.filter((at) => at === null).length;
  return { lastAt, paid: noticed.length, unnoticed };
}
