// An account at the vendor: its clock, its transactions and refunds, and its books. Money is in the vendor's units: a
// hundredth of the currency, of francs too.

import { monotonicMs } from "#kernel/time.ts";
import { Books } from "#mocks/books.ts";
import { type Payer, payerOfCard, payerOfPhone } from "#mocks/scripts.ts";
import { magicBook } from "#sandbox/simulated-gateway/magic.ts";

export type TransactionState =
  /** No one has paid on the page yet. */
  | { readonly kind: "abandoned" }
  | { readonly kind: "send_otp" | "pay_offline" | "pending" }
  | { readonly kind: "success"; readonly at: number; readonly fee: number | null }
  | { readonly kind: "failed"; readonly message: string };

export interface Transaction {
  /** Up to 64 bits, beyond what a double keeps. */
  readonly id: string;
  readonly reference: string;
  readonly email: string;
  readonly requested: number;
  readonly currency: string;
  readonly metadata: unknown;
  /** Null for a charge. */
  readonly page: { readonly accessCode: string; readonly callbackUrl: string } | null;
  readonly phone: string | null;
  readonly provider: string | null;
  readonly createdAt: number;
  /** The sum that was paid; more than was asked for where the payer bears the fees. */
  amount: number;
  /** True if the payer's bank or network took the money back by itself: no refund and no dispute tells of it. */
  isReversed: boolean;
  payer: Payer | null;
  state: TransactionState;
  /** Tries on the page, and wrong codes. */
  tries: number;
}

export interface Dispute {
  readonly id: string;
  readonly transaction: Transaction;
  readonly amount: number;
  readonly createdAt: number;
  status: "awaiting-merchant-feedback" | "resolved" | "archived";
  resolution: "merchant-accepted" | "auto-accepted" | "declined" | null;
}

/** A sum that was paid out to the bank. */
export interface Settlement {
  readonly id: string;
  readonly currency: string;
  readonly createdAt: number;
  status: "pending" | "processing" | "success" | "failed";
}

export type RefundStatus = "pending" | "processing" | "processed" | "failed" | "needs-attention";

export interface Refund {
  readonly id: string;
  readonly transaction: Transaction;
  readonly amount: number;
  readonly merchantNote: string | null;
  readonly createdAt: number;
  status: RefundStatus;
}

/** The events of which the vendor tells its endpoint. */
export type Topic =
  "charge.success" | `refund.${RefundStatus}` | "charge.dispute.create" | "charge.dispute.resolve";

export interface AccountTerms {
  readonly isLive: boolean;
  readonly startsAt: number;
  /** The time that a refund takes, milliseconds; 0 means that it is processed at once. */
  readonly refundMs: number;
}

/** The tries that a code has. */
const CODES_MAX = 3;
/** A transaction's fee in percent, of which the vendor tells nothing where it is null. */
const FEE_PERCENT = 2;

export class Account {
  readonly isLive: boolean;
  readonly books: Books;
  readonly transactions = new Map<string, Transaction>();
  readonly refunds: Refund[] = [];
  readonly disputes: Dispute[] = [];
  readonly settlements: Settlement[] = [];
  readonly announce: (topic: Topic, subject: Transaction | Refund | Dispute) => void;
  /** True if the payer pays the fees on top. */
  payerBearsFees = false;
  /** True if transactions tell their fee. */
  tellsFees = true;
  /** True if a transaction of which a part went back is told apart: no document of the vendor says. */
  tellsParts = true;
  /** True if the refunds that were asked for by its API are in its lists yet. */
  listsRefunds = true;
  readonly #refundMs: number;
  readonly #startedAt = monotonicMs();
  readonly #startsAt: number;
  #passedMs = 0;
  #ids = 9_007_199_254_740_993n;

  constructor({ isLive, startsAt, refundMs }: AccountTerms, announce: Account["announce"]) {
    this.isLive = isLive;
    this.#startsAt = startsAt;
    this.#refundMs = refundMs;
    this.announce = announce;
    this.books = new Books({ now: () => this.now(), waitMs: 86_400_000 });
  }

