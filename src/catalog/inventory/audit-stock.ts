// Lookup: whether the ledger still explains every level. Rows are read in pages, since a shop has
// more movements than memory.

import type { Difference } from "#kernel/difference.ts";
import type { Reader } from "#platform/database/database.ts";

import { walkLevels } from "./lookups.ts";
import { type Movement, movementRowsAfter } from "./queries.ts";

const PAGE_ROWS = 1000;

type LedgerRow = Pick<
  Movement,
  "id" | "variantId" | "deltaOnHand" | "deltaReserved" | "balanceOnHand" | "balanceReserved"
>;

interface Stand {
  readonly onHand: number;
  readonly reserved: number;
}

const nothing: Stand = { onHand: 0, reserved: 0 };

/**
 * Every level that is not the sum of its movements, every ledger whose balances do not follow from
 * each other, and every ledger without a level. Give it a Reader of one instant.
 */
export async function* auditStock(db: Reader): AsyncGenerator<Difference> {
  const accounts = walkAccounts(db);
  let account = await nextOf(accounts);
  for await (const level of walkLevels(db)) {
    while (account !== null && account.variantId < level.variantId) {
      yield withoutLevel(account);
      account = await nextOf(accounts);
    }
    const isItsOwn = account?.variantId === level.variantId;
    yield* compare(level, account !== null && isItsOwn ? account : new Account(level.variantId));
    if (isItsOwn) account = await nextOf(accounts);
  }
  for (; account !== null; account = await nextOf(accounts)) yield withoutLevel(account);
}

/** What the movements of one variant add up to, taken in one by one. */
class Account {
  readonly variantId: string;
  onHand = 0;
  reserved = 0;
  #last: Stand = nothing;
  /** Where a movement did not start where the one before ended, +1 for the end, -1 for the start. */
  readonly #seams = new Map<string, number>();

  constructor(variantId: string) {
    this.variantId = variantId;
  }

  add(row: LedgerRow): void {
    this.#join({
      onHand: row.balanceOnHand - row.deltaOnHand,
      reserved: row.balanceReserved - row.deltaReserved,
    });
    this.onHand += row.deltaOnHand;
    this.reserved += row.deltaReserved;
    this.#last = { onHand: row.balanceOnHand, reserved: row.balanceReserved };
  }

  /**
   * Where the balances break off, null where they do not. A clock that was set back leaves rows in
   * another order than they were written: the same ends and starts are there, and cancel out.
   */
  breach(): { readonly expected: string; readonly found: string } | null {
    this.#join(this);
    const open = [...this.#seams].filter(([, count]) => count !== 0);
    const expected = open.find(([, count]) => count > 0)?.[0];
    const found = open.find(([, count]) => count < 0)?.[0];
    return expected === undefined || found === undefined ? null : { expected, found };
  }

  #join(start: Stand): void {
    const end = this.#last;
    if (start.onHand === end.onHand && start.reserved === end.reserved) return;
    this.#note(end, 1);
    this.#note(start, -1);
  }

  #note({ onHand, reserved }: Stand, count: number): void {
    const stand = `${onHand} on hand, ${reserved} reserved`;
    this.#seams.set(stand, (this.#seams.get(stand) ?? 0) + count);
  }
}

function* compare(level: Stand, account: Account): Generator<Difference> {
  const subject = account.variantId;
  for (const [what, name] of [
    ["on_hand", "onHand"],
    ["reserved", "reserved"],
  ] as const) {
    if (level[name] === account[name]) continue;
    yield { subject, what, expected: account[name], found: level[name] };
  }
  const breach = account.breach();
  if (breach !== null) yield { subject, what: "balance before a movement", ...breach };
}

function withoutLevel({ variantId }: Account): Difference {
  return { subject: variantId, what: "stock level", expected: "one", found: "none" };
}

/** One account per variant that has movements, in the order of variants. */
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
