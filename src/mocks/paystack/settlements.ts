// Settlements: what the vendor paid out to the bank, and the transactions that each has. Refunds and disputes that were
// taken from one are a single sum, as in the samples of Paystack's documentation.

import type { Asked, Reply } from "#mocks/vendor-server.ts";

import type { Account, Settlement } from "./account.ts";
import { PaystackRefusal } from "./errors.ts";
import { domainOf, transactionOf } from "./objects.ts";
import { done, pageOf } from "./reads.ts";

/**
 * Pays out what is available in the currency; null if that is nothing.
 *
 * @internal Exported for tests.
 */
export function payOut(account: Account, currency: string): Settlement | null {
  const id = account.newId();
  if (account.books.payOut(id, currency) === null) return null;
  const settlement: Settlement = { id, currency, createdAt: account.now(), status: "success" };
  account.settlements.push(settlement);
  return settlement;
}

/** Those since the day that is asked for, newest first. */
export function listSettlements(account: Account, { query }: Asked): Reply {
  const asked = new URLSearchParams(query);
  const from = Date.parse(asked.get("from") ?? "1970-01-01");
  const found = account.settlements.filter(({ createdAt }) => createdAt >= from).toReversed();
  const rows = pageOf(found, asked).map((one) => settlementOf(account, one));
  return done("Settlements retrieved", rows);
}

/** The transactions that are in the settlement. */
export function listSettled(account: Account, id: string, { query }: Asked): Reply {
  if (account.settlements.every((one) => one.id !== id)) {
    throw new PaystackRefusal(404, "Settlement not found");
  }
  const charges = new Set(entriesOf(account, id, "charge").map(({ subject }) => subject));
  const found = [...account.transactions.values()].filter((one) => charges.has(one.id));
  const rows = pageOf(found, new URLSearchParams(query)).map((one) => transactionOf(account, one));
  return done("Transactions retrieved", rows);
}

function settlementOf(account: Account, settlement: Settlement): object {
  const charges = entriesOf(account, settlement.id, "charge");
  const processed = charges.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const fees = charges.reduce((sum, { feeMinor }) => sum + feeMinor, 0);
  const paid = account.books.entryOf(settlement.id, "payout");
  const effective = -(paid?.amountMinor ?? 0);
  const deductions = processed - fees - effective;
  const at = new Date(settlement.createdAt).toISOString();
  return {
    id: JSON.rawJSON(settlement.id),
    domain: domainOf(account),
    status: settlement.status,
    currency: settlement.currency,
    integration: 463_433,
    total_amount: processed - fees,
    effective_amount: effective,
    total_fees: fees,
    total_processed: processed,
    deductions: deductions === 0 ? null : String(deductions),
    settlement_date: `${at.slice(0, 10)}T00:00:00.000Z`,
    settled_by: null,
    createdAt: at,
    updatedAt: at,
  };
}

function entriesOf(account: Account, settlement: string, kind: "charge") {
  return account.books.entries.filter(
    (entry) => entry.kind === kind && entry.payout === settlement,
  );
}
