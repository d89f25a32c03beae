// The vendor's objects as its API writes them: ids beyond what a double keeps, empty texts for nothing, and words for
// a transaction whose money goes back. The shapes are those of the samples in Paystack's documentation.

import type { Account, Dispute, Refund, Transaction } from "./account.ts";

/** The whole transaction. */
export function transactionOf(account: Account, transaction: Transaction): object {
  const { reference, requested, currency, state, page, metadata } = transaction;
  const isPaid = state.kind === "success";
  const ofKind =
    page === null
      ? { channel: "mobile_money", metadata, log: null }
      : { channel: "card", metadata: "", log: { attempts: transaction.tries, success: isPaid } };
  return {
    ...ofKind,
    id: JSON.rawJSON(transaction.id),
    domain: domainOf(account),
    status: statusOf(account, transaction),
    reference,
    receipt_number: receiptOf(transaction),
    amount: isPaid ? transaction.amount : requested,
    message: state.kind === "failed" ? state.message : null,
    gateway_response: gatewayResponse(transaction),
    paid_at: isPaid ? new Date(state.at).toISOString() : null,
    created_at: new Date(transaction.createdAt).toISOString(),
    currency,
    ip_address: "196.61.1.1",
    fees: isPaid ? state.fee : null,
    fees_split: null,
    authorization: isPaid ? authorizationOf(transaction) : {},
    customer: { id: 312_203, email: transaction.email, customer_code: "CUS_h00t", phone: "" },
    plan: null,
    split: {},
    order_id: null,
    requested_amount: requested,
    source: null,
    connect: null,
  };
}

/** What the network of a phone calls it. */
function receiptOf({ id, page, state }: Transaction): string {
  return state.kind === "success" && page === null ? `1${id.slice(-9)}` : "";
}

function domainOf(account: Account): string {
  return account.isLive ? "live" : "test";
}

function statusOf(account: Account, transaction: Transaction): string {
  const { state } = transaction;
  if (state.kind === "success") {
    const refunds = account.refundsOf(transaction).map(({ status }) => status);
    if (refunds.includes("processed")) return "reversed";
    return refunds.some((one) => one !== "failed") ? "reversal pending" : "success";
  }
  if (state.kind === "failed" || state.kind === "abandoned") return state.kind;
  return "ongoing";
}

function gatewayResponse({ state }: Transaction): string {
  if (state.kind === "success") return "Approved";
  if (state.kind === "failed") return state.message;
  return "The transaction was not completed";
}

function authorizationOf({ page, provider }: Transaction): object {
  return page === null
    ? { bin: "055XXX", last4: "X987", brand: provider ?? "", country_code: "GH", reusable: false }
    : { bin: "408408", last4: "4081", brand: "visa", country_code: "GH", reusable: true };
}

/** What a charge answers while the payer has something to do; the whole transaction once it is decided. */
export function chargeOf(account: Account, transaction: Transaction): object {
  const { reference, state } = transaction;
  switch (state.kind) {
    case "send_otp":
      return { reference, status: "send_otp", display_text: "Enter the code of your network" };
    case "pay_offline":
      return { reference, status: "pay_offline", display_text: "Approve on your phone" };
    case "pending":
      return { reference, status: "pending" };
    case "failed":
      return { reference, status: "failed", message: state.message };
    default:
      return transactionOf(account, transaction);
  }
}

export function refundOf(account: Account, refund: Refund, isListed: boolean): object {
  const { transaction, amount, merchantNote, status } = refund;
  const id = JSON.rawJSON(transaction.id);
  return {
    id: JSON.rawJSON(refund.id),
    integration: 463_433,
    transaction: isListed ? id : { id, reference: transaction.reference },
    domain: domainOf(account),
    status,
    amount,
    currency: transaction.currency,
    deducted_amount: 0,
    fully_deducted: false,
    merchant_note: merchantNote ?? "Refund by a person in the dashboard",
    customer_note: null,
    expected_at: new Date(refund.createdAt + 864_000_000).toISOString(),
    createdAt: new Date(refund.createdAt).toISOString(),
    refunded_at: null,
    reversed_at: null,
  };
}

export function disputeOf(account: Account, dispute: Dispute): object {
  const { id, transaction, amount, status, resolution, createdAt } = dispute;
  return {
    id: JSON.rawJSON(id),
    refund_amount: amount,
    currency: transaction.currency,
    status,
    resolution,
    domain: domainOf(account),
    transaction: transactionOf(account, transaction),
    category: "general",
    dueAt: new Date(createdAt + 86_400_000).toISOString(),
    resolvedAt: null,
    createdAt: new Date(createdAt).toISOString(),
    history: [],
    messages: [],
  };
}

/** What a notice of a refund says: no id, and its amount as text. */
export function refundNoticeOf(account: Account, refund: Refund): object {
  const { transaction, amount, status } = refund;
  return {
    status,
    transaction_reference: transaction.reference,
    refund_reference: null,
    amount: String(amount),
    currency: transaction.currency,
    processor: "mobile_money",
    customer: { first_name: "", last_name: "", email: transaction.email },
    integration: 463_433,
    domain: domainOf(account),
  };
}
