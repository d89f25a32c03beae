// Objects of Stripe's API that tell of money: charges, refunds, disputes, balance transactions, payouts. Each has the
// shape of the official type.

import type Stripe from "stripe";

import type { Entry, EntryKind } from "#mocks/books.ts";

import type { Account, ChargeRow, DisputeRow, PayoutRow, RefundRow } from "./account.ts";

export const seconds = (atMs: number): number => Math.floor(atMs / 1000);

const noAddress = {
  city: null,
  country: null,
  line1: null,
  line2: null,
  postal_code: null,
  state: null,
};

const card = {
  amount_authorized: null,
  authorization_code: null,
  brand: "visa",
  checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: "pass" },
  country: "US",
  electronic_commerce_indicator: null,
  exp_month: 8,
  exp_year: 2030,
  funding: "credit",
  installments: null,
  last4: "4242",
  mandate: null,
  network: "visa",
  network_transaction_id: null,
  regulated_status: null,
  three_d_secure: null,
  transaction_link_id: null,
  wallet: null,
} satisfies Stripe.Charge.PaymentMethodDetails.Card;

export function chargeObject(account: Account, row: ChargeRow) {
  const { books } = account;
  const { id, decline } = row;
  const isPaid = decline === null;
  const refunded = isPaid ? books.refundedMinor(id) : 0;
  return {
    id,
    object: "charge",
    amount: row.amountMinor,
    amount_captured: isPaid ? row.amountMinor : 0,
    amount_refunded: refunded,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: transactionId(account, id, "charge"),
    billing_details: { address: noAddress, email: null, name: null, phone: null, tax_id: null },
    calculated_statement_descriptor: null,
    captured: isPaid,
    created: seconds(row.createdAt),
    currency: row.currency,
    customer: null,
    description: account.intents.get(row.intent).description,
    disputed: account.disputesOf(id).length > 0,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: account.isLive,
    metadata: account.intents.get(row.intent).metadata,
    on_behalf_of: null,
    outcome: outcomeOf(row),
    paid: isPaid,
    payment_intent: row.intent,
    payment_method: row.method,
    payment_method_details: { card, type: "card" },
    receipt_email: null,
    receipt_number: null,
    receipt_url: null,
    refunded: isPaid && refunded === row.amountMinor,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: isPaid ? "succeeded" : "failed",
    transfer_data: null,
    transfer_group: null,
  } satisfies Stripe.Charge;
}

function outcomeOf({ decline }: ChargeRow) {
  return {
    advice_code: null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: decline === null ? "approved_by_network" : "declined_by_network",
    reason: decline?.declineCode ?? null,
    risk_level: "normal",
    seller_message: decline?.message ?? "Payment complete.",
    type: decline === null ? "authorized" : "issuer_declined",
  } satisfies Stripe.Charge.Outcome;
}

export function refundObject(account: Account, row: RefundRow) {
  const returned = transactionId(account, row.id, "refund_returned");
  return {
    id: row.id,
    object: "refund",
    amount: row.amountMinor,
    balance_transaction: transactionId(account, row.id, "refund"),
    charge: row.charge,
    created: seconds(row.createdAt),
    currency: account.charges.get(row.charge).currency,
    customer: null,
    customer_account: null,
    destination_details: { card: { type: "refund" }, type: "card" },
    ...(returned === null ? {} : { failure_balance_transaction: returned }),
    ...(row.failureReason === null ? {} : { failure_reason: row.failureReason }),
    metadata: row.metadata,
    payment_intent: account.charges.get(row.charge).intent,
    payment_method: account.charges.get(row.charge).method,
    ...(row.pendingReason === null ? {} : { pending_reason: row.pendingReason }),
    reason: row.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: row.status,
    transfer_reversal: null,
  } satisfies Stripe.Refund;
}

const noEvidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
} satisfies Stripe.Dispute.Evidence;

const EVIDENCE_MS = 7 * 86_400_000;

export function disputeObject(account: Account, row: DisputeRow) {
  const isWarning = row.status.startsWith("warning");
  const moved = account.books.entries.filter(({ subject }) => subject === row.id);
  return {
    id: row.id,
    object: "dispute",
    amount: row.amountMinor,
    balance_transactions: moved.map((entry) => transactionObject(entry)),
    charge: row.charge,
    created: seconds(row.createdAt),
    currency: account.charges.get(row.charge).currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence,
    evidence_details: {
      due_by: seconds(row.createdAt + EVIDENCE_MS),
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: "not_submitted",
    },
    intended_submission_method: null,
    is_charge_refundable: isWarning,
    livemode: account.isLive,
    metadata: {},
    payment_intent: account.charges.get(row.charge).intent,
    payment_method_details: {
      card: {
        brand: "visa",
        case_type: isWarning ? "inquiry" : "chargeback",
        network: "visa",
        network_reason_code: "10.4",
      },
      type: "card",
    },
    reason: row.reason,
    status: row.status,
  } satisfies Stripe.Dispute;
}

const transactionTypes = {
  charge: "charge",
  refund: "refund",
  refund_returned: "refund_failure",
  dispute: "adjustment",
  dispute_returned: "adjustment",
  payout: "payout",
} as const satisfies Record<EntryKind, Stripe.BalanceTransaction.Type>;

const reportingCategories: Readonly<Record<EntryKind, string>> = {
  charge: "charge",
  refund: "refund",
  refund_returned: "refund_failure",
  dispute: "dispute",
  dispute_returned: "dispute_reversal",
  payout: "payout",
};

export function transactionObject(entry: Entry, now: number = entry.at) {
  const { kind, amountMinor, feeMinor, currency } = entry;
  const fee = {
    amount: feeMinor,
    application: null,
    currency,
    description: "Stripe processing fees",
    type: "stripe_fee",
  };
  return {
    id: `txn_${entry.id}`,
    object: "balance_transaction",
    amount: amountMinor,
    available_on: seconds(entry.availableAt),
    balance_type: "payments",
    created: seconds(entry.at),
    currency,
    description: null,
    exchange_rate: null,
    fee: feeMinor,
    fee_details: feeMinor === 0 ? [] : [fee],
    net: amountMinor - feeMinor,
    reporting_category: reportingCategories[kind],
    source: entry.subject,
    status: entry.availableAt <= now ? "available" : "pending",
    type: transactionTypes[kind],
  } satisfies Stripe.BalanceTransaction;
}

export function payoutObject(account: Account, row: PayoutRow) {
  return {
    id: row.id,
    object: "payout",
    amount: row.amountMinor,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: seconds(row.arrivesAt),
    automatic: true,
    balance_transaction: transactionId(account, row.id, "payout"),
    created: seconds(row.createdAt),
    currency: row.currency,
    description: "STRIPE PAYOUT",
    destination: "ba_3Fa03Fa03Fa03Fa03Fa03Fa0",
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: account.isLive,
    metadata: {},
    method: "standard",
    original_payout: null,
    payout_method: null,
    reconciliation_status: row.status === "in_transit" ? "in_progress" : "completed",
    reversed_by: null,
    source_type: "card",
    statement_descriptor: null,
    status: row.status,
    trace_id: null,
    type: "bank_account",
  } satisfies Stripe.Payout;
}

function transactionId(account: Account, subject: string, kind: EntryKind): string | null {
  const entry = account.books.entryOf(subject, kind);
  return entry === undefined ? null : `txn_${entry.id}`;
}
