// SQL of carts beside the statements of every record.

import { and, asc, desc, eq, gt, gte, inArray, lt, or } from "drizzle-orm";

import type { Id } from "#kernel/id.ts";
import type { PageRequest } from "#kernel/page.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import {
  newestOfEach,
  prepared,
  preparedByFilters,
  preparedWrite,
} from "#platform/database/prepared.ts";
import { versionedStatements } from "#platform/database/statements.ts";

import { type Cart, cartNotFound } from "./cart.ts";
import { carts } from "./tables.ts";

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

/** Statements of the cart's row. `get` and `lock` refuse with `cart_not_found`. */
export const cartRows = versionedStatements(carts, cartNotFound);

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
export function listCartRows(db: Reader, filters: CartFilters, page: PageRequest): Promise<Cart[]> {
  const values = { ...filters, after: page.after ?? undefined, rows: page.limit + 1 };
  return newestOfEach(values, ["status"], (one) => listCarts(db, one));
}

/** Returns carts of the customer after the given id, oldest first. No index serves this query. */
export function findCartRowsOf(
  db: Reader,
  owner: CartOwner,
  page: { readonly after: string; readonly rows: number },
): Promise<Cart[]> {
  return cartsOfOwner(db, { ...owner, ...page });
}

/** Deletes the cart; false if it does not exist. */
export async function deleteCartRow(tx: Tx, id: string): Promise<boolean> {
  return (await dropCart(tx, { id })).length === 1;
}
