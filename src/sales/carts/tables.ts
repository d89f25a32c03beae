// Carts. Lines are a column of their cart: no query reads a line alone, and deleting a variant must not touch
// carts.

import { sql } from "drizzle-orm";

import { customers } from "#customers/tables.ts";
import type { Address } from "#kernel/address.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { defineKind } from "#kernel/id.ts";
import type { Metadata } from "#kernel/metadata.ts";
import type { PaymentMethod } from "#kernel/payment-method.ts";
import { bool, check, foreignKey, index, json, money, text, time } from "#platform/database/kit.ts";
import { id, personal, plain, record, type RowOf, stamps } from "#platform/database/record.ts";
import type { Breakdown } from "#pricing/quote/breakdown.ts";
import { packedBreakdown } from "#pricing/quote/packed-breakdown.ts";
import { type QuotedLine } from "#pricing/quote/price-cart.ts";
import type { LineRequest } from "#pricing/quote/price-order.ts";
import type { ShippingOptionId } from "#pricing/shipping/shipping-charge.ts";

import type { CartStatus } from "./cart-life.ts";

declare module "#kernel/id.ts" {
  interface IdKinds {
    cart: "cart";
  }
}
defineKind("cart", "cart");

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
    lines: plain(json().$type<readonly LineRequest[]>().notNull()),
    /** The priced lines at the last change; for a completed cart, the lines as they were ordered. */
    remembered: plain(json().$type<readonly QuotedLine[]>().notNull()),
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
