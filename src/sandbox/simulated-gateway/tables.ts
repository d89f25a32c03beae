// The rows of the simulated gateway, which a real one would keep on its own machines: only the gateway
// reads them, and no row of the shop refers to them.

import { sql } from "drizzle-orm";

import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import type { FailureCode, Instrument } from "#payments/rows/payment-life.ts";
import {
  check,
  index,
  int,
  json,
  money,
  table,
  text,
  time,
  uniqueIndex,
} from "#platform/database/kit.ts";

import type { Decision, Script } from "./script.ts";

export const simulatedCharges = table(
  "simulated_charges",
  {
    gatewayReference: text("gateway_reference").primaryKey(),
    paymentId: text("payment_id").$type<Id<"payment">>().notNull(),
    /** The payment's reference; shown on the test page. */
    reference: text().notNull(),
    orderId: text("order_id").$type<Id<"order">>(),
    amountMinor: money("amount_minor").notNull(),
    currency: text().$type<CurrencyCode>().notNull(),
    returnUrl: text("return_url"),
    /** How it is paid, and with what; null in charges of earlier versions. */
    channel: text(),
    instrument: json().$type<Instrument>(),
    /** A copy, so that a later version of the table does not change a charge that exists. */
    script: json().$type<Script>().notNull(),
    /** The unguessable part of the test page's URL. */
    pageToken: text("page_token").notNull(),
    decision: text().$type<Decision>(),
    decidedAt: time("decided_at"),
    failureCode: text("failure_code").$type<FailureCode>(),
    gatewayCode: text("gateway_code"),
    /** Null for a request that never arrived. */
    arrivedAt: time("arrived_at"),
    /** How often the notice was requested again. */
    pushes: int().notNull(),
  },
  (row) => [
    uniqueIndex("simulated_charges_page_unique").on(row.pageToken),
    index("simulated_charges_payment_index").on(row.paymentId),
    check("simulated_charges_amount_not_negative", sql`${row.amountMinor} >= 0`),
  ],
);

export const simulatedRefunds = table(
  "simulated_refunds",
  {
    /** The reference of the try. */
    reference: text("refund_id").primaryKey(),
    gatewayReference: text("gateway_reference").notNull(),
    amountMinor: money("amount_minor").notNull(),
    state: text().$type<"succeeded" | "failed" | "needs_attention">().notNull(),
    gatewayCode: text("gateway_code"),
  },
  (row) => [
    index("simulated_refunds_charge_index").on(row.gatewayReference),
    check("simulated_refunds_amount_positive", sql`${row.amountMinor} > 0`),
  ],
);
