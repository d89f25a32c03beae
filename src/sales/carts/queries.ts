// SQL of carts beside the statements of every record.

import { and, asc, count, desc, eq, gt, gte, inArray, isNull, lt, or } from "drizzle-orm";

import type { Id } from "#kernel/id.ts";
import type { PageRequest } from "#kernel/page.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { prepared, preparedByFilters, preparedWrite } from "#platform/database/prepared.ts";
import { newestOfEach, versionedStatements } from "#platform/database/statements.ts";
import { withLineIds } from "#sales/rows/cart-lines.ts";
import { type Cart, cartNotFound } from "#sales/rows/cart.ts";
import type { CartStatus } from "#sales/rows/order-life.ts";
import { type CartRow, carts } from "#sales/rows/tables.ts";

/** The filters of a list; an array matches any of its values. */
export interface CartFilters {
  readonly status?: readonly string[] | undefined;
  readonly customerId?: string | undefined;
  /** The smallest id of the span, and the first id above it. */
  readonly from?: Id<"cart"> | undefined;
  readonly below?: Id<"cart"> | undefined;
}

/** A customer as carts name them: by id, or by the contact entered in the cart. */
export interface CartOwner {
  readonly customerId: string;
  readonly email: string | null;
  readonly phone: string | null;
}

const rows = versionedStatements(carts, cartNotFound);

/** Statements of the cart's row. `get` and `lock` refuse with `cart_not_found`. */
export const cartRows = {
  insert: rows.insert,
  save: rows.save,
  get: async (db: Reader, id: string) => withLineIds(await rows.get(db, id)),
  lock: async (tx: Tx, id: string) => withLineIds(await rows.lock(tx, id)),
  find: async (db: Reader, id: string) => named(await rows.find(db, id)),
  findLocked: async (tx: Tx, id: string) => named(await rows.findLocked(tx, id)),
};

function named(cart: CartRow | undefined): Cart | undefined {
  return cart === undefined ? undefined : withLineIds(cart);
}

const listCarts = preparedByFilters<CartFilters & { after?: string | undefined; rows: number }>()(
  (db, given) =>
    db
      .select()
      .from(carts)
      .where(
        and(
          given.has("status") ? inArray(carts.status, given.each("status")) : undefined,
          given.has("customerId") ? eq(carts.customerId, given.one("customerId")) : undefined,
          given.has("from") ? gte(carts.id, given.one("from")) : undefined,
          given.has("below") ? lt(carts.id, given.one("below")) : undefined,
          given.has("after") ? lt(carts.id, given.one("after")) : undefined,
        ),
      )
      .orderBy(desc(carts.id))
      .limit(given.one("rows")),
);

const cartsOfOwner = prepared<CartOwner & { after: string; rows: number }>()((db, at) =>
  db
    .select()
    .from(carts)
    .where(
      and(
        gt(carts.id, at.after),
        or(
          eq(carts.customerId, at.customerId),
          eq(carts.email, at.email),
          eq(carts.phone, at.phone),
        ),
      ),
    )
    .orderBy(asc(carts.id))
    .limit(at.rows),
);

const dropCart = preparedWrite<{ id: string }>()((tx, at) =>
  tx.delete(carts).where(eq(carts.id, at.id)).returning({ id: carts.id }),
);

/** Returns carts, newest first; one row more than the page has. */
export async function listCartRows(
  db: Reader,
  filters: CartFilters,
  page: PageRequest,
): Promise<Cart[]> {
  const values = { ...filters, after: page.after ?? undefined, rows: page.limit + 1 };
  const found = await newestOfEach(values, ["status"], (one) => listCarts(db, one));
  return found.map(withLineIds);
}

/** Returns carts of the customer after the given id, oldest first. No index serves this query. */
export async function findCartRowsOf(
  db: Reader,
  owner: CartOwner,
  page: { readonly after: string; readonly rows: number },
): Promise<Cart[]> {
  return (await cartsOfOwner(db, { ...owner, ...page })).map(withLineIds);
}

const openStatuses: readonly CartStatus[] = ["active", "checkout", "abandoned"];

const openCount = prepared()((db) =>
  db
    .select({ count: count() })
    .from(carts)
    .where(inArray(carts.status, [...openStatuses])),
);
const expiredCarts = prepared<{ expiredBefore: number; limit: number }>()((db, at) =>
  db
    .select({ id: carts.id })
    .from(carts)
    .where(and(eq(carts.status, "expired"), lt(carts.updatedAt, at.expiredBefore)))
    .orderBy(asc(carts.id))
    .limit(at.limit),
);
const namelessCarts = prepared<{ limit: number }>()((db, at) =>
  db
    .select({ id: carts.id })
    .from(carts)
    .where(
      and(
        inArray(carts.status, [...openStatuses]),
        isNull(carts.email),
        isNull(carts.phone),
        isNull(carts.customerId),
      ),
    )
    .orderBy(asc(carts.id))
    .limit(at.limit),
);

/** How many carts can still become orders. */
export async function countOpenCarts(db: Reader): Promise<number> {
  return (await openCount(db, {}))[0]?.count ?? 0;
}

/** Carts that expired before an instant (epoch milliseconds), oldest first. */
export async function findExpiredCarts(
  db: Reader,
  terms: { readonly expiredBefore: number; readonly limit: number },
): Promise<Id<"cart">[]> {
  return (await expiredCarts(db, terms)).map(({ id }) => id);
}

/** Open carts without email, phone and customer, oldest first. */
export async function findNamelessCarts(db: Reader, limit: number): Promise<Id<"cart">[]> {
  return (await namelessCarts(db, { limit })).map(({ id }) => id);
}

/** Deletes the cart; false if it does not exist. */
export async function deleteCartRow(tx: Tx, id: string): Promise<boolean> {
  return (await dropCart(tx, { id })).length === 1;
}
