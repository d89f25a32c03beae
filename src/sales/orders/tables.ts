// Orders, their line items and fulfillments. Totals are stored because the customer agreed to them;
// `duka check` compares them with the lines.

import { sql } from "drizzle-orm";

import { customers } from "#customers/tables.ts";
import type { Address } from "#kernel/address.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import type { Metadata } from "#kernel/metadata.ts";
import type { PaymentMethod } from "#kernel/payment-method.ts";
import {
  check,
  foreignKey,
  index,
  int,
  json,
  money,
  primaryKey,
  table,
  text,
  time,
  uniqueIndex,
} from "#platform/database/kit.ts";

import type {
  CancelReason,
  CustomerSnapshot,
  FulfilledLine,
  FulfillmentStatus,
  OrderStatus,
  PaymentStatus,
  Tracking,
} from "./order.ts";

export const orders = table(
  "orders",
  {
    id: text().$type<Id<"order">>().primaryKey(),
    number: int().notNull(),
    status: text().$type<OrderStatus>().notNull(),
    /** Computed from the totals and open attempts; stored for filters. */
    paymentStatus: text("payment_status").$type<PaymentStatus>().notNull(),
    /** Computed from the lines; stored for filters. */
    fulfillmentStatus: text("fulfillment_status").$type<FulfillmentStatus>().notNull(),
    customerId: text("customer_id").$type<Id<"customer">>(),
    /** The customer as they were when the order was placed. */
    customer: json().$type<CustomerSnapshot>(),
    paymentMethod: text("payment_method").$type<PaymentMethod>().notNull(),
    currency: text().$type<CurrencyCode>().notNull(),
    channel: text().notNull(),
    externalId: text("external_id"),
    cartId: text("cart_id").$type<Id<"cart">>(),
    shippingAddress: json("shipping_address").$type<Address>(),
    billingAddress: json("billing_address").$type<Address>(),
    notes: text(),
    metadata: json().$type<Metadata>().notNull(),
    shippingLabel: text("shipping_label"),
    cancelReason: text("cancel_reason").$type<CancelReason>(),
    cancelNote: text("cancel_note"),
    subtotalMinor: money("subtotal_minor").notNull(),
    discountMinor: money("discount_minor").notNull(),
    shippingMinor: money("shipping_minor").notNull(),
    taxMinor: money("tax_minor").notNull(),
    totalMinor: money("total_minor").notNull(),
    /** Captured money. Only `record-payment.ts` writes this column and the two below. */
    paidMinor: money("paid_minor").notNull(),
    refundedMinor: money("refunded_minor").notNull(),
    /**
     * Payment attempts that are neither paid nor closed; lines cannot change while there is one.
     */
    openAttempts: int("open_attempts").notNull(),
    paidAt: time("paid_at"),
    fulfilledAt: time("fulfilled_at"),
    cancelledAt: time("cancelled_at"),
    expiresAt: time("expires_at"),
    version: int().notNull(),
    createdAt: time("created_at").notNull(),
    updatedAt: time("updated_at").notNull(),
  },
  (row) => [
    uniqueIndex("orders_number_unique").on(row.number),
    uniqueIndex("orders_external_id_unique")
      .on(row.externalId)
      .where(sql`external_id IS NOT NULL`),
    index("orders_status_index").on(row.status, row.id),
    index("orders_payment_status_index").on(row.paymentStatus, row.id),
    index("orders_fulfillment_status_index").on(row.fulfillmentStatus, row.id),
    index("orders_channel_index").on(row.channel, row.id),
    index("orders_customer_index")
      .on(row.customerId, row.id)
      .where(sql`customer_id IS NOT NULL`),
    foreignKey({ columns: [row.customerId], foreignColumns: [customers.id] }),
    check(
      "orders_total_adds_up",
      sql`${row.totalMinor} = ${row.subtotalMinor} - ${row.discountMinor} + ${row.shippingMinor} + ${row.taxMinor}`,
    ),
    check("orders_refunded_within_paid", sql`${row.refundedMinor} BETWEEN 0 AND ${row.paidMinor}`),
    check("orders_open_attempts_not_negative", sql`${row.openAttempts} >= 0`),
  ],
);

export const orderLines = table(
  "order_lines",
  {
    orderId: text("order_id").$type<Id<"order">>().notNull(),
    position: int().notNull(),
    id: text().$type<Id<"lineItem">>().notNull(),
    variantId: text("variant_id").$type<Id<"variant">>().notNull(),
    productId: text("product_id").$type<Id<"product">>().notNull(),
    sku: text(),
    name: text().notNull(),
    quantity: int().notNull(),
    fulfilledQuantity: int("fulfilled_quantity").notNull(),
    unitPriceMinor: money("unit_price_minor").notNull(),
    subtotalMinor: money("subtotal_minor").notNull(),
    discountMinor: money("discount_minor").notNull(),
    taxMinor: money("tax_minor").notNull(),
    totalMinor: money("total_minor").notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.orderId, row.position] }),
    foreignKey({ columns: [row.orderId], foreignColumns: [orders.id] }),
    check("order_lines_quantity_positive", sql`${row.quantity} > 0`),
    check(
      "order_lines_fulfilled_within_quantity",
      sql`${row.fulfilledQuantity} BETWEEN 0 AND ${row.quantity}`,
    ),
    check(
      "order_lines_subtotal",
      sql`${row.subtotalMinor} = ${row.unitPriceMinor} * ${row.quantity}`,
    ),
    check(
      "order_lines_total_adds_up",
      sql`${row.totalMinor} = ${row.subtotalMinor} - ${row.discountMinor} + ${row.taxMinor}`,
    ),
  ],
);

/** Shipments of an order; append-only. */
export const fulfillments = table(
  "fulfillments",
  {
    orderId: text("order_id").$type<Id<"order">>().notNull(),
    id: text().$type<Id<"fulfillment">>().notNull(),
    lines: json().$type<readonly FulfilledLine[]>().notNull(),
    tracking: json().$type<Tracking>(),
    createdAt: time("created_at").notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.orderId, row.id] }),
    foreignKey({ columns: [row.orderId], foreignColumns: [orders.id] }),
  ],
);
