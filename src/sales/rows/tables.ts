// Orders with their line items and fulfillments, carts, returns, and the index of lines. Totals are stored because the customer agreed to them;
// `duka check` compares them with the lines.

import { sql } from "drizzle-orm";

import type { KeptVariant } from "#catalog/rows/column-types.ts";
import { customers } from "#customers/tables.ts";
import type { Address } from "#kernel/address.ts";
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
  json,
  money,
  primaryKey,
  text,
  time,
  uniqueIndex,
  weekOf,
} from "#platform/database/kit.ts";
import {
  id,
  keeping,
  personal,
  plain,
  record,
  type RowOf,
  stamps,
} from "#platform/database/record.ts";
import { type Breakdown, packedBreakdown, withoutOwnTitles } from "#pricing/quote/breakdown.ts";
import type { CartLine, QuotedLine } from "#pricing/quote/price-cart.ts";
import type { LineRequest } from "#pricing/quote/price-order.ts";
import type { ShippingOptionId } from "#pricing/shipping/shipping-charge.ts";

import { isHeldByStrangers, isShort, isToFill, kindOfOrder } from "./condition-queries.ts";
import {
  type CancelReason,
  type CartStatus,
  type CustomerSnapshot,
  type FulfilledLine,
  type FulfillmentStatus,
  keptVariant,
  type OrderPaymentStatus,
  type OrderStatus,
  type ReturnedLine,
  type ReturnReason,
  type Tracking,
} from "./order-life.ts";

declare module "#kernel/id.ts" {
  interface IdKinds {
    order: "ord";
    lineItem: "li";
    fulfillment: "ful";
  }
}
defineKind("order", "ord");
defineKind("lineItem", "li", "line item");
defineKind("fulfillment", "ful");

const onlyId = keeping("id");
/** Country and region stay: they decide the tax, which bookkeeping has to prove. */
const withoutStreet = keeping("country", "region");

/** Metadata of rows of which the oldest were made before they had any. */
const lateMetadata = () =>
  personal(
    json()
      .$type<Metadata>()
      .notNull()
      .default(sql`'{}'`),
    () => ({}),
  );

