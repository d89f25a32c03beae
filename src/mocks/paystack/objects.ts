// The vendor's objects as its API writes them: ids beyond what a double keeps, empty texts for nothing, and words for
// a transaction whose money goes back. The shapes are those of the samples in Paystack's documentation.

import type { Account, Dispute, Refund, Transaction } from "./account.ts";

/** The whole transaction. */
export function transactionOf(account: Account, transaction: Transaction): object {
  const { reference, requested, currency, state, page, metadata } = transaction;
  const isPaid = state.kind === "success";
  const ofKind =
    page === null
      ? { channel: "mobile_money", metadata: metadata ?? "", log: null }
      : { channel: "card", metadata: "", log: logOf(transaction) };
  const paidAt = isPaid ? new Date(state.at).toISOString() : null;
  const createdAt = new Date(transaction.createdAt).toISOString();
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
    paid_at: paidAt,
    paidAt,
    created_at: createdAt,
    createdAt,
    transaction_date: createdAt,
    currency,
    ip_address: "196.61.1.1",
    fees: isPaid ? state.fee : null,
    fees_split: null,
    authorization: isPaid ? authorizationOf(transaction) : {},
    customer: customerOf(transaction),
    plan: null,
    plan_object: {},
    subaccount: {},
    split: {},
    order_id: null,
    requested_amount: requested,
    pos_transaction_data: null,
    fees_breakdown: null,
    source: null,
    connect: null,
  };
}

function customerOf({ email }: Transaction): object {
  const named = { first_name: null, last_name: null, phone: "", international_format_phone: null };
  const known = { id: 312_203, customer_code: "CUS_h00t", metadata: null, risk_action: "default" };
  return { ...known, ...named, email };
}

/** The acts of the payer on the page. */
function logOf({ createdAt, tries, state }: Transaction): object {
  return {
    start_time: Math.floor(createdAt / 1000),
    time_spent: 9,
    attempts: tries,
    errors: 0,
    success: state.kind === "success",
    mobile: true,
    input: [],
    history: [{ type: "action", message: "Attempted to pay with card", time: 7 }],
  };
}

/** The name of the network of a phone. */
function receiptOf({ id, page, state }: Transaction): string {
  return state.kind === "success" && page === null ? `1${id.slice(-9)}` : "";
}

export function domainOf(account: Account): string {
  return account.isLive ? "live" : "test";
}

function statusOf(account: Account, transaction: Transaction): string {
  const { state } = transaction;
  if (state.kind === "success") {
    const isLost = account.disputes.some(
      (one) => one.transaction === transaction && one.resolution?.endsWith("accepted") === true,
    );
    if (transaction.isReversed || isLost) return "reversed";
    const refunds = account.refundsOf(transaction).map(({ status }) => status);
    const isPart = account.books.refundableMinor(transaction.id) > 0;
    if (isPart && !account.tellsParts) return "success";
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

/** The answer to a charge while the payer has something to do; the whole transaction once it is decided. */
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

/** A refund as it is listed, or as it is answered when it is made. */
export function refundOf(account: Account, refund: Refund, isListed: boolean): object {
  const { transaction, amount, merchantNote, status } = refund;
  const createdAt = new Date(refund.createdAt).toISOString();
  const ofKind = isListed
    ? { transaction: JSON.rawJSON(transaction.id), fully_deducted: 0 }
    : { transaction: refundedOf(account, transaction), fully_deducted: false };
  return {
    ...ofKind,
    id: JSON.rawJSON(refund.id),
    integration: 463_433,
    domain: domainOf(account),
    status,
    amount,
    currency: transaction.currency,
    channel: null,
    deducted_amount: 0,
    merchant_note: merchantNote ?? "Refund by a person in the dashboard",
    customer_note: `Refund for transaction ${transaction.reference}`,
    refunded_by: "shop@example.com",
    expected_at: new Date(refund.createdAt + 864_000_000).toISOString(),
    createdAt,
    updatedAt: createdAt,
    refunded_at: null,
    reversed_at: null,
  };
}

/** The transaction in the answer to its refund. */
function refundedOf(account: Account, transaction: Transaction): object {
  const { id, reference, amount, currency, page, state } = transaction;
  return {
    id: JSON.rawJSON(id),
    domain: domainOf(account),
    reference,
    amount,
    currency,
    paid_at: new Date(state.kind === "success" ? state.at : transaction.createdAt).toISOString(),
    channel: page === null ? "mobile_money" : "card",
    authorization: { exp_month: null, exp_year: null, account_name: null },
    customer: { international_format_phone: null },
    plan: {},
    subaccount: { currency: null },
    split: {},
    order_id: null,
    pos_transaction_data: null,
    source: null,
    fees_breakdown: null,
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

/** The content of a notice of a refund: no id, and its amount as text. */
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
