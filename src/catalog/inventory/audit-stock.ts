// Lookup: differences between stock levels and the ledger. Rows are read in pages, since a shop may have
// more movements than fit in memory.

import type { Difference } from "#kernel/difference.ts";
import type { Reader } from "#platform/database/database.ts";

import { walkLevels } from "./lookups.ts";
import { type Movement, movementRowsAfter } from "./queries.ts";

const PAGE_ROWS = 1000;

type LedgerRow = Pick<
  Movement,
  "id" | "variantId" | "deltaOnHand" | "deltaReserved" | "balanceOnHand" | "balanceReserved"
>;

interface Balance {
  readonly onHand: number;
  readonly reserved: number;
}

const noStock: Balance = { onHand: 0, reserved: 0 };

/**
 * Yields every level that is not the sum of its movements, every ledger with a gap between two balances,
 * and every ledger without a level. `db` must be a reader of one snapshot.
 */
export async function* auditStock(db: Reader): AsyncGenerator<Difference> {
  const accounts = walkAccounts(db);
  let account = await nextOf(accounts);
  for await (const level of walkLevels(db)) {
    while (account !== null && account.variantId < level.variantId) {
      yield withoutLevel(account);
      account = await nextOf(accounts);
    }
    const hasMovements = account?.variantId === level.variantId;
    yield* compare(
      level,
      account !== null && hasMovements ? account : new Account(level.variantId),
    );
    if (hasMovements) account = await nextOf(accounts);
  }
  for (; account !== null; account = await nextOf(accounts)) yield withoutLevel(account);
}

/** The sums of the movements of one variant, added one by one. */
class Account {
  readonly variantId: string;
  onHand = 0;
  reserved = 0;
  #last: Balance = noStock;
  /** Balances where a movement does not continue the previous one: +1 for its end, -1 for the start. */
  readonly #gaps = new Map<string, number>();

  constructor(variantId: string) {
    this.variantId = variantId;
  }

  add(row: LedgerRow): void {
    this.#continueFrom({
      onHand: row.balanceOnHand - row.deltaOnHand,
      reserved: row.balanceReserved - row.deltaReserved,
    });
    this.onHand += row.deltaOnHand;
    this.reserved += row.deltaReserved;
    this.#last = { onHand: row.balanceOnHand, reserved: row.balanceReserved };
  }

  /**
   * Returns the first gap between balances, or null. After a clock was set back, rows are read in another
   * order than they were written; their ends and starts are still the same and cancel out.
   */
  gap(): { readonly expected: string; readonly found: string } | null {
    this.#continueFrom(this);
    const open = [...this.#gaps].filter(([, count]) => count !== 0);
    const expected = open.find(([, count]) => count > 0)?.[0];
    const found = open.find(([, count]) => count < 0)?.[0];
    return expected === undefined || found === undefined ? null : { expected, found };
  }

  #continueFrom(start: Balance): void {
    const end = this.#last;
    if (start.onHand === end.onHand && start.reserved === end.reserved) return;
    this.#count(end, 1);
    this.#count(start, -1);
  }

  #count({ onHand, reserved }: Balance, by: number): void {
    const balance = `${onHand} on hand, ${reserved} reserved`;
    this.#gaps.set(balance, (this.#gaps.get(balance) ?? 0) + by);
  }
}

function* compare(level: Balance, account: Account): Generator<Difference> {
  const subject = account.variantId;
  for (const [what, name] of [
    ["on_hand", "onHand"],
    ["reserved", "reserved"],
  ] as const) {
    if (level[name] === account[name]) continue;
    yield { subject, what, expected: account[name], found: level[name] };
  }
  const gap = account.gap();
  if (gap !== null) yield { subject, what: "balance before a movement", ...gap };
}

function withoutLevel({ variantId }: Account): Difference {
  return { subject: variantId, what: "stock level", expected: "one", found: "none" };
}

/** Yields an account for each variant that has movements, in the order of variants. */
async function* walkAccounts(db: Reader): AsyncGenerator<Account> {
  let account: Account | null = null;
  let after = { variantId: "", id: "" };
  for (;;) {
    const rows: LedgerRow[] = await movementRowsAfter(db, { ...after, rows: PAGE_ROWS });
    for (const row of rows) {
      if (account?.variantId !== row.variantId) {
        if (account !== null) yield account;
        account = new Account(row.variantId);
      }
      account.add(row);
      after = row;
    }
    if (rows.length === 0) break;
  }
  if (account !== null) yield account;
}

async function nextOf(accounts: AsyncGenerator<Account>): Promise<Account | null> {
  const step = await accounts.next();
  return step.done === true ? null : step.value;
}
