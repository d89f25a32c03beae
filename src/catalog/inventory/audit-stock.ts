// Lookup: differences between stock levels and the ledger. Rows are read in pages, since a shop may have
// more movements than fit in memory.

import type { Difference } from "#kernel/difference.ts";
import { nextTurn } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";

import { type LevelFigures, walkLevels } from "./lookups.ts";
import { type Movement, movementOwnersAfter, movementsFrom } from "./queries.ts";

const PAGE_ROWS = 1000;

type Balance = Pick<LevelFigures, "onHand" | "reserved">;

const noStock: Balance = { onHand: 0, reserved: 0 };

/**
 * Yields every level that is not the sum of its movements, every ledger with a gap between two balances or with
 * movements outside of its chain, and every ledger without a level. `db` must be a reader of one snapshot.
 */
export async function* auditStock(db: Reader): AsyncGenerator<Difference> {
  const movements = await countMovements(db);
  for await (const level of walkLevels(db)) {
    const count = movements.get(level.variantId) ?? 0;
    movements.delete(level.variantId);
    yield* auditChain(db, level, count);
  }
  for (const subject of [...movements.keys()].toSorted()) {
    yield { subject, what: "stock level", expected: "one", found: "none" };
  }
}

/** Counts the movements of each variant. */
async function countMovements(db: Reader): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  let after = "";
  for (;;) {
    await nextTurn();
    const rows = await movementOwnersAfter(db, { id: after, rows: PAGE_ROWS });
    for (const { id, variantId } of rows) {
      counts.set(variantId, (counts.get(variantId) ?? 0) + 1);
      after = id;
    }
    if (rows.length < PAGE_ROWS) return counts;
  }
}

/** Walks the ledger of a level from its newest movement to its first. */
async function* auditChain(
  db: Reader,
  level: LevelFigures,
  count: number,
): AsyncGenerator<Difference> {
  const chain = new Chain(level);
  let next = level.lastMovementId;
  // A chain that is longer than all movements of its variant is a circle, or goes on in another's.
  while (next !== null && chain.length <= count) {
    await nextTurn();
    const rows = await movementsFrom(db, next, PAGE_ROWS);
    for (const row of rows) chain.add(row);
    next = rows.at(-1)?.previousId ?? null;
  }
  yield* chain.differences(count);
}

/** The movements of one variant, added one by one from the newest back. */
class Chain {
  length = 0;
  readonly #level: LevelFigures;
  #onHand = 0;
  #reserved = 0;
  /** The beginning of the movement that was added last: the one before it ended there. */
  #start: Balance | null = null;
  /** Balances where a movement does not continue the previous one: +1 for its end, -1 for the start. */
  readonly #gaps = new Map<string, number>();

  constructor(level: LevelFigures) {
    this.#level = level;
  }

  add(row: Movement): void {
    this.length += 1;
    this.#onHand += row.deltaOnHand;
    this.#reserved += row.deltaReserved;
    this.#meet({ onHand: row.balanceOnHand, reserved: row.balanceReserved });
    this.#start = {
      onHand: row.balanceOnHand - row.deltaOnHand,
      reserved: row.balanceReserved - row.deltaReserved,
    };
  }

  *differences(count: number): Generator<Difference> {
    const subject = this.#level.variantId;
    if (this.length > 0) this.#meet(noStock);
    for (const [what, expected, found] of [
      ["on_hand", this.#onHand, this.#level.onHand],
      ["reserved", this.#reserved, this.#level.reserved],
      ["movements in the chain", count, this.length],
    ] as const) {
      if (expected !== found) yield { subject, what, expected, found };
    }
    const gap = this.#gap();
    if (gap !== null) yield { subject, what: "balance before a movement", ...gap };
  }

  /**
   * Returns a gap between balances, or null. The chains of older shops follow the ids, which a clock that was set back
   * put in another order than the movements were written; their ends and starts are still the same and cancel out.
   */
  #gap(): { readonly expected: string; readonly found: string } | null {
    const open = [...this.#gaps].filter(([, count]) => count !== 0);
    const expected = open.find(([, count]) => count > 0)?.[0];
    const found = open.find(([, count]) => count < 0)?.[0];
    return expected === undefined || found === undefined ? null : { expected, found };
  }

  #meet(end: Balance): void {
    const start = this.#start;
    if (start === null || (start.onHand === end.onHand && start.reserved === end.reserved)) return;
    this.#count(end, 1);
    this.#count(start, -1);
  }

  #count({ onHand, reserved }: Balance, by: number): void {
    const balance = `${onHand} on hand, ${reserved} reserved`;
    this.#gaps.set(balance, (this.#gaps.get(balance) ?? 0) + by);
  }
}
