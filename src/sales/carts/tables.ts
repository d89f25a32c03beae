// Carts, and the secret and address of recovery links. Lines are a column of their cart: no query
// reads a line alone, and deleting a variant must not touch carts.

import { sql } from "drizzle-orm";

import { customers } from "#customers/tables.ts";
import type { Address } from "#kernel/address.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Id } from "#kernel/id.ts";
import type { Metadata } from "#kernel/metadata.ts";
import type { PaymentMethod } from "#kernel/payment-method.ts";
import { check, foreignKey, index, int, json, table, text, time } from "#platform/database/kit.ts";
import { type QuotedLine } from "#pricing/quote/price-cart.ts";
import type { LineRequest } from "#pricing/quote/price-order.ts";

import type { CartStatus } from "./cart.ts";

export const carts = table(
  "carts",
  {
    id: text().$type<Id<"cart">>().primaryKey(),
    status: text().$type<CartStatus>().notNull(),
    customerId: text("customer_id").$type<Id<"customer">>(),
    email: text(),
    phone: text(),
    name: text(),
    currency: text().$type<CurrencyCode>().notNull(),
    lines: json().$type<readonly LineRequest[]>().notNull(),
    remembered: json().$type<readonly QuotedLine[]>().notNull(),
    paymentMethod: text("payment_method").$type<PaymentMethod>(),
    shippingAddress: json("shipping_address").$type<Address>(),
    metadata: json().$type<Metadata>().notNull(),
    recoveryUrl: text("recovery_url"),
    orderId: text("order_id").$type<Id<"order">>(),
    checkoutStartedAt: time("checkout_started_at"),
    expiresAt: time("expires_at"),
    version: int().notNull(),
    createdAt: time("created_at").notNull(),
    updatedAt: time("updated_at").notNull(),
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

/** One row: the secret that signs recovery links and the address that they start with. */
export const cartRecovery = table(
  "cart_recovery",
  {
    id: int().primaryKey(),
    secret: text().notNull(),
    publicUrl: text("public_url").notNull(),
  },
  (row) => [check("cart_recovery_is_one_row", sql`${row.id} = 1`)],
);
