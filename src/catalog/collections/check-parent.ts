// Lookup: whether a collection may stand below another one.

import type { Id } from "#kernel/id.ts";
import type { Faults } from "#kernel/refusal.ts";
import type { Reader } from "#platform/database/database.ts";

import { COLLECTIONS_MAX, LEVELS_MAX } from "./collection.ts";
import { collectionRows, listCollectionRows } from "./queries.ts";
import type { CollectionRow } from "./tables.ts";

/**
 * Adds a fault for a parent that does not exist, that is the collection itself or stands below it, and for one that
 * would make more levels than a menu has. The settings must be locked: two changes at a time could make a circle.
 */
export async function checkParent(
  db: Reader,
  { id, parentId }: Pick<CollectionRow, "id" | "parentId">,
  faults: Faults,
): Promise<void> {
  if (parentId === null) return;
  const above = await lineOf(db, parentId);
  if (above.length === 0) {
    faults.add("/parent_id", "unknown_collection", "There is no such collection.");
  } else if (above.includes(id)) {
    const detail = "A collection does not stand below itself.";
    faults.add("/parent_id", "collection_levels", detail);
  } else if (above.length + (await levelsOf(db, [id])) > LEVELS_MAX) {
    const detail = `Collections stand below one another in at most ${LEVELS_MAX} levels.`;
    faults.add("/parent_id", "collection_levels", detail);
  }
}

/** The collection and those above it. */
async function lineOf(db: Reader, id: Id<"collection">): Promise<Id<"collection">[]> {
  const line: Id<"collection">[] = [];
  for (let next: Id<"collection"> | null = id; next !== null && line.length <= LEVELS_MAX;) {
    const found: CollectionRow | undefined = await collectionRows.find(db, next);
    if (found === undefined) return line;
    line.push(found.id);
    next = found.parentId;
  }
  return line;
}

/** The levels of these collections with those below them. */
async function levelsOf(db: Reader, ids: readonly Id<"collection">[]): Promise<number> {
  const below: Id<"collection">[] = [];
  for (const parentId of ids) {
    const rows = await listCollectionRows(db, { parentId, rows: COLLECTIONS_MAX });
    below.push(...rows.map(({ id }) => id));
  }
  return below.length === 0 ? 1 : 1 + (await levelsOf(db, below));
}
