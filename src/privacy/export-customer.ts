// Workflow: export all data of a customer as one document.

import { type CustomerRecord, getCustomerRecord } from "#customers/lookups.ts";
import { findSessionTimes, type SessionTimes } from "#customers/sessions/lookups.ts";
import type { Id } from "#kernel/id.ts";
import type { Page, PageRequest } from "#kernel/page.ts";
import { nextTurn } from "#kernel/time.ts";
import { listPayments, type WholePayment } from "#payments/rows/lookups.ts";
import type { Shop } from "#platform/database/shop.ts";
import { cartAt, findCartsOf } from "#sales/carts/lookups.ts";
import { listOrders } from "#sales/history/list-orders.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import type { LinkTerms } from "#sales/links/link-token.ts";
import { findReturnsOf, type ReturnView } from "#sales/orders/lookups.ts";
import type { PricedCart } from "#sales/rows/cart.ts";
import type { WholeOrder } from "#sales/rows/order.ts";

const ROWS_AT_ONCE = 100;

export interface ExportedCustomer extends CustomerRecord {
  /** Oldest first. */
  readonly carts: readonly PricedCart[];
  /** Newest first. */
  readonly orders: readonly WholeOrder[];
  /** The terms of the links to carts and orders. */
  readonly linkTerms: LinkTerms;
  /** Newest first. */
  readonly returns: readonly ReturnView[];
  /** Newest first. */
  readonly payments: readonly WholePayment[];
  /** When the customer signed in, oldest first. */
  readonly sessions: readonly SessionTimes[];
  readonly exportedAt: number;
}

/** Returns the customer with all its events, carts, orders, returns and payments. Refuses with `customer_not_found`. */
export async function exportCustomer(shop: Shop, id: Id<"customer">): Promise<ExportedCustomer> {
  const db = shop.database.read;
  const record = await getCustomerRecord(db, id);
  const orders = await allPages(
    (page) => listOrders(db, { customerId: id }, page),
    ({ order }) => order.id,
  );
  const payments = await allPages(
    (page) => listPayments(db, { customerId: id }, page),
    ({ payment }) => payment.id,
  );
  const returns = await findReturnsOf(db, id);
  const exportedAt = shop.clock.now();
  const carts: PricedCart[] = [];
  for (const cart of await findCartsOf(db, record.customer)) {
    carts.push(await cartAt(db, cart, exportedAt));
    // Strangers can name a customer in thousands.
    await nextTurn();
  }
  const linkTerms = await getLinkTerms(db);
  const sessions = await findSessionTimes(db, id);
  return { ...record, carts, orders, linkTerms, returns, payments, sessions, exportedAt };
}

async function allPages<Row>(
  read: (page: PageRequest) => Promise<Page<Row>>,
  idOf: (row: Row) => string,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let after: string | null = null, hasMore = true; hasMore;) {
    const page: Page<Row> = await read({ limit: ROWS_AT_ONCE, after });
    rows.push(...page.rows);
    const last = page.rows.at(-1);
    after = page.end ?? (last === undefined ? null : idOf(last));
    hasMore = page.hasMore;
    // A wholesaler has thousands of orders.
    await nextTurn();
  }
  return rows;
}
