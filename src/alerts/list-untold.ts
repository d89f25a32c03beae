// Lookup: the alerts that Home shows, because no email told them.

import type { Reader } from "#platform/database/database.ts";
import type { Person } from "#shop/people/person.ts";

import { SHOWN_MS } from "./alert.ts";
import { type AlertFacts, readFacts } from "./facts.ts";
import { listUntoldRows } from "./queries.ts";

/** The alerts of the last seven days to the owner that no email told, newest first. */
export async function listUntold(
  dbs: { readonly db: Reader; readonly people: Reader },
  { id: personId }: Person,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<AlertFacts[]> {
  const found: AlertFacts[] = [];
  for (const row of await listUntoldRows(dbs.db, {
    personId,
    after: now - SHOWN_MS,
    rows: limit,
  })) {
    const facts = await readFacts(dbs, row);
    if (facts !== null) found.push(facts);
  }
  return found;
}
