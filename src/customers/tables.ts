// Customers, and their tags for the filter by tag.

import { sql } from "drizzle-orm";

import type { Address } from "#kernel/address.ts";
import { defineKind } from "#kernel/id.ts";
import type { Metadata } from "#kernel/metadata.ts";
import {
  bool,
  check,
  foreignKey,
  index,
  int,
  json,
  primaryKey,
  text,
  time,
  uniqueIndex,
} from "#platform/database/kit.ts";
import { id, personal, record, type RowOf, stamps } from "#platform/database/record.ts";

import type { TaxExemption } from "./tax-exemption.ts";

declare module "#kernel/id.ts" {
  interface IdKinds {
    customer: "cus";
  }
}
defineKind("customer", "cus");

export const customers = record(
  "customers",
  {
    id: id("customer").primaryKey(),
    /** Lower-cased. */
    email: personal(text()),
    /** E.164. */
    phone: personal(text()),
    /** When a code to the email, or to the phone, was given back; null once it is another one. */
    emailVerifiedAt: personal(time()),
    phoneVerifiedAt: personal(time()),
    name: personal(text()),
    firstName: personal(text()),
    lastName: personal(text()),
    addresses: personal(json().$type<readonly Address[]>().notNull(), () => []),
    marketingConsent: personal(bool().notNull(), () => false),
    tags: personal(json().$type<readonly string[]>().notNull(), () => []),
    metadata: personal(json().$type<Metadata>().notNull(), () => ({})),
    ordersCount: int().notNull(),
    /** True if only a stranger named the customer: the merchant's word then replaces name and phone. */
    isUnverified: personal(bool().notNull().default(false), () => false),
    /** The number under which the tax office knows the customer's business. */
    taxId: personal(text()),
    taxExemption: personal(text().$type<TaxExemption>().notNull().default("none"), () => "none"),
    /** When the personal data was erased; the row stays, since orders refer to it. */
    erasedAt: time(),
    ...stamps(),
  },
  (row) => [
    uniqueIndex("customers_email_unique").on(row.email),
    uniqueIndex("customers_phone_unique").on(row.phone),
    check("customers_orders_count_not_negative", sql`${row.ordersCount} >= 0`),
    check(
      "customers_reachable",
      sql`${row.email} IS NOT NULL OR ${row.phone} IS NOT NULL OR ${row.erasedAt} IS NOT NULL`,
    ),
  ],
);

/** One row per tag of a customer, so that the filter by tag uses an index. */
export const customerTags = record(
  "customer_tags",
  {
    tag: personal(text().notNull(), () => ""),
    customerId: id("customer").notNull(),
  },
  (row) => [
    primaryKey({ columns: [row.tag, row.customerId] }),
    index("customer_tags_customer_index").on(row.customerId),
    foreignKey({ columns: [row.customerId], foreignColumns: [customers.id] }).onDelete("cascade"),
  ],
);

export type CustomerRow = RowOf<typeof customers>;