export const orders = record(
  "orders",
  {
    id: id("order").primaryKey(),
    number: int().notNull(),
    status: text().$type<OrderStatus>().notNull(),
    /** Computed from the totals and open attempts; stored for filters. */
    paymentStatus: text().$type<OrderPaymentStatus>().notNull(),
    /** Computed from the lines; stored for filters. */
    fulfillmentStatus: text().$type<FulfillmentStatus>().notNull(),
    customerId: id("customer"),
    /** The customer as they were when the order was placed. */
    customer: personal(json().$type<CustomerSnapshot>(), onlyId),
    /** The contact that the order itself was placed with: who proves it may see the order. */
    contactEmail: personal(text()),
    contactPhone: personal(text()),
    paymentMethod: text().$type<PaymentMethod>().notNull(),
    currency: text().$type<CurrencyCode>().notNull(),
    channel: plain(text().notNull()),
    externalId: plain(text()),
    cartId: id("cart"),
    /** True if a publishable key placed it: unpaid orders of strangers are bounded. */
    isFromPublicKey: bool().notNull().default(false),
    /**
     * True if limits held for its caller, who showed no session of a customer with a proved contact, and nothing of it was
     * paid: what these orders hold of the stock together is bounded.
     */
    isStrangers: bool().notNull().default(false),
    shippingAddress: personal(json().$type<Address>(), withoutStreet),
    billingAddress: personal(json().$type<Address>(), withoutStreet),
    notes: personal(text()),
    metadata: personal(json().$type<Metadata>().notNull(), () => ({})),
    shippingLabel: personal(text()),
    /** The customer's tax number, as it is printed on the receipt. */
    taxId: personal(text()),
    /** Null for the order of a shop without discounts, taxes and shipping rates. */
    breakdown: personal(json(packedBreakdown).$type<Breakdown>(), withoutOwnTitles),
    cancelReason: text().$type<CancelReason>(),
    cancelNote: personal(text()),
    subtotalMinor: money().notNull(),
    discountMinor: money().notNull(),
    shippingMinor: money().notNull(),
    taxMinor: money().notNull(),
    totalMinor: money().notNull(),
    /** The part, in percent, that stops the order's expiry once it is paid, as the shop asked when it was placed. */
    depositPercent: int().notNull().default(100),
    /** The amount that the customer does not owe because units were cancelled or came back. */
    creditedMinor: money().notNull(),
    /** The money for credited units that the merchant keeps. */
    keptMinor: money().notNull(),
    /** The part of it that is beside the sale: it was kept before there was one. */
    keptApartMinor: money().notNull().default(0),
    writtenOffMinor: money().notNull(),
    /** The total of what was sold when `order.paid` was emitted, less what is sold no more since; null before. */
    saleTotalMinor: money(),
    /** The parts of all refunds that did not fail which are of the sale, and of the money kept beside it. */
    saleRefundingMinor: money().notNull().default(0),
    keptRefundingMinor: money().notNull().default(0),
    /** Computed from the amounts; stored for filters. */
    dueMinor: money().notNull().default(0),
    /** Captured money. Only `record-payment.ts` writes this column and the four below. */
    paidMinor: money().notNull(),
    /** All refunds that did not fail. */
    refundingMinor: money().notNull(),
    /** The refunds that succeeded. */
    refundedMinor: money().notNull(),
    /** Payments whose money waits for the merchant's decision. */
    paymentsInReview: int().notNull(),
    /**
     * Payment attempts that are neither paid nor closed; lines cannot change while there is one.
     */
    openAttempts: int().notNull(),
    paidAt: time(),
    fulfilledAt: time(),
    cancelledAt: time(),
    expiresAt: time(),
    ...stamps(),
  },
  (row) => [
    uniqueIndex("orders_number_unique").on(row.number),
    uniqueIndex("orders_external_id_unique")
      .on(row.externalId)
      .where(sql`external_id IS NOT NULL`),
    index("orders_kind_index").on(kindOfOrder, row.id),
    index("orders_short_index").on(row.id).where(isShort),
    index("orders_updated_week_index").on(weekOf("updated_at"), row.id, row.updatedAt),
    index("orders_paid_week_index")
      .on(weekOf("paid_at"), row.id, row.paidAt)
      .where(sql`paid_at IS NOT NULL`),
    index("orders_customer_index")
      .on(row.customerId, row.id)
      .where(sql`customer_id IS NOT NULL`),
    index("orders_contact_email_index")
      .on(row.contactEmail, row.id)
      .where(sql`contact_email IS NOT NULL`),
    index("orders_contact_phone_index")
      .on(row.contactPhone, row.id)
      .where(sql`contact_phone IS NOT NULL`),
    foreignKey({ columns: [row.customerId], foreignColumns: [customers.id] }),
    check(
      "orders_total_adds_up",
      sql`${row.totalMinor} = ${row.subtotalMinor} - ${row.discountMinor} + ${row.shippingMinor} + ${row.taxMinor}`,
    ),
    check("orders_refunded_within_paid", sql`${row.refundedMinor} BETWEEN 0 AND ${row.paidMinor}`),
    check(
      "orders_refunding_within_paid",
      sql`${row.refundingMinor} BETWEEN ${row.refundedMinor} AND ${row.paidMinor}`,
    ),
    check(
      "orders_credited_within_total",
      sql`${row.creditedMinor} BETWEEN 0 AND ${row.totalMinor}`,
    ),
    check(
      "orders_kept_apart_within_kept",
      sql`${row.keptApartMinor} BETWEEN 0 AND ${row.keptMinor}`,
    ),
    check(
      "orders_refunding_within_kept_apart",
      sql`${row.keptRefundingMinor} BETWEEN 0 AND ${row.keptApartMinor}`,
    ),
    check(
      "orders_refunding_within_sale",
      sql`${row.saleRefundingMinor} BETWEEN 0 AND coalesce(${row.saleTotalMinor}, 0)`,
    ),
    check("orders_owed_not_negative", sql`${row.writtenOffMinor} >= 0 AND ${row.dueMinor} >= 0`),
    check("orders_payments_in_review_not_negative", sql`${row.paymentsInReview} >= 0`),
    check("orders_open_attempts_not_negative", sql`${row.openAttempts} >= 0`),
  ],
);

