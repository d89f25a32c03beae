// The acts of the merchant and the banks at the vendor, behind the shop's back: refunds, disputes, payouts.

import type { Account, Announce, ChargeRow, DisputeRow, PayoutRow, RefundRow } from "./account.ts";
import { checkStep } from "./amounts.ts";
import { invalid } from "./errors.ts";

const DAY_MS = 86_400_000;
/** So long a payout is on its way to the bank. */
const PAYOUT_DAYS = 2;
const DISPUTE_FEE_MINOR = 2000;

/** The terms of a refund. */
export interface RefundTerms {
  readonly amountMinor: number | null;
  readonly reason: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

const byMerchant: RefundTerms = { amountMinor: null, reason: null, metadata: {} };

export class Dashboard {
  readonly #account: Account;
  readonly #announce: Announce;

  constructor(account: Account, announce: Announce) {
    this.#account = account;
    this.#announce = announce;
  }

  /** Refunds what a paid intent took, or a part of it; the payer's card decides what becomes of the refund. */
  refund(intent: string, terms: Partial<RefundTerms> = {}): RefundRow {
    const { books } = this.#account;
    const { amountMinor: asked, reason, metadata } = { ...byMerchant, ...terms };
    const charge = this.#refundable(intent);
    const amountMinor = asked ?? books.refundableMinor(charge.id);
    this.#checkAmount(charge, amountMinor);
    const fate = charge.payer.refund;
    const id = this.#account.newId("re");
    books.openRefund({ id, charge: charge.id, amountMinor });
    if (fate === "succeeded") books.payRefund(id);
    if (fate === "failed") books.returnRefund(id);
    const made = this.#account.refunds.add({
      id,
      createdAt: this.#account.now(),
      charge: charge.id,
      amountMinor,
      metadata,
      reason,
      status: fate === "needs_attention" ? "pending" : fate,
      failureReason: fate === "failed" ? "declined" : null,
      pendingReason: fate === "needs_attention" ? "insufficient_funds" : null,
    });
    this.#announce("refund.created", id);
    if (fate === "succeeded") this.#announce("charge.refunded", charge.id);
    if (fate === "failed") this.#announce("refund.failed", id);
    return made;
  }

  /** The bank of the payer sends a refund back that has succeeded. */
  failRefund(id: string, reason = "lost_or_stolen_card"): void {
    const refund = this.#account.refunds.get(id);
    this.#account.books.returnRefund(id);
    refund.status = "failed";
    refund.failureReason = reason;
    this.#announce("refund.updated", id);
    this.#announce("refund.failed", id);
  }

  /** The merchant has brought money in, and a refund that waited for it is paid. */
  topUp(id: string): void {
    const refund = this.#account.refunds.get(id);
    this.#account.books.payRefund(id);
    refund.status = "succeeded";
    refund.pendingReason = null;
    this.#announce("refund.updated", id);
    this.#announce("charge.refunded", refund.charge);
  }

  /** The payer's bank takes money back, or only asks (`inquiry`). */
  dispute(intent: string, kind: "chargeback" | "inquiry" = "chargeback"): DisputeRow {
    const charge = this.#paid(intent);
    const { id: of, amountMinor } = charge;
    const id = this.#account.newId("dp");
    const { books } = this.#account;
    books.openDispute({ id, charge: of, amountMinor, feeMinor: DISPUTE_FEE_MINOR });
    const status = kind === "inquiry" ? "warning_needs_response" : "needs_response";
    const createdAt = this.#account.now();
    const terms = { id, createdAt, charge: of, amountMinor, reason: "fraudulent" };
    const dispute = this.#account.disputes.add({ ...terms, status });
    this.#announce("charge.dispute.created", id);
    if (kind === "chargeback") {
      books.withdrawDispute(id);
      this.#announce("charge.dispute.funds_withdrawn", id);
    }
    return dispute;
  }

  /** The bank decides a chargeback; an inquiry is closed. */
  closeDispute(id: string, outcome: "won" | "lost" | "warning_closed"): void {
    const dispute = this.#account.disputes.get(id);
    dispute.status = outcome;
    if (outcome === "won") {
      this.#account.books.returnDispute(id);
      this.#announce("charge.dispute.funds_reinstated", id);
    }
    this.#announce("charge.dispute.closed", id);
  }

  /** Pays out what is available in the currency; null if that is nothing. */
  payOut(currency: string): PayoutRow | null {
    const id = this.#account.newId("po");
    const entry = this.#account.books.payOut(id, currency);
    if (entry === null) return null;
    const payout = this.#account.payouts.add({
      id,
      createdAt: entry.at,
      amountMinor: -entry.amountMinor,
      currency,
      arrivesAt: entry.at + PAYOUT_DAYS * DAY_MS,
      status: "in_transit",
    });
    this.#announce("payout.created", id);
    return payout;
  }

  /** The payouts that have reached the bank by now. */
  settleDue(): void {
    const now = this.#account.now();
    for (const payout of this.#account.payouts.all()) {
      if (payout.status !== "in_transit" || payout.arrivesAt > now) continue;
      payout.status = "paid";
      this.#announce("payout.paid", payout.id);
      this.#announce("payout.reconciliation_completed", payout.id);
    }
  }

  /** The bank sends the payout back. */
  failPayout(id: string): void {
    this.#account.payouts.get(id).status = "failed";
    this.#announce("payout.failed", id);
  }

  #paid(intent: string): ChargeRow {
    const charge = this.#account.paidCharge(this.#account.intents.get(intent, "payment_intent"));
    if (charge !== null) return charge;
    throw invalid(`This PaymentIntent (${intent}) does not have a successful charge to refund.`);
  }

  #refundable(intent: string): ChargeRow {
    const charge = this.#paid(intent);
    const isDisputed = this.#account
      .disputesOf(charge.id)
      .some(({ status }) => status === "needs_response" || status === "lost");
    if (isDisputed) {
      const message = `Charge ${charge.id} has been charged back; cannot issue a refund.`;
      throw invalid(message, { code: "refund_disputed_payment" });
    }
    if (this.#account.books.refundableMinor(charge.id) > 0) return charge;
    const message = `Charge ${charge.id} has already been refunded.`;
    throw invalid(message, { code: "charge_already_refunded" });
  }

  #checkAmount(charge: ChargeRow, amountMinor: number): void {
    const param = "amount";
    if (amountMinor < 1) {
      throw invalid("Invalid positive integer", { code: "parameter_invalid_integer", param });
    }
    checkStep(amountMinor, charge.currency, param);
    const leftMinor = this.#account.books.refundableMinor(charge.id);
    if (amountMinor <= leftMinor) return;
    const message = `Refund amount (${amountMinor}) is greater than unrefunded amount on charge (${leftMinor})`;
    throw invalid(message, { param });
  }
}