  now(): number {
    return Math.floor(this.#startsAt + this.#passedMs + monotonicMs() - this.#startedAt);
  }

  pass(ms: number): void {
    this.#passedMs += ms;
  }

  newId(): string {
    this.#ids += 2n;
    return String(this.#ids);
  }

  /** Phones answer, and refunds arrive. */
  settleDue(): void {
    for (const one of this.transactions.values()) this.#settle(one);
    for (const refund of this.refunds) this.#settleRefund(refund);
  }

  /** A charge of a phone, as far as its script says. */
  charge(transaction: Transaction, phone: string): void {
    this.transactions.set(transaction.reference, transaction);
    transaction.payer = payerOfPhone(phone, this.now());
    const { says } = magicBook.ofPhone(phone).answer;
    if (says === "otp") transaction.state = { kind: "send_otp" };
    else transaction.state = { kind: says === "approve_on_phone" ? "pay_offline" : "pending" };
    this.#settle(transaction);
  }

  /** The customer's code. The third wrong one fails. */
  submitOtp(transaction: Transaction, phone: string, otp: string): void {
    const { answer } = magicBook.ofPhone(phone);
    if (answer.says === "otp" && answer.otp === otp) return this.#succeed(transaction);
    transaction.tries += 1;
    if (transaction.tries < CODES_MAX) return;
    transaction.state = { kind: "failed", message: "Wrong PIN entered too many times" };
  }

  /** A payer whom no script plays approves or declines an open transaction. */
  decide(transaction: Transaction, answer: "approved" | "declined"): void {
    if (answer === "approved") return this.#succeed(transaction);
    transaction.state = { kind: "failed", message: messages["not_approved"] ?? "" };
  }

  /** The payer tries a card on the page. */
  payOnPage(transaction: Transaction, card: string): void {
    transaction.payer = payerOfCard(card, this.now());
    transaction.tries += 1;
    const state = transaction.payer?.stateAt(this.now());
    if (typeof state === "object" && state.state === "succeeded") this.#succeed(transaction);
    else transaction.state = { kind: "failed", message: messageOf(state) };
  }

  /** Money goes back: asked for by the shop, or by a person in the dashboard. */
  refund(transaction: Transaction, amount: number, merchantNote: string | null): Refund {
    const id = this.newId();
    this.books.openRefund({ id, charge: transaction.id, amountMinor: amount });
    const status = "pending";
    const refund = {
      id,
      transaction,
      amount,
      merchantNote,
      createdAt: this.now(),
      status,
    } as const;
    const opened: Refund = { ...refund };
    this.refunds.push(opened);
    this.announce("refund.pending", opened);
    this.#settleRefund(opened);
    return opened;
  }

  /** The payer's bank asks for the money back. */
  dispute(transaction: Transaction): Dispute {
    const { amount } = transaction;
    const dispute: Dispute = {
      id: this.newId(),
      transaction,
      amount,
      createdAt: this.now(),
      status: "awaiting-merchant-feedback",
      resolution: null,
    };
    const booked = { id: dispute.id, charge: transaction.id, amountMinor: amount, feeMinor: 0 };
    this.books.openDispute(booked);
    this.disputes.push(dispute);
    this.announce("charge.dispute.create", dispute);
    return dispute;
  }

  /** It is decided; money leaves unless the bank declined it. */
  resolve(dispute: Dispute, resolution: Exclude<Dispute["resolution"], null>): void {
    dispute.status = "resolved";
    dispute.resolution = resolution;
    if (resolution !== "declined") this.books.withdrawDispute(dispute.id);
    this.announce("charge.dispute.resolve", dispute);
  }

  refundsOf(transaction: Transaction): Refund[] {
    return this.refunds.filter((one) => one.transaction === transaction);
  }

  #settle(transaction: Transaction): void {
    const { payer, state } = transaction;
    const isOpen = state.kind === "pay_offline" || state.kind === "pending";
    const ending = isOpen ? payer?.stateAt(this.now()) : undefined;
    if (typeof ending !== "object") return;
    if (ending.state === "succeeded") this.#succeed(transaction);
    else transaction.state = { kind: "failed", message: messageOf(ending) };
  }

  #succeed(transaction: Transaction): void {
    const { id, requested, currency } = transaction;
    const paid = transaction.payer?.takes({ amountMinor: requested, currency: asCode(currency) });
    const fee = Math.ceil((requested * FEE_PERCENT) / 100);
    transaction.amount = (paid?.amountMinor ?? requested) + (this.payerBearsFees ? fee : 0);
    transaction.state = { kind: "success", at: this.now(), fee: this.tellsFees ? fee : null };
    const booked = { id, amountMinor: transaction.amount, currency, feeMinor: fee };
    this.books.charge(booked);
    this.announce("charge.success", transaction);
  }

  #settleRefund(refund: Refund): void {
    const isOpen = refund.status === "pending" || refund.status === "processing";
    if (!isOpen || this.now() < refund.createdAt + this.#refundMs) return;
    const ending = refund.transaction.payer?.refund ?? "succeeded";
    if (ending === "succeeded") this.books.payRefund(refund.id);
    if (ending === "failed") this.books.returnRefund(refund.id);
    const ended = { succeeded: "processed", failed: "failed", needs_attention: "needs-attention" };
    refund.status = asStatus(ended[ending]);
    this.announce(`refund.${refund.status}`, refund);
  }
}

const messages: Readonly<Record<string, string>> = {
  insufficient_funds: "Insufficient funds. Please top up your wallet.",
  not_approved: "Transaction was cancelled by the customer",
  timeout: "Transaction timed out",
  payer_not_found: "Customer is not registered for mobile money",
  declined: "Declined",
};

function messageOf(ending: unknown): string {
  const code = typeof ending === "object" && ending !== null ? Object(ending).failureCode : "";
  return messages[String(code)] ?? "Payment was not completed";
}

function asCode(currency: string): "GHS" | "KES" | "XOF" | "NGN" | "ZAR" | "USD" {
  const codes = ["GHS", "KES", "XOF", "NGN", "ZAR", "USD"] as const;
  const code = codes.find((one) => one === currency);
  if (code === undefined) throw new Error(`${currency} is no currency of the vendor.`);
  return code;
}

function asStatus(word: string): RefundStatus {
  if (word === "processed" || word === "failed" || word === "needs-attention") return word;
  throw new Error(`${word} is no end of a refund.`);
}
