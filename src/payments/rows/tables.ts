// Payments, their refunds, disputes and payouts, and what is kept of gateways' calls: names, keys, notices. `duka check`
// adds up the amounts in these rows.

import { sql } from "drizzle-orm";

import type { CurrencyCode } from "#kernel/currency.ts";
import { defineKind } from "#kernel/id.ts";
import type { Metadata } from "#kernel/metadata.ts";
import type { PaymentMethod } from "#kernel/payment-method.ts";
import {
  bool,
  check,
  foreignKey,
  index,
  int,
  isTrue,
  json,
  money,
  primaryKey,
  text,
  time,
  uniqueIndex,
} from "#platform/database/kit.ts";
import { id, personal, plain, record, type RowOf, stamps } from "#platform/database/record.ts";
import { orders } from "#sales/rows/tables.ts";

import type { DisputedMoney, DisputeStatus } from "./dispute-life.ts";
import type {
  FailureCode,
  GatewayNameKind,
  GivenBy,
  Instrument,
  NextAction,
  PaymentStatus,
  Provider,
  RefundApproval,
  RefundAttention,
  RefundedLine,
  RefundedTax,
  RefundReason,
  RefundStatus,
} from "./payment-life.ts";
import type { PayoutLineKind, PayoutPlace, PayoutStatus, PayoutVerdict } from "./payout-life.ts";

declare module "#kernel/id.ts" {
  interface IdKinds {
    payment: "pay";
    refund: "ref";
    dispute: "dsp";
    payout: "po";
  }
}
defineKind("payment", "pay");
defineKind("refund", "ref");
defineKind("dispute", "dsp");
defineKind("payout", "po");

