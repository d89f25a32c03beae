// Payouts as Paystack reports them: settlements and their transactions (docs, Settlements). What refunds and disputes
// take from one is a single sum.

import { type CurrencyCode, isCurrency } from "#kernel/currency.ts";
import type { Fields } from "#payments/gateways/answers/fields.ts";
import type { FoundPayoutLines, ListedPayouts } from "#payments/port/gateway.ts";
import type { FoundPayoutLine, ListedPayout, PayoutStatus } from "#payments/rows/payout-life.ts";
import type { Mode } from "#platform/database/shop.ts";

import { unclear } from "./answers.ts";
import type { CallLimits, PaystackCalls } from "./calls.ts";
import { toMinor } from "./countries.ts";

/** A transaction for each charge: a payout of a busy day has thousands. */
const PAGES_OF_LINES = 50;
/** A first list is of all years, in which there may be one each day. */
const PAGES_OF_PAYOUTS = 100;

const meanings: Readonly<Record<string, PayoutStatus>> = {
  pending: "pending",
  processing: "pending",
  success: "paid",
  failed: "failed",
};

/** All settlements of the account itself since then, epoch milliseconds. */
export async function listPayouts(
  calls: PaystackCalls,
  { sinceMs, mode }: { readonly sinceMs: number; readonly mode: Mode },
  limits: CallLimits,
): Promise<ListedPayouts> {
  const from = new Date(sinceMs).toISOString();
  const listed = await calls.list(`/settlement?subaccount=none&from=${from}`, {
    ...limits,
    pages: PAGES_OF_PAYOUTS,
  });
  if (listed.kind !== "all") return unclear(listed);
  const own = listed.rows.filter((settlement) => settlement.text("domain") === mode);
  return { kind: "found", payouts: own.map(listedPayoutOf) };
}

/** The transactions of the settlement, and what was taken from their sum. */
export async function findPayoutLines(
  calls: PaystackCalls,
  payout: ListedPayout,
  limits: CallLimits,
): Promise<FoundPayoutLines> {
  const path = `/settlement/${payout.name}/transactions?`;
  const listed = await calls.list(path, { ...limits, pages: PAGES_OF_LINES });
  if (listed.kind !== "all") return unclear(listed);
  const charges = listed.rows.map(lineOf);
  const grossMinor = charges.reduce((sum, line) => sum + line.grossMinor, 0);
  if (payout.chargedMinor !== undefined && grossMinor !== payout.chargedMinor) {
    return { kind: "incomplete" };
  }
  const toldMinor = charges.reduce((sum, line) => sum + line.feeMinor, 0);
  const feeMinor = payout.feeMinor ?? toldMinor;
  const rest = taken(grossMinor - feeMinor - payout.netMinor, feeMinor - toldMinor);
  const isNothing = rest.grossMinor === 0 && rest.feeMinor === 0;
  return { kind: "found", lines: isNothing ? charges : [...charges, rest] };
}

function listedPayoutOf(settlement: Fields): ListedPayout {
  const status = meanings[settlement.text("status")];
  if (status === undefined) throw settlement.surprise("status");
  const arrivesAt = Date.parse(settlement.text("settlement_date"));
  if (Number.isNaN(arrivesAt)) throw settlement.surprise("settlement_date");
  return {
    name: settlement.numberedId("id"),
    status,
    currency: currencyOf(settlement),
    netMinor: minorOf(settlement, "effective_amount"),
    arrivesOn: new Date(arrivesAt).toISOString().slice(0, 10),
    chargedMinor: minorOf(settlement, "total_processed"),
    feeMinor: minorOf(settlement, "total_fees"),
  };
}

function lineOf(transaction: Fields): FoundPayoutLine {
  return {
    kind: "charge",
    gatewayReference: transaction.text("reference"),
    names: [{ kind: "transaction", name: transaction.numberedId("id") }],
    grossMinor: minorOf(transaction, "amount"),
    feeMinor: transaction.isNull("fees") ? 0 : minorOf(transaction, "fees"),
  };
}

/** The sum that refunds and disputes took, and the fees that the charges do not tell of. */
function taken(takenMinor: number, feeMinor: number): FoundPayoutLine {
  const unnamed = { gatewayReference: null, names: [] };
  return { ...unnamed, kind: "adjustment", grossMinor: 0 - takenMinor, feeMinor, isSum: true };
}

/** An amount in the currency of its object, which may be below zero. */
function minorOf(object: Fields, name: string): number {
  const amountMinor = toMinor(object.signed(name), currencyOf(object));
  if (amountMinor === null) throw object.surprise(name);
  return amountMinor;
}

function currencyOf(object: Fields): CurrencyCode {
  const currency = object.text("currency");
  if (!isCurrency(currency)) throw object.surprise("currency");
  return currency;
}
