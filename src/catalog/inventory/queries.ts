// The SQL of stock levels and of the ledger behind them. Each write of a level checks its guard in the same statement, or
// holds the level while it is decided on. Movements are written once, and read along the chain of their variant.

import { and, eq, getTableColumns, gt, inArray, or, type Placeholder, sql } from "drizzle-orm";

import { type Backorder, canReserve } from "#catalog/rows/inventory.ts";
import {
  inventoryLevels as levels,
  inventoryMovements as movements,
} from "#catalog/rows/tables.ts";
import { type Id, newId } from "#kernel/id.ts";
import type { PageRequest } from "#kernel/page.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { literal } from "#platform/database/dialect.ts";
import { heldRows } from "#platform/database/held-rows.ts";
import {
  prepared,
  preparedByFilters,
  preparedInsert,
  preparedLock,
  preparedWrite,
} from "#platform/database/prepared.ts";
import type { RowOf } from "#platform/database/record.ts";
import { remembered } from "#platform/database/remembered.ts";

export type InventoryLevel = RowOf<typeof levels>;

const levelByVariant = prepared<{ variantId: string }>()((db, at) =>
  db.select().from(levels).where(eq(levels.variantId, at.variantId)),
);

const levelToLock = preparedLock<{ variantId: string }>({ by: "variantId" })((db, at) =>
  db.select().from(levels).where(eq(levels.variantId, at.variantId)),
);

const levelsByVariants = preparedByFilters<{ variantId: readonly string[] }>({ by: "variantId" })(
  (db, given) =>
    db
      .select()
      .from(levels)
      .where(inArray(levels.variantId, given.each("variantId"))),
);

/** Links a movement that this statement's row is about to get: the row of the ledger is inserted after it. */
const linked = (movementId: Placeholder) => ({
  lastMovementId: sql`${movementId}`,
  previousMovementId: sql`${levels.lastMovementId}`,
});

const reserve = preparedWrite<{
  variantId: string;
  quantity: number;
  movementId: string;
  now: number;
}>({ by: "variantId", lockPlace: "stock" })((tx, at) =>
  tx
    .update(levels)
    .set({
      ...linked(at.movementId),
      reserved: sql`${levels.reserved} + ${at.quantity}`,
      updatedAt: sql`${at.now}`,
    })
    .where(
      and(
        eq(levels.variantId, at.variantId),
        or(
          sql`${levels.onHand} - ${levels.reserved} >= ${at.quantity}`,
          eq(levels.tracked, literal(false)),
          eq(levels.backorder, "allow"),
        ),
      ),
    )
    .returning(),
);

const held = heldRows<InventoryLevel>((tx, at) =>
  tx
    .update(levels)
    .set({
      lastMovementId: sql`${at.lastMovementId}`,
      previousMovementId: sql`${at.previousMovementId}`,
      reserved: sql`${at.reserved}`,
      updatedAt: sql`${at.updatedAt}`,
    })
    .where(and(eq(levels.variantId, at.variantId), eq(levels.onHand, at.onHand)))
    .returning({ variantId: levels.variantId }),
);

const move = preparedWrite<{
  variantId: string;
  deltaOnHand: number;
  deltaReserved: number;
  movementId: string;
  now: number;
}>()((tx, at) =>
  tx
    .update(levels)
    .set({
      ...linked(at.movementId),
      onHand: sql`${levels.onHand} + ${at.deltaOnHand}`,
      reserved: sql`${levels.reserved} + ${at.deltaReserved}`,
      version: sql`CASE WHEN ${levels.onHand} + ${at.deltaOnHand} = ${levels.onHand} THEN ${levels.version} ELSE ${levels.version} + 1 END`,
      updatedAt: sql`${at.now}`,
    })
    .where(
      and(
        eq(levels.variantId, at.variantId),
        sql`${levels.onHand} + ${at.deltaOnHand} >= 0`,
        sql`${levels.reserved} + ${at.deltaReserved} >= 0`,
      ),
    )
    .returning(),
);

