// SQL of what limits refused.

import { and, asc, desc, gt, gte, inArray, lt, lte, ne, sql } from "drizzle-orm";

import type { Tx } from "#platform/database/database.ts";
import {
  prepared,
  preparedAdd,
  preparedInsertIfFree,
  preparedWrite,
} from "#platform/database/prepared.ts";

import { abuseMarks as marks } from "./tables.ts";

export const insertMarkIfFree = preparedInsertIfFree(marks);

export const addMark = preparedAdd(marks, { key: ["kind", "network", "hour"], sums: ["count"] });

/** The rows with a network of the hours from `from` and before `to`. */
export const networkRows = prepared<{ from: number; to: number }>()((db, at) =>
  db
    .select({ kind: marks.kind, network: marks.network, hour: marks.hour })
    .from(marks)
    .where(and(gte(marks.hour, at.from), lt(marks.hour, at.to), ne(marks.network, ""))),
);

const count = sql`SUM(${marks.count})`.mapWith(Number);
/** The place of a network among those of its kind, the one with most first. */
const place = sql`ROW_NUMBER() OVER (PARTITION BY ${marks.kind} ORDER BY SUM(${marks.count}) DESC, ${marks.network})`;

/** Refusals after the hour by kind and network: first the network with most of each kind, then the second of each. */
export const marksAfter = prepared<{ hour: number; limit: number }>()((db, at) =>
  db
    .select({
      kind: marks.kind,
      network: marks.network,
      count,
      since: sql`MIN(${marks.hour})`.mapWith(Number),
    })
    .from(marks)
    // By the hours themselves: a condition on a span would be met in the order of the groups, in all rows.
    .where(
      and(
        inArray(
          marks.hour,
          db.selectDistinct({ hour: marks.hour }).from(marks).where(gt(marks.hour, at.hour)),
        ),
        gt(marks.count, 0),
      ),
    )
    .groupBy(marks.kind, marks.network)
    .orderBy(asc(place), desc(count), asc(marks.kind))
    .limit(at.limit),
);

const dropped = preparedWrite<{ until: number; limit: number }>()((tx, at) =>
  tx
    .delete(marks)
    .where(
      inArray(
        marks.hour,
        tx
          .selectDistinct({ hour: marks.hour })
          .from(marks)
          .where(lte(marks.hour, at.until))
          .orderBy(asc(marks.hour))
          .limit(at.limit),
      ),
    )
    .returning({ hour: marks.hour }),
);

/** Deletes the rows of at most `limit` hours until then, the oldest first. Returns how many rows. */
export async function dropMarks(tx: Tx, until: number, limit: number): Promise<number> {
  return (await dropped(tx, { until, limit })).length;
}