export const payments = record(
  "payments",
  {
    id: id("payment").primaryKey(),
    /** Chosen by the caller, else the payment's id. */
    reference: plain(text().notNull()),
    status: text().$type<PaymentStatus>().notNull(),
    /** Null for a payment link. */
    orderId: id("order"),
    customerId: id("customer"),
    method: text().$type<PaymentMethod>().notNull(),
    /** Null for a method that the merchant confirms. */
    gateway: plain(text()),
    gatewayReference: plain(text()),
    attemptNumber: int().notNull(),
    /** When the gateway may close the attempt, by the real clock; null for a method that the merchant confirms. */
    gatewayEndsAt: time(),
    amountMinor: money().notNull(),
    currency: text().$type<CurrencyCode>().notNull(),
    /** The amount that arrived, as the gateway reported it; null before then. */
    receivedMinor: money(),
    receivedCurrency: plain(text()),
    /** The gateway's fee, minor units of the currency that arrived; null where it does not tell. */
    feeMinor: money(),
    /** How it was paid, in the gateway's word. */
    channel: plain(text()),
    instrument: personal(json().$type<Instrument>()),
    /** When it was paid, by the gateway's clock. */
    paidAt: time(),
    /** The day in the shop's time zone on which a person received money by hand, such as 2026-01-31; null for the day it was recorded. */
    receivedOn: plain(text()),
    /** The name that a bank or a wallet gave to money by hand. */
    transactionReference: personal(text()),
    /** The reference in capitals, without blanks and dashes, by which money that was recorded before is found. */
    transactionKey: personal(text()),
    /** One transfer can pay several orders: the payments of its key are numbered from 0. */
    transactionCopy: int().notNull().default(0),
    /** The account of the shop that took money by hand. */
    accountId: id("receivingAccount"),
    /** Written by the person who recorded money by hand. */
    note: personal(text()),
    /** The payout that has its charge; null before one does. */
    payoutId: id("payout"),
    /** The part of it that went back, as the gateway reported last; the refunds of the shop may not know of all. */
    returnedMinor: money().notNull().default(0),
    /** The amount that counts as paid; excludes money in review and money in another currency. */
    capturedMinor: money().notNull(),
    /** The sum of all refunds that have not failed. */
    refundingMinor: money().notNull(),
    /** The sum of all refunds that succeeded. */
    refundedMinor: money().notNull(),
    phone: personal(text()),
    provider: text().$type<Provider>(),
    cardToken: personal(text()),
    email: personal(text()),
    returnUrl: personal(text()),
    /** A gateway may name the payer in its own words, and its page does. */
    nextAction: personal(json().$type<NextAction>()),
    /** How often the customer's code was wrong. */
    otpTries: int().notNull().default(0),
    failureCode: text().$type<FailureCode>(),
    gatewayCode: plain(text()),
    /**
     * When the gateway was asked under the current reference: written before the call, and cleared only if the call
     * provably never left.
     */
    askedAt: time(),
    /** True if the last call to the gateway got no usable answer. */
    isUnknown: bool().notNull(),
    /** Polls in a row at which the gateway did not know the attempt. */
    notFoundLooks: int().notNull(),
    /** When the gateway was last polled; an instant before its creation if it never was. */
    lookedAt: time().notNull(),
    /** When the gateway last sent a notice of it; null if it never did. */
    noticedAt: time(),
    metadata: personal(json().$type<Metadata>().notNull(), () => ({})),
    /** True if a publishable key initialized it, or was answered it, and so may read it by its id. */
    isPublic: bool().notNull().default(false),
    /** The lineage of the API key that asked; empty if none did. */
    lineage: plain(text().notNull().default("")),
    /** Finds the attempt again if its first request was never answered. */
    idempotencyKey: plain(text()),
    fingerprint: plain(text()),
    expiresAt: time(),
    succeededAt: time(),
    failedAt: time(),
    ...stamps(),
  },
  (row) => [
    uniqueIndex("payments_reference_unique").on(row.reference),
    /** One payment per key of a lineage, also if the program crashed before it answered. */
    uniqueIndex("payments_idempotency_key_unique")
      .on(row.idempotencyKey, row.lineage)
      .where(sql`idempotency_key IS NOT NULL`),
    uniqueIndex("payments_gateway_reference_unique")
      .on(row.gatewayReference)
      .where(sql`gateway_reference IS NOT NULL`),
    /** The key comes first: an index that began with the method would be taken for lists by method. */
    uniqueIndex("payments_transaction_unique")
      .on(row.transactionKey, row.method, row.transactionCopy)
      .where(sql`transaction_key IS NOT NULL`),
    index("payments_account_index")
      .on(row.accountId)
      .where(sql`account_id IS NOT NULL`),
    index("payments_order_index")
      .on(row.orderId, row.id)
      .where(sql`order_id IS NOT NULL`),
    index("payments_status_index").on(row.status, row.id),
    /** The prompts of a phone in the last hour are counted before each new one. */
    index("payments_phone_index")
      .on(row.phone, row.createdAt)
      .where(sql`phone IS NOT NULL`),
    index("payments_method_index").on(row.method, row.id),
    /** Money of gateways that no payout has yet, and the first that one has. */
    index("payments_unpaid_out_index")
      .on(row.gateway, row.succeededAt)
      .where(sql`payout_id IS NULL AND gateway IS NOT NULL AND succeeded_at IS NOT NULL`),
    index("payments_paid_out_index")
      .on(row.gateway, row.succeededAt)
      .where(sql`payout_id IS NOT NULL`),
    foreignKey({ columns: [row.orderId], foreignColumns: [orders.id] }),
    check("payments_amount_positive", sql`${row.amountMinor} > 0`),
    check("payments_refunded_within_refunding", sql`${row.refundedMinor} <= ${row.refundingMinor}`),
    check(
      "payments_refunding_within_received",
      sql`${row.refundingMinor} >= 0 AND (${row.refundingMinor} <= ${row.capturedMinor} OR ${row.refundingMinor} <= coalesce(${row.receivedMinor}, 0))`,
    ),
  ],
);