export const orderLines = record(
  "order_lines",
  {
    orderId: id("order").notNull(),
    position: int().notNull(),
    id: id("lineItem").notNull(),
    /** Null, as the product, for a line of the merchant's own, which no stock is kept of. */
    variantId: id("variant"),
    productId: id("product"),
    sku: plain(text()),
    name: plain(text().notNull()),
    quantity: int().notNull(),
    cancelledQuantity: int().notNull(),
    fulfilledQuantity: int().notNull(),
    /** The shipped units that came back. */
    returnedQuantity: int().notNull(),
    unitPriceMinor: money().notNull(),
    subtotalMinor: money().notNull(),
    discountMinor: money().notNull(),
    taxMinor: money().notNull(),
    totalMinor: money().notNull(),
    metadata: lateMetadata(),
    /** The parts of its variant that are shown; null where there is none, and in a line of before until a job fills it. */
    shown: plain(json(keptVariant).$type<KeptVariant>()),
    /** As its order has it: what strangers hold of a variant is summed for each of their orders. */
    isStrangers: bool().notNull().default(false),
  },
  (row) => [
    primaryKey({ columns: [row.orderId, row.position] }),
    // The columns of the sum are in the index: SQLite reads the index alone.
    index("order_lines_strangers_index")
      .on(
        row.variantId,
        row.quantity,
        row.cancelledQuantity,
        row.fulfilledQuantity,
        row.isStrangers,
      )
      .where(isHeldByStrangers),
    // Empty but for the lines of before that are to be filled.
    index("order_lines_to_fill_index").on(row.orderId, row.position).where(isToFill),
    foreignKey({ columns: [row.orderId], foreignColumns: [orders.id] }),
    check("order_lines_quantity_positive", sql`${row.quantity} > 0`),
    check(
      "order_lines_open_not_negative",
      sql`${row.cancelledQuantity} >= 0 AND ${row.fulfilledQuantity} >= 0 AND ${row.cancelledQuantity} + ${row.fulfilledQuantity} <= ${row.quantity}`,
    ),
    check(
      "order_lines_returned_within_fulfilled",
      sql`${row.returnedQuantity} BETWEEN 0 AND ${row.fulfilledQuantity}`,
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

/** Shipments of an order. One that was recorded by mistake is cancelled, and stays. */
export const fulfillments = record(
  "fulfillments",
  {
    orderId: id("order").notNull(),
    id: id("fulfillment").notNull(),
    lines: plain(json().$type<readonly FulfilledLine[]>().notNull()),
    /** The carrier tells by it who got the shipment, and where. */
    tracking: personal(json().$type<Tracking>()),
    metadata: lateMetadata(),
    /** Null unless nothing was sent: its units are open again. */
    cancelledAt: time(),
    cancelNote: personal(text()),
    createdAt: time().notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.orderId, row.id] }),
    foreignKey({ columns: [row.orderId], foreignColumns: [orders.id] }),
  ],
);

export type OrderRow = RowOf<typeof orders>;
export type OrderLineRow = RowOf<typeof orderLines>;
export type FulfillmentRow = RowOf<typeof fulfillments>;

// Carts. Lines are a column of their cart: no query reads a line alone, and deleting a variant must not touch
// carts.

declare module "#kernel/id.ts" {
  interface IdKinds {
    cart: "cart";
    cartLine: "cl";
  }
}
defineKind("cart", "cart");
defineKind("cartLine", "cl", "line of a cart");

/** A line as it is stored: one of before 0.2.0 has no id and no metadata. */
type Stored<Line extends CartLine> = LineRequest &
  Omit<Line, keyof CartLine | "shown"> &
  Partial<Pick<Line, "id" | "metadata">>;

function withoutMetadata<Line extends object>(lines: readonly Line[]): readonly Line[] {
  return lines.map((line) => ({ ...line, metadata: {} }));
}

