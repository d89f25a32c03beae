// Lookup: compares collections with the products that were picked for them, and with those above them. That members
// exist and have places of their own is held by keys.

import { COLLECTIONS_MAX, LEVELS_MAX, MEMBERS_MAX } from "#catalog/rows/collection.ts";
import type { CollectionRow } from "#catalog/rows/tables.ts";
import type { Difference } from "#kernel/difference.ts";
import type { Reader } from "#platform/database/database.ts";

import { listCollectionRows, memberCounts } from "./queries.ts";

/**
 * Yields collections below one that is not there or below too many, those with a rule that have picked products as
 * well, and those with more than a list sorts.
 */
export async function* auditCollections(db: Reader): AsyncGenerator<Difference> {
  const all = await listCollectionRows(db, { rows: COLLECTIONS_MAX });
  const byId = new Map(all.map((one) => [one.id, one]));
  const counts = new Map((await memberCounts(db, {})).map((one) => [one.collectionId, one.count]));
  for (const { id: subject, parentId, rule } of all) {
    if (parentId !== null && !byId.has(parentId)) {
      yield { subject, what: "parent", expected: "a collection", found: parentId };
    }
    const levels = levelsAbove(parentId, byId);
    if (levels >= LEVELS_MAX) {
      yield { subject, what: "levels above", expected: `below ${LEVELS_MAX}`, found: levels };
    }
    const found = counts.get(subject) ?? 0;
    const most = rule === null ? MEMBERS_MAX : 0;
    if (found > most)
      yield { subject, what: "picked products", expected: `at most ${most}`, found };
  }
}

/** Collections above, counted up to the first that is too much. */
function levelsAbove(
  parentId: CollectionRow["parentId"],
  byId: ReadonlyMap<string, CollectionRow>,
): number {
  let levels = 0;
  for (let next = parentId; next !== null && levels < LEVELS_MAX; levels += 1) {
    next = byId.get(next)?.parentId ?? null;
  }
  return levels;
}
