// Story: finds what a line of a payout is of, and says how both agree. A line that tells of something that the shop
// missed has its payment polled; a payout moves no money of an order.

import type { Id } from "#kernel/id.ts";
import { findPaymentAt } from "#payments/reconciliation/notices.ts";
import { findDisputesOfPayment } from "#payments/rows/dispute-queries.ts";
import type { Payment } from "#payments/rows/payment.ts";
import type { FoundPayoutLine, PayoutVerdict } from "#payments/rows/payout-life.ts";
import { claimForPayout } from "#payments/rows/payout-queries.ts";
import type { Payout, PayoutLine } from "#payments/rows/payout.ts";
import { findRefundsOfPayments } from "#payments/rows/refund-queries.ts";
import { planDisputePoll, planNoticedPoll } from "#payments/settling/plan-polls.ts";
import type { Tx } from "#platform/database/database.ts";

type Matched = Pick<PayoutLine, "paymentId" | "refundId" | "disputeId" | "verdict">;

const nothing: Matched = { paymentId: null, refundId: null, disputeId: null, verdict: "unknown" };

/** Afterwards the payment of a charge is in the payout, unless another one has it. */
export async function matchLine(
  tx: Tx,
  payout: Pick<Payout, "id" | "source" | "currency">,
  line: FoundPayoutLine,
): Promise<Matched> {
  if (line.kind === "adjustment") {
    // A fee is of nothing that was sold, and a sum of what was recorded one by one.
    const isKnown = line.isSum === true || line.grossMinor === 0;
    return { ...nothing, verdict: isKnown ? "matched" : "unknown" };
  }
  const payment = await findPaymentAt(tx, payout.source, line);
  if (payment === undefined) return nothing;
  const amounts = { line, currency: payout.currency };
  if (line.kind === "charge") return matchCharge(tx, payment, { ...amounts, payoutId: payout.id });
  return line.kind === "refund"
    ? matchRefund(tx, payment, amounts)
    : matchDispute(tx, payment, amounts);
}

interface Amounts {
  readonly line: FoundPayoutLine;
  readonly currency: string;
}

async function matchCharge(
  tx: Tx,
  payment: Payment,
  { payoutId, ...amounts }: Amounts & { readonly payoutId: Id<"payout"> },
): Promise<Matched> {
  const found = { ...nothing, paymentId: payment.id };
  if (!(await claimForPayout(tx, payment.id, payoutId))) {
    return { ...found, verdict: "paid_before" };
  }
  const { capturedMinor, currency } = payment;
  // The gateway has money of which the shop was not told.
  if (capturedMinor === 0) await planNoticedPoll(tx, payment);
  return { ...found, verdict: verdictOf(amounts, { amountMinor: capturedMinor, currency }) };
}

async function matchRefund(tx: Tx, payment: Payment, amounts: Amounts): Promise<Matched> {
  const names = namesOf(amounts.line);
  const refund = (await findRefundsOfPayments(tx, [payment.id])).find(
    ({ gatewayRefundId }) => gatewayRefundId !== null && names.has(gatewayRefundId),
  );
  const found = { ...nothing, paymentId: payment.id };
  if (refund === undefined) {
    await planNoticedPoll(tx, payment);
    return found;
  }
  const { id: refundId, amountMinor, currency } = refund;
  return { ...found, refundId, verdict: verdictOf(amounts, { amountMinor, currency }) };
}

async function matchDispute(tx: Tx, payment: Payment, amounts: Amounts): Promise<Matched> {
  const names = namesOf(amounts.line);
  const dispute = (await findDisputesOfPayment(tx, payment.id)).find(({ name }) => names.has(name));
  const found = { ...nothing, paymentId: payment.id };
  if (dispute === undefined) {
    await planDisputePoll(tx, payment.id);
    return found;
  }
  const { id: disputeId, amountMinor, currency } = dispute;
  return { ...found, disputeId, verdict: verdictOf(amounts, { amountMinor, currency }) };
}

function namesOf({ names }: FoundPayoutLine): ReadonlySet<string> {
  return new Set(names.map(({ name }) => name));
}

/** A payer who bears the fee pays it on top of what was asked for. */
function verdictOf(
  { line, currency }: Amounts,
  expected: { readonly amountMinor: number; readonly currency: string },
): PayoutVerdict {
  const told = line.original ?? { amountMinor: line.grossMinor, currency };
  const amountMinor = Math.abs(told.amountMinor);
  const isSame =
    told.currency === expected.currency &&
    (amountMinor === expected.amountMinor ||
      (line.original === undefined && amountMinor - line.feeMinor === expected.amountMinor));
  return isSame ? "matched" : "amount_differs";
}
