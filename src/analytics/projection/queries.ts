// All SQL that writes the projection: sums are added to existing rows in one statement each, and the
// state of the tally is read before counting and saved after.

import { and, eq, inArray, sql } from "drizzle-orm";

import { figureNames } from "#analytics/figures.ts";
import {
  checkouts,
  customers,
  figures,
  names,
  parts,
  purchases,
  refunded,
  scopes,
} from "#analytics/tables.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import {
  preparedAdd,
  preparedByFilters,
  preparedInsert,
  preparedWrite,
} from "#platform/database/prepared.ts";

export type ScopeRow = typeof scopes.$inferSelect;
export type NameRow = typeof names.$inferSelect;
type CustomerRow = typeof customers.$inferSelect;
type CheckoutRow = typeof checkouts.$inferSelect;
type RefundedRow = typeof refunded.$inferSelect;

export const insertScope = preparedInsert(scopes);
export const insertName = preparedInsert(names);

export const addFigureRow = preparedAdd(figures, {
  key: ["scope", "resolution", "bucket"],
  sums: figureNames,
});
export const addPartRow = preparedAdd(parts, {
  key: ["scope", "resolution", "bucket", "kind", "part"],
  sums: ["count", "units", "grossMinor", "netMinor"],
});
export const addPurchaseRow = preparedAdd(purchases, {
  key: ["scope", "resolution", "bucket", "previous"],
  sums: ["count"],
});

const rename = preparedWrite<Pick<NameRow, "number" | "title" | "sku">>()((tx, at) =>
  tx
    .update(names)
    .set({ title: sql`${at.title}`, sku: sql`${at.sku}` })
    .where(eq(names.number, at.number)),
);
const saveCustomerQuery = preparedWrite<CustomerRow>()((tx, at) =>
  tx
    .insert(customers)
    .values({ scope: at.scope, customerId: at.customerId, lastSlot: at.lastSlot })
    .onConflictDoUpdate({
      target: [customers.scope, customers.customerId],
      set: { lastSlot: sql`excluded.last_quarter` },
    }),
);
const saveCheckout = preparedWrite<CheckoutRow>()((tx, at) =>
  tx
    .insert(checkouts)
    .values({ subject: at.subject, isLeft: sql`${sql.param(at.isLeft, checkouts.isLeft)}` })
    .onConflictDoUpdate({ target: checkouts.subject, set: { isLeft: sql`excluded.is_left` } }),
);
const saveRefunded = preparedWrite<RefundedRow>()((tx, at) =>
  tx
    .insert(refunded)
    .values({ orderId: at.orderId, refundedMinor: at.refundedMinor })
    .onConflictDoUpdate({
      target: refunded.orderId,
      set: { refundedMinor: sql`excluded.refunded_minor` },
    }),
);

const scopeAt = preparedByFilters<{ currency: CurrencyCode; channel: string }>()((db, given) =>
  db
    .select()
    .from(scopes)
    .where(
      and(eq(scopes.currency, given.one("currency")), eq(scopes.channel, given.one("channel"))),
    ),
);
const scopesOf = preparedByFilters<{ currency: readonly string[] }>()((db, given) =>
  db
    .select()
    .from(scopes)
    .where(inArray(scopes.currency, given.each("currency"))),
);
const namesOf = preparedByFilters<{ name: readonly string[] }>()((db, given) =>
  db
    .select()
    .from(names)
    .where(inArray(names.name, given.each("name"))),
);
const customersOf = preparedByFilters<{
  customerId: readonly string[];
  scope: readonly number[];
}>()((db, given) =>
  db
    .select()
    .from(customers)
    .where(
      and(
        inArray(customers.scope, given.each("scope")),
        inArray(customers.customerId, given.each("customerId")),
      ),
    ),
);
const checkoutsOf = preparedByFilters<{ subject: readonly string[] }>()((db, given) =>
  db
    .select()
    .from(checkouts)
    .where(inArray(checkouts.subject, given.each("subject"))),
);
const refundedOf = preparedByFilters<{ orderId: readonly string[] }>()((db, given) =>
  db
    .select()
    .from(refunded)
    .where(inArray(refunded.orderId, given.each("orderId"))),
);

/** Saves the latest title and SKU of a name. */
export async function renameThing(
  tx: Tx,
  row: Pick<NameRow, "number" | "title" | "sku">,
): Promise<void> {
  await rename(tx, row);
}

/** Saves the slot of the customer's last purchase. */
export async function replaceCustomer(tx: Tx, row: CustomerRow): Promise<void> {
  await saveCustomerQuery(tx, row);
}

/** Saves a cart or order that started a checkout. */
export async function replaceCheckout(tx: Tx, row: CheckoutRow): Promise<void> {
  await saveCheckout(tx, row);
}

/** Saves the refunded amount of the order's sale. */
export async function replaceRefunded(tx: Tx, row: RefundedRow): Promise<void> {
  await saveRefunded(tx, row);
}

/** The number of a scope; undefined before its first event. */
export async function findScope(
  db: Reader,
  place: Pick<ScopeRow, "currency" | "channel">,
): Promise<number | undefined> {
  return (await scopeAt(db, place))[0]?.number;
}

/** The scopes of these currencies. */
export async function findScopesOf(
  db: Reader,
  currency: readonly string[],
): Promise<readonly ScopeRow[]> {
  return currency.length === 0 ? [] : scopesOf(db, { currency });
}

/** The rows with these names, of any kind. */
export async function findNames(db: Reader, name: readonly string[]): Promise<readonly NameRow[]> {
  return name.length === 0 ? [] : namesOf(db, { name });
}

/** The last purchases of these customers in these scopes. */
export async function findCustomers(
  db: Reader,
  customerId: readonly string[],
  scope: readonly number[],
): Promise<readonly CustomerRow[]> {
  return customerId.length === 0 || scope.length === 0
    ? []
    : customersOf(db, { customerId, scope });
}

/** The carts and orders among these that started a checkout. */
export async function findCheckouts(
  db: Reader,
  subject: readonly string[],
): Promise<readonly CheckoutRow[]> {
  return subject.length === 0 ? [] : checkoutsOf(db, { subject });
}

/** The refunded amounts of these orders. */
export async function findRefunded(
  db: Reader,
  orderId: readonly string[],
): Promise<readonly RefundedRow[]> {
  return orderId.length === 0 ? [] : refundedOf(db, { orderId });
}
