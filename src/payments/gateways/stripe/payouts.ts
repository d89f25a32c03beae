// Payouts as Stripe reports them. Their lines are the entries of its books that an automatic payout has (docs, Payout
// reconciliation): of a manual one it cannot say which they are, so that it is a sum.

import { isCurrency } from "#kernel/currency.ts";
import { SECOND_MS } from "#kernel/time.ts";
import type { Fields } from "#payments/gateways/answers/fields.ts";
import type { FoundPayoutLines, ListedPayouts } from "#payments/port/gateway.ts";
import type {
  FoundPayoutLine,
  ListedPayout,
  PayoutLineKind,
  PayoutStatus,
} from "#payments/rows/payout-life.ts";

import type { CallLimits, StripeCalls } from "./calls.ts";
import { unclear } from "./find-object.ts";
import { toMinor } from "./money.ts";
import { namesOf } from "./notice.ts";
import { metadataOf } from "./outcomes.ts";

const PAYOUTS = "/v1/payouts";
/** An entry for each charge: a payout of a busy week has thousands. */
const PAGES_OF_LINES = 50;
/** A first list is of all years, in which there may be one each day. */
const PAGES_OF_PAYOUTS = 100;

const meanings: Readonly<Record<string, PayoutStatus>> = {
  pending: "pending",
  in_transit: "pending",
  paid: "paid",
  failed: "failed",
  canceled: "failed",
};

/** All payouts that arrive since then, epoch milliseconds. */
export async function listPayouts(
  calls: StripeCalls,
  sinceMs: number,
  limits: CallLimits,
): Promise<ListedPayouts> {
  const since = { arrival_date: { gte: Math.floor(sinceMs / SECOND_MS) } };
  const listed = await calls.list(PAYOUTS, since, { ...limits, pages: PAGES_OF_PAYOUTS });
  if (listed.kind !== "all") return unclear(listed);
  return { kind: "found", payouts: listed.rows.map(listedPayoutOf) };
}

/** All entries of the payout; incomplete while Stripe still puts it together. */
export async function findPayoutLines(
  calls: StripeCalls,
  payout: ListedPayout,
  limits: CallLimits,
): Promise<FoundPayoutLines> {
  const answer = await calls.get(`${PAYOUTS}/${payout.name}`, {}, limits);
  if (answer.kind !== "ok") return unclear(answer);
  if (!answer.object.flag("automatic")) return { kind: "found", lines: [sumOf(payout)] };
  if (answer.object.text("reconciliation_status") !== "completed") return { kind: "incomplete" };
  const asked = { payout: payout.name, expand: { 0: "data.source" } };
  const listed = await calls.list("/v1/balance_transactions", asked, {
    ...limits,
    pages: PAGES_OF_LINES,
  });
  if (listed.kind !== "all") return unclear(listed);
  // The payout itself is an entry, too.
  const entries = listed.rows.filter((entry) => entry.text("type") !== "payout");
  return { kind: "found", lines: entries.map(lineOf).toReversed() };
}

function listedPayoutOf(payout: Fields): ListedPayout {
  const status = meanings[payout.text("status")];
  if (status === undefined) throw payout.surprise("status");
  const arrivesAt = new Date(payout.whole("arrival_date") * SECOND_MS);
  return {
    name: payout.text("id"),
    status,
    currency: payout.text("currency").toUpperCase(),
    netMinor: signedMinorOf(payout, "amount"),
    arrivesOn: arrivesAt.toISOString().slice(0, 10),
  };
}

function sumOf({ netMinor }: ListedPayout): FoundPayoutLine {
  const nothing = { gatewayReference: null, names: [], feeMinor: 0 };
  return { ...nothing, kind: "adjustment", grossMinor: netMinor, isSum: true };
}

/** Fees that are entries of their own. */
const feeTypes: ReadonlySet<string> = new Set(["stripe_fee", "tax_fee", "stripe_fx_fee"]);

/** The kinds of entries by their source (docs, Balance transaction types). */
const kinds: Readonly<Record<string, PayoutLineKind>> = {
  charge: "charge",
  refund: "refund",
  dispute: "dispute",
};

function lineOf(entry: Fields): FoundPayoutLine {
  const amountMinor = signedMinorOf(entry, "amount");
  const feeMinor = signedMinorOf(entry, "fee");
  const unnamed = { gatewayReference: null, names: [] };
  if (feeTypes.has(entry.text("type"))) {
    return { ...unnamed, kind: "adjustment", grossMinor: 0, feeMinor: feeMinor - amountMinor };
  }
  const amounts = { grossMinor: amountMinor, feeMinor };
  const source = entry.fieldsOrNull("source");
  const kind = source === null ? undefined : kinds[source.text("object")];
  if (source === null || kind === undefined) return { ...unnamed, ...amounts, kind: "adjustment" };
  return {
    ...amounts,
    kind,
    gatewayReference: metadataOf(source, "duka_reference"),
    names: namesOf(source),
    ...originalOf(source, entry),
  };
}

/** A charge that is paid out in another currency is told in both. */
function originalOf(source: Fields, entry: Fields): Pick<FoundPayoutLine, "original"> {
  const currency = source.text("currency").toUpperCase();
  if (currency === entry.text("currency").toUpperCase()) return {};
  return { original: { amountMinor: signedMinorOf(source, "amount"), currency } };
}

/** An amount in the currency of its object, which may be below zero. */
function signedMinorOf(object: Fields, name: string): number {
  const currency = object.text("currency").toUpperCase();
  if (!isCurrency(currency)) throw object.surprise("currency");
  const amountMinor = toMinor(object.signed(name), currency);
  if (amountMinor === null) throw object.surprise(name);
  return amountMinor;
}
