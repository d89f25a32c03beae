// Workflow: everything kept under a person's name, in one document.

import { exportCustomer, type ExportedCustomer } from "#customers/export-customer.ts";
import type { Id } from "#kernel/id.ts";
import type { Shop } from "#platform/database/store.ts";
import type { PricedCart } from "#sales/carts/cart.ts";
import { findCartsOf } from "#sales/carts/find-carts-of.ts";
import { listOrders } from "#sales/history/list-orders.ts";
import type { WholeOrder } from "#sales/orders/order.ts";

const ORDERS_AT_ONCE = 100;

export interface ExportedPerson extends ExportedCustomer {
  /** Oldest first. */
  readonly carts: readonly PricedCart[];
  /** Newest first. */
  readonly orders: readonly WholeOrder[];
  readonly exportedAt: number;
}

/** The customer with its timeline, every cart and every order. Refuses with `customer_not_found`. */
export async function exportPerson(shop: Shop, id: Id<"customer">): Promise<ExportedPerson> {
  const db = shop.store.read;
  const record = await exportCustomer(db, id);
  const orders: WholeOrder[] = [];
  for (let after: string | null = null, hasMore = true; hasMore;) {
    const page = await listOrders(db, { customerId: id }, { limit: ORDERS_AT_ONCE, after });
    orders.push(...page.rows);
    after = page.rows.at(-1)?.order.id ?? null;
    hasMore = page.hasMore;
  }
  const carts = await findCartsOf(db, record.customer);
  return { ...record, carts, orders, exportedAt: shop.clock.now() };
}
