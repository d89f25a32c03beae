// Lookup: what limits refused lately, by kind and network.

import type { AbuseKind } from "#kernel/abuse.ts";
import { DAY_MS } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";

import { marksAfter } from "./queries.ts";

/** As many as fit on a page: one of each kind, and two more. */
export const MARKS_MAX = 10;

/** Refusals of a kind to a network. */
export interface Refused {
  readonly kind: AbuseKind;
  /** Null where none is known, and for networks beyond those that are kept of a day. */
  readonly network: string | null;
  readonly count: number;
  /** When the first hour of them began. */
  readonly since: number;
}

/** Returns what was refused in the last 24 hours: first the network with most of each kind. */
export async function findRefused(db: Reader, now: number): Promise<Refused[]> {
  const found = await marksAfter(db, { hour: now - DAY_MS, limit: MARKS_MAX });
  return found.map(({ network, ...sums }) => ({ ...sums, network: network || null }));
}