export const refunds = record(
  "refunds",
  {
    id: id("refund").primaryKey(),
    paymentId: id("payment").notNull(),
    orderId: id("order"),
    status: text().$type<RefundStatus>().notNull(),
    /** Why it needs attention, and of a closed refund that its gateway paid as well. */
    attention: text().$type<RefundAttention>(),
    amountMinor: money().notNull(),
    currency: text().$type<CurrencyCode>().notNull(),
    reason: text().$type<RefundReason>().notNull(),
    note: personal(text()),
    lines: plain(json().$type<readonly RefundedLine[]>().notNull()),
    /** The part of the amount that is for shipping, with its tax. */
    shippingMinor: money().notNull().default(0),
    /** The part of the amount that is for units and shipping of the sale which the request named. */
    namedMinor: money().notNull().default(0),
    /** The parts that are of the sale, and of the money kept beside it, fixed when the amount was set aside. */
    saleMinor: money().notNull().default(0),
    keptMinor: money().notNull().default(0),
    /** The part of each tax of the sale that goes back. */
    taxes: plain(
      json()
        .$type<readonly RefundedTax[]>()
        .notNull()
        .default(sql`'[]'`),
    ),
    /** The part of each tax of the kept money that goes back. */
    keptTaxes: plain(
      json()
        .$type<readonly RefundedTax[]>()
        .notNull()
        .default(sql`'[]'`),
    ),
    /** Opened by the shop for late money; a payment has at most one. */
    isAutomatic: bool().notNull(),
    /** Made at the gateway, which reported it; the shop did not ask for it. */
    isExternal: bool().notNull().default(false),
    gatewayRefundId: plain(text()),
    gatewayCode: plain(text()),
    /** When the gateway was last asked for the current try; cleared only if the call provably never left. */
    askedAt: time(),
    /** When a complete list of the gateway's first lacked the try; null once it was found, or asked for again. */
    missedAt: time(),
    isUnknown: bool().notNull(),
    /** The lineage of the API key that asked; empty if none did. */
    lineage: plain(text().notNull().default("")),
    idempotencyKey: plain(text()),
    fingerprint: plain(text()),
    /** The start of the last retry after a failure, unique per refund. */
    retriedAt: time(),
    /** The person, by id, or the lineage of API keys, against whose limit it counts; null if the shop opened it by itself. */
    actorId: plain(text()),
    /** The instant at which it was last approved, sent again after a failure, or closed: it counts anew from then on. */
    reopenedAt: time(),
    /** Null if it was never above the limit of who asked for it. */
    approval: text().$type<RefundApproval>(),
    succeededAt: time(),
    closedAt: time(),
    closeNote: personal(text()),
    /** How the money of a closed refund was given back. */
    givenBy: text().$type<GivenBy>(),
    ...stamps(),
  },
  (row) => [
    index("refunds_status_index").on(row.status, row.id),
    index("refunds_payment_index").on(row.paymentId, row.id),
    index("refunds_order_index")
      .on(row.orderId, row.id)
      .where(sql`order_id IS NOT NULL`),
    index("refunds_idempotency_key_index")
      .on(row.idempotencyKey)
      .where(sql`idempotency_key IS NOT NULL`),
    /** Refunds of one person are summed before each that has a limit. */
    index("refunds_actor_index")
      .on(row.actorId, row.createdAt)
      .where(sql`actor_id IS NOT NULL`),
    index("refunds_reopened_index")
      .on(row.actorId, row.reopenedAt)
      .where(sql`reopened_at IS NOT NULL`),
    /** Late money is refunded once. */
    uniqueIndex("refunds_automatic_unique").on(row.paymentId).where(isTrue("is_automatic")),
    foreignKey({ columns: [row.paymentId], foreignColumns: [payments.id] }),
    check("refunds_amount_positive", sql`${row.amountMinor} > 0`),
  ],
);

/** The gateways' names of a payment and of what belongs to it. Notices and people find the payment by them. */
export const gatewayNames = record(
  "gateway_names",
  {
    gateway: plain(text().notNull()),
    name: plain(text().notNull()),
    kind: text().$type<GatewayNameKind>().notNull(),
    paymentId: id("payment").notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.gateway, row.name] }),
    index("gateway_names_payment_index").on(row.paymentId),
    foreignKey({ columns: [row.paymentId], foreignColumns: [payments.id] }),
  ],
);

