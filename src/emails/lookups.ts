// Reads of emails for other folders.

import { type Counted, countUpTo } from "#kernel/page.ts";
import { WEEK_MS } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";

import { listEmailRows } from "./queries.ts";

/** Counts the emails of the last seven days that failed, up to a limit: of older ones the order says more by now. */
export async function countFailedEmails(
  db: Reader,
  { limit, now }: { readonly limit: number; readonly now: number },
): Promise<Counted> {
  const found = await listEmailRows(db, { statuses: ["failed"] }, { limit, after: null });
  return countUpTo(
    found.filter(({ createdAt }) => now - createdAt <= WEEK_MS),
    limit,
  );
}