const change = preparedWrite<{
  variantId: string;
  version: number;
  onHandBefore: number;
  onHand: number;
  lowStockThreshold: number;
  tracked: boolean;
  backorder: Backorder;
  movementId: Id<"movement"> | null;
  previousMovementId: Id<"movement"> | null;
  now: number;
}>()((tx, at) =>
  tx
    .update(levels)
    .set({
      lastMovementId: sql`${at.movementId}`,
      previousMovementId: sql`${at.previousMovementId}`,
      onHand: sql`${at.onHand}`,
      lowStockThreshold: sql`${at.lowStockThreshold}`,
      tracked: sql`${sql.param(at.tracked, levels.tracked)}`,
      backorder: sql`${at.backorder}`,
      version: sql`${levels.version} + 1`,
      updatedAt: sql`${at.now}`,
    })
    .where(
      and(
        eq(levels.variantId, at.variantId),
        eq(levels.version, at.version),
        eq(levels.onHand, at.onHandBefore),
      ),
    )
    .returning(),
);

/** Writes the SKU of a level, and whether its variant was deleted. */
export const relabelRow = preparedWrite<Pick<InventoryLevel, "variantId" | "sku" | "archivedAt">>()(
  (tx, at) =>
    tx
      .update(levels)
      .set({ sku: sql`${at.sku}`, archivedAt: sql`${at.archivedAt}` })
      .where(eq(levels.variantId, at.variantId)),
);

const removeLevel = preparedWrite<{ variantId: string }>()((tx, at) =>
  tx.delete(levels).where(eq(levels.variantId, at.variantId)).returning(),
);
export const insertLevel = preparedInsert(levels);

/** Returns the level of a variant. Does not lock it. */
export async function findLevel(
  db: Reader,
  variantId: string,
): Promise<InventoryLevel | undefined> {
  return (await levelByVariant(db, { variantId }))[0];
}

/** Locks the level of a variant until the transaction ends and returns it. */
export async function lockLevelRow(tx: Tx, variantId: string): Promise<InventoryLevel | undefined> {
  return held.find(tx, variantId) ?? (await levelToLock(tx, { variantId }))[0];
}

/** Returns the levels that exist among these variants, by their ids. */
export const findLevels = remembered([levels], async (db, variantIds) => {
  const found =
    variantIds.length === 0 ? [] : await levelsByVariants(db, { variantId: variantIds });
  return new Map(found.map((level) => [level.variantId, level]));
});

/** Reserves units if enough are available, or untracked, or on backorder. Else returns undefined. */
export async function reserveUnits(
  tx: Tx,
  variantId: string,
  quantity: number,
): Promise<InventoryLevel | undefined> {
  const movementId = newId("movement", tx.now);
  const level = held.find(tx, variantId);
  if (level === undefined) {
    const [first] = await reserve(tx, { variantId, quantity, movementId, now: tx.now });
    if (first !== undefined) held.know(tx, variantId, first);
    return first;
  }
  if (!canReserve(level, quantity)) return undefined;
  const after = {
    ...level,
    reserved: level.reserved + quantity,
    updatedAt: tx.now,
    lastMovementId: movementId,
    previousMovementId: level.lastMovementId,
  };
  held.hold(tx, variantId, after);
  return after;
}

/** Adds to both counts. Writes nothing and returns undefined if either would become negative. */
export async function moveUnits(
  tx: Tx,
  variantId: string,
  delta: { readonly deltaOnHand: number; readonly deltaReserved: number },
): Promise<InventoryLevel | undefined> {
  return (
    await move(tx, { variantId, ...delta, movementId: newId("movement", tx.now), now: tx.now })
  )[0];
}

/** Writes count and settings of a locked level. Returns undefined if it has another version or count. */
export async function changeLevel(
  tx: Tx,
  before: InventoryLevel,
  after: Pick<InventoryLevel, "onHand" | "lowStockThreshold" | "tracked" | "backorder">,
): Promise<InventoryLevel | undefined> {
  const { variantId, version, onHand: onHandBefore } = before;
  const { onHand, lowStockThreshold, tracked, backorder } = after;
  const counts = { onHandBefore, onHand };
  const settings = { lowStockThreshold, tracked, backorder };
  const chain =
    onHand === onHandBefore
      ? { movementId: before.lastMovementId, previousMovementId: before.previousMovementId }
      : { movementId: newId("movement", tx.now), previousMovementId: before.lastMovementId };
  const [changed] = await change(tx, {
    variantId,
    version,
    ...counts,
    ...settings,
    ...chain,
    now: tx.now,
  });
  return changed;
}

/** Deletes a level and returns it. */
export async function deleteLevel(tx: Tx, variantId: string): Promise<InventoryLevel | undefined> {
  return (await removeLevel(tx, { variantId }))[0];
}

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