/** The bodies that were sent under the idempotency keys of gateways: none is sent with another body. */
export const gatewayKeys = record(
  "gateway_keys",
  {
    gateway: plain(text().notNull()),
    key: plain(text().notNull()),
    /** SHA-256 of the body, in hexadecimal. */
    bodyHash: plain(text().notNull()),
  },
  (row) => [primaryKey({ columns: [row.gateway, row.key] })],
);

/** Notices received; the primary key ignores copies. */
export const gatewayNotices = record(
  "gateway_notices",
  {
    gateway: plain(text().notNull()),
    dedupKey: plain(text().notNull()),
    topic: plain(text().notNull()),
    gatewayReference: plain(text()),
    /** True of a notice of another mode, or about an unknown payment. */
    isIgnored: bool().notNull(),
    createdAt: time().notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.gateway, row.dedupKey] }),
    index("gateway_notices_created_index").on(row.createdAt),
  ],
);

/** A row per dispute, as its gateway tells. */
export const disputes = record(
  "disputes",
  {
    id: id("dispute").primaryKey(),
    paymentId: id("payment").notNull(),
    orderId: id("order"),
    gateway: plain(text().notNull()),
    /** The gateway's name of it. */
    name: plain(text().notNull()),
    status: text().$type<DisputeStatus>().notNull(),
    amountMinor: money().notNull(),
    currency: text().$type<CurrencyCode>().notNull(),
    /** In the gateway's word, such as `fraudulent`. */
    reason: plain(text()),
    money: text().$type<DisputedMoney>().notNull(),
    /** Until when the merchant may answer; null where the gateway does not say. */
    dueAt: time(),
    ...stamps(),
  },
  (row) => [
    uniqueIndex("disputes_name_unique").on(row.gateway, row.name),
    index("disputes_payment_index").on(row.paymentId, row.id),
    index("disputes_status_index").on(row.status, row.id),
    foreignKey({ columns: [row.paymentId], foreignColumns: [payments.id] }),
  ],
);

/** A row per payout: money that left its source and reached the bank or the drawer. */
export const payouts = record(
  "payouts",
  {
    id: id("payout").primaryKey(),
    /** The id of a gateway. */
    source: plain(text().notNull()),
    /** The source's name of it. */
    name: plain(text().notNull()),
    status: text().$type<PayoutStatus>().notNull(),
    currency: text().$type<CurrencyCode>().notNull(),
    /** The sum of its lines before fees. */
    grossMinor: money().notNull(),
    feeMinor: money().notNull(),
    netMinor: money().notNull(),
    into: text().$type<PayoutPlace>().notNull(),
    /** A day, such as 2026-01-31. */
    arrivedOn: plain(text().notNull()),
    ...stamps(),
  },
  (row) => [
    uniqueIndex("payouts_name_unique").on(row.source, row.name),
    check("payouts_net", sql`${row.netMinor} = ${row.grossMinor} - ${row.feeMinor}`),
  ],
);

export const payoutLines = record(
  "payout_lines",
  {
    payoutId: id("payout").notNull(),
    position: int().notNull(),
    kind: text().$type<PayoutLineKind>().notNull(),
    /** The gateway's name of what it is of; null where it has none. */
    reference: plain(text()),
    paymentId: id("payment"),
    refundId: id("refund"),
    disputeId: id("dispute"),
    grossMinor: money().notNull(),
    feeMinor: money().notNull(),
    verdict: text().$type<PayoutVerdict>().notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.payoutId, row.position] }),
    foreignKey({ columns: [row.payoutId], foreignColumns: [payouts.id] }),
  ],
);

export type PaymentRow = RowOf<typeof payments>;
export type RefundRow = RowOf<typeof refunds>;
export type NoticeRow = RowOf<typeof gatewayNotices>;
export type DisputeRow = RowOf<typeof disputes>;
export type PayoutRow = RowOf<typeof payouts>;
export type PayoutLineRow = RowOf<typeof payoutLines>;
