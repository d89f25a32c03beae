// All SQL of the ledger: movements are written once, and read along the chain of their variant.

import { and, eq, getTableColumns, gt, type Placeholder, sql } from "drizzle-orm";

import type { InventoryLevel } from "#catalog/inventory/queries.ts";
import { inventoryMovements as movements } from "#catalog/inventory/tables.ts";
import type { Id } from "#kernel/id.ts";
import type { PageRequest } from "#kernel/page.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { prepared, preparedInsert, preparedWrite } from "#platform/database/prepared.ts";
import type { RowOf } from "#platform/database/record.ts";

export type Movement = RowOf<typeof movements>;

/** Walks a chain of movements from its start backwards: the ids, and the place of each. */
const walk = (start: Placeholder, rows: Placeholder) => sql`
  (WITH RECURSIVE walk (id, previous_id, place) AS (
    SELECT id, previous_id, 1 FROM ${movements} WHERE id = ${start}
    UNION ALL
    SELECT earlier.id, earlier.previous_id, walk.place + 1
    FROM walk JOIN ${movements} earlier ON earlier.id = walk.previous_id
    WHERE walk.place < ${rows}
  ) SELECT id, place FROM walk) AS walked`;

const movementsBack = prepared<{ start: string; rows: number }>()((db, at) =>
  db
    .select(getTableColumns(movements))
    .from(movements)
    .innerJoin(walk(at.start, at.rows), sql`${movements.id} = walked.id`)
    .orderBy(sql`walked.place`),
);

const movementBefore = prepared<{ variantId: string; id: string }>()((db, at) =>
  db
    .select({ id: movements.previousId })
    .from(movements)
    .where(and(eq(movements.id, at.id), eq(movements.variantId, at.variantId))),
);

/** The movements of all variants in the order of their ids, from after this one. */
export const movementOwnersAfter = prepared<{ id: string; rows: number }>()((db, at) =>
  db
    .select({ id: movements.id, variantId: movements.variantId })
    .from(movements)
    .where(gt(movements.id, at.id))
    .orderBy(movements.id)
    .limit(at.rows),
);

const removeMovement = preparedWrite<{ id: string }>()((tx, at) =>
  tx.delete(movements).where(eq(movements.id, at.id)).returning(),
);

export const insertMovement = preparedInsert(movements);

/** Returns movements of the level's variant, newest first: one row more than the page holds. */
export async function listMovementRows(
  db: Reader,
  { variantId, lastMovementId }: InventoryLevel,
  { after, limit }: PageRequest,
): Promise<Movement[]> {
  const start =
    after === null
      ? lastMovementId
      : ((await movementBefore(db, { variantId, id: after }))[0]?.id ?? null);
  return movementsFrom(db, start, limit + 1);
}

/** Returns this movement and those before it in its chain, `rows` at most. */
export async function movementsFrom(
  db: Reader,
  start: Id<"movement"> | null,
  rows: number,
): Promise<Movement[]> {
  return start === null ? [] : movementsBack(db, { start, rows });
}

/** Deletes this movement and those before it in its chain. */
export async function deleteMovements(tx: Tx, start: Id<"movement"> | null): Promise<void> {
  let id = start;
  while (id !== null) {
    const [movement] = await removeMovement(tx, { id });
    id = movement?.previousId ?? null;
  }
}
