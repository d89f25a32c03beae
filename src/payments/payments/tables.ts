// Payments, their refunds, and the notices of gateways. `duka check` adds up the amounts in these rows.

import { sql } from "drizzle-orm";

import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import type { Metadata } from "#kernel/metadata.ts";
import type { PaymentMethod } from "#kernel/payment-method.ts";
import type { RefundedLine, RefundReason, RefundStatus } from "#payments/refunds/refund.ts";
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
  table,
  text,
  time,
  uniqueIndex,
} from "#platform/database/kit.ts";
import { orders } from "#sales/orders/tables.ts";

import type { FailureCode, NextAction, PaymentStatus, Provider } from "./payment.ts";

export const payments = table(
  "payments",
  {
    id: text().$type<Id<"payment">>().primaryKey(),
    reference: text().notNull(),
    status: text().$type<PaymentStatus>().notNull(),
    orderId: text("order_id").$type<Id<"order">>(),
    customerId: text("customer_id").$type<Id<"customer">>(),
    method: text().$type<PaymentMethod>().notNull(),
    gateway: text(),
    gatewayReference: text("gateway_reference"),
    attemptNumber: int("attempt_number").notNull(),
    gatewayId: text("gateway_id"),
    amountMinor: money("amount_minor").notNull(),
    currency: text().$type<CurrencyCode>().notNull(),
    receivedMinor: money("received_minor"),
    receivedCurrency: text("received_currency"),
    capturedMinor: money("captured_minor").notNull(),
    refundingMinor: money("refunding_minor").notNull(),
    refundedMinor: money("refunded_minor").notNull(),
    phone: text(),
    provider: text().$type<Provider>(),
    cardToken: text("card_token"),
    email: text(),
    returnUrl: text("return_url"),
    nextAction: json("next_action").$type<NextAction>(),
    failureCode: text("failure_code").$type<FailureCode>(),
    gatewayCode: text("gateway_code"),
    isUnknown: bool("is_unknown").notNull(),
    notFoundLooks: int("not_found_looks").notNull(),
    lookedAt: time("looked_at").notNull(),
    metadata: json().$type<Metadata>().notNull(),
    idempotencyKey: text("idempotency_key"),
    fingerprint: text(),
    expiresAt: time("expires_at"),
    succeededAt: time("succeeded_at"),
    failedAt: time("failed_at"),
    version: int().notNull(),
    createdAt: time("created_at").notNull(),
    updatedAt: time("updated_at").notNull(),
  },
  (row) => [
    uniqueIndex("payments_reference_unique").on(row.reference),
    /** One payment per key, also if the program crashed before it answered. */
    uniqueIndex("payments_idempotency_key_unique")
      .on(row.idempotencyKey)
      .where(sql`idempotency_key IS NOT NULL`),
    uniqueIndex("payments_gateway_reference_unique")
      .on(row.gatewayReference)
      .where(sql`gateway_reference IS NOT NULL`),
    index("payments_order_index")
      .on(row.orderId, row.id)
      .where(sql`order_id IS NOT NULL`),
    index("payments_status_index").on(row.status, row.id),
    index("payments_method_index").on(row.method, row.id),
    foreignKey({ columns: [row.orderId], foreignColumns: [orders.id] }),
    check("payments_amount_positive", sql`${row.amountMinor} > 0`),
    check("payments_refunded_within_refunding", sql`${row.refundedMinor} <= ${row.refundingMinor}`),
    check(
      "payments_refunding_within_received",
      sql`${row.refundingMinor} >= 0 AND (${row.refundingMinor} <= ${row.capturedMinor} OR ${row.refundingMinor} <= coalesce(${row.receivedMinor}, 0))`,
    ),
  ],
);

export const refunds = table(
  "refunds",
  {
    id: text().$type<Id<"refund">>().primaryKey(),
    paymentId: text("payment_id").$type<Id<"payment">>().notNull(),
    orderId: text("order_id").$type<Id<"order">>(),
    status: text().$type<RefundStatus>().notNull(),
    amountMinor: money("amount_minor").notNull(),
    currency: text().$type<CurrencyCode>().notNull(),
    reason: text().$type<RefundReason>().notNull(),
    note: text(),
    lines: json().$type<readonly RefundedLine[]>().notNull(),
    isAutomatic: bool("is_automatic").notNull(),
    gatewayRefundId: text("gateway_refund_id"),
    gatewayCode: text("gateway_code"),
    isUnknown: bool("is_unknown").notNull(),
    idempotencyKey: text("idempotency_key"),
    fingerprint: text(),
    succeededAt: time("succeeded_at"),
    version: int().notNull(),
    createdAt: time("created_at").notNull(),
    updatedAt: time("updated_at").notNull(),
  },
  (row) => [
    index("refunds_payment_index").on(row.paymentId, row.id),
    index("refunds_order_index")
      .on(row.orderId, row.id)
      .where(sql`order_id IS NOT NULL`),
    index("refunds_idempotency_key_index")
      .on(row.idempotencyKey)
      .where(sql`idempotency_key IS NOT NULL`),
    /** Late money is refunded once. */
    uniqueIndex("refunds_automatic_unique").on(row.paymentId).where(isTrue("is_automatic")),
    foreignKey({ columns: [row.paymentId], foreignColumns: [payments.id] }),
    check("refunds_amount_positive", sql`${row.amountMinor} > 0`),
  ],
);

/** Notices received; the primary key ignores copies. */
export const gatewayNotices = table(
  "gateway_notices",
  {
    gateway: text().notNull(),
    dedupKey: text("dedup_key").notNull(),
    topic: text().notNull(),
    gatewayReference: text("gateway_reference"),
    /** Of another mode, or about an unknown payment. */
    isIgnored: bool("is_ignored").notNull(),
    createdAt: time("created_at").notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.gateway, row.dedupKey] }),
    index("gateway_notices_created_index").on(row.createdAt),
  ],
);
