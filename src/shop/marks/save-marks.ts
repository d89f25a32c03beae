// Story: what limits refused is added to the rows of its hour. Invariant: of one day so many rows are kept, however many
// networks are refused, and an event is sent for a kind and an hour once.

import { abuseKinds } from "#kernel/abuse.ts";
import { DAY_MS, HOUR_MS } from "#kernel/time.ts";
import type { Tx } from "#platform/database/database.ts";
import { lockSettings } from "#shop/store/lookups.ts";

import { keyOf } from "./abuse-marks.ts";
import { limitReached } from "./events.ts";
import { addMark, insertMarkIfFree, networkRows } from "./queries.ts";
import type { AbuseMark } from "./tables.ts";

/** Rows of a day; each kind has one without a network in each hour. */
const ROWS_PER_DAY = 1_000;
const NETWORK_ROWS = ROWS_PER_DAY - abuseKinds.length * (DAY_MS / HOUR_MS);

/** Afterwards the rows have it, and `limit.reached` was emitted for each kind that is new in its hour. */
export async function saveMarks(tx: Tx, counted: readonly AbuseMark[]): Promise<void> {
  // Programs that share the database save one after the other, so that the rows of a day stay within their limit.
  await lockSettings(tx);
  for (const [first, ...others] of Map.groupBy(counted, ofHour).values()) {
    if (first === undefined) continue;
    const { kind, hour } = first;
    if (!(await insertMarkIfFree(tx, { kind, hour, network: "", count: 0 }))) continue;
    const count = others.reduce((sum, mark) => sum + mark.count, first.count);
    await tx.emit(limitReached({ kind, count, since: hour }));
  }
  for (const [day, marks] of Map.groupBy(counted, ({ hour }) => hour - (hour % DAY_MS))) {
    const rows = await networkRows(tx, { from: day, to: day + DAY_MS });
    const known = new Set(rows.map((row) => keyOf(row)));
    const kept = marks.map((mark) => {
      if (mark.network === "" || known.has(keyOf(mark))) return mark;
      if (known.size >= NETWORK_ROWS) return { ...mark, network: "" };
      known.add(keyOf(mark));
      return mark;
    });
    await Promise.all(kept.map((mark) => addMark(tx, mark)));
  }
}

function ofHour({ kind, hour }: AbuseMark): string {
  return `${kind} ${hour}`;
}
