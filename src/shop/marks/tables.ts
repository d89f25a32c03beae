// Refusals of limits, summed by kind, network and hour. A network is that of many addresses, and of no customer.

import type { AbuseKind } from "#kernel/abuse.ts";
import { index, int, primaryKey, text, time } from "#platform/database/kit.ts";
import { plain, record, type RowOf } from "#platform/database/record.ts";

export const abuseMarks = record(
  "abuse_marks",
  {
    kind: plain(text().$type<AbuseKind>().notNull()),
    /** The /24 of IPv4 or the /48 of IPv6; empty where none is known, and for those beyond the rows of a day. */
    network: plain(text().notNull()),
    /** When the hour began. */
    hour: time().notNull(),
    count: int().notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.kind, row.network, row.hour] }),
    index("abuse_marks_hour_index").on(row.hour),
  ],
);

export type AbuseMark = RowOf<typeof abuseMarks>;