export const carts = record(
  "carts",
  {
    id: id("cart").primaryKey(),
    status: text().$type<CartStatus>().notNull(),
    customerId: id("customer"),
    /** True if a session said who the customer is, and not the merchant. */
    isOfSession: bool().notNull().default(false),
    email: personal(text()),
    phone: personal(text()),
    name: personal(text()),
    currency: text().$type<CurrencyCode>().notNull(),
    lines: personal(json().$type<readonly Stored<CartLine>[]>().notNull(), withoutMetadata),
    /** The priced lines at the last change; for a completed cart, the lines as they were ordered. */
    remembered: personal(json().$type<readonly Stored<QuotedLine>[]>().notNull(), withoutMetadata),
    paymentMethod: text().$type<PaymentMethod>(),
    shippingAddress: personal(json().$type<Address>()),
    billingAddress: personal(json().$type<Address>()),
    /** The charge that the merchant named; a shipping option is priced anew each time. */
    shippingLabel: personal(text()),
    shippingMinor: money().notNull().default(0),
    shippingOptionId: text().$type<ShippingOptionId>(),
    discountCodes: plain(
      json()
        .$type<readonly string[]>()
        .notNull()
        .default(sql`'[]'`),
    ),
    /** The codes that applied at the last change: completing refuses to go on without one of them. */
    appliedCodes: plain(
      json()
        .$type<readonly string[]>()
        .notNull()
        .default(sql`'[]'`),
    ),
    taxId: personal(text()),
    /** The breakdown of the order, once the cart is completed. */
    breakdown: plain(json(packedBreakdown).$type<Breakdown>()),
    notes: personal(text()),
    channel: plain(text().notNull().default("online_store")),
    externalId: plain(text()),
    metadata: personal(json().$type<Metadata>().notNull(), () => ({})),
    /** Set when the cart is abandoned. It opens a page with personal data. */
    recoveryUrl: personal(text()),
    orderId: id("order"),
    checkoutStartedAt: time(),
    /** Extended by every change that the customer makes. */
    expiresAt: time(),
    ...stamps(),
  },
  (row) => [
    index("carts_status_index").on(row.status, row.id),
    index("carts_customer_index")
      .on(row.customerId, row.id)
      .where(sql`customer_id IS NOT NULL`),
    // Deleting a customer keeps their carts.
    foreignKey({ columns: [row.customerId], foreignColumns: [customers.id] }).onDelete("set null"),
    check(
      "carts_completed_is_an_order",
      sql`(${row.status} = 'completed') = (${row.orderId} IS NOT NULL)`,
    ),
    check(
      "carts_checkout_has_begun",
      sql`${row.status} <> 'checkout' OR ${row.checkoutStartedAt} IS NOT NULL`,
    ),
  ],
);

export type CartRow = RowOf<typeof carts>;

// Returns of shipped units; append-only.

declare module "#kernel/id.ts" {
  interface IdKinds {
    return: "ret";
  }
}
defineKind("return", "ret");

export const orderReturns = record(
  "order_returns",
  {
    orderId: id("order").notNull(),
    id: id("return").notNull(),
    lines: plain(json().$type<readonly ReturnedLine[]>().notNull()),
    reason: text().$type<ReturnReason>().notNull(),
    note: personal(text()),
    /** The money for these units that went back. */
    refundMinor: money().notNull(),
    /** The amount that was written off with this return. */
    writtenOffMinor: money().notNull(),
    /** The order that takes the credit; orders are never deleted. */
    exchangeOrderId: id("order"),
    metadata: lateMetadata(),
    createdAt: time().notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.orderId, row.id] }),
    foreignKey({ columns: [row.orderId], foreignColumns: [orders.id] }),
  ],
);

export type ReturnRow = RowOf<typeof orderReturns>;

// The index of lines: the products and SKUs that orders are found by. A term is one of either. The entries are written
// from the log of events, after the order, and stay when a line leaves it: a list looks at the lines again.

/** The product and the SKU of every line that an order has or had. */
export const orderLineTerms = record(
  "order_line_terms",
  { term: plain(text().notNull()), orderId: id("order").notNull() },
  (row) => [primaryKey({ columns: [row.term, row.orderId] })],
);
