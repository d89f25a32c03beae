// Workflow: everything that a customer who is signed in may read, as one document.

import { type Customer, provedContact } from "#customers/customer.ts";
import { findSessionTimes, getSignedIn, type SessionTimes } from "#customers/sessions/lookups.ts";
import { nextTurn } from "#kernel/time.ts";
import type { Shop } from "#platform/database/shop.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import { listOrdersOfContact } from "#sales/orders/lookups.ts";
import type { WholeOrder } from "#sales/rows/order.ts";

import { type OwnOrderView, viewOwnOrder } from "./own-order.ts";

const ORDERS_AT_ONCE = 100;

export interface ExportedMe {
  readonly customer: Customer;
  /** Newest first. */
  readonly orders: readonly OwnOrderView[];
  /** Oldest first. */
  readonly sessions: readonly SessionTimes[];
  readonly exportedAt: number;
}

/** Returns the customer with their orders and sessions. Refuses with `customer_session_invalid`. */
export async function exportMe(
  { database, clock }: Shop,
  token: string | null,
): Promise<ExportedMe> {
  const db = database.read;
  const exportedAt = clock.now();
  const customer = await getSignedIn(db, token, exportedAt);
  const orders: WholeOrder[] = [];
  for (let hasMore = true; hasMore;) {
    const after = orders.at(-1)?.order.id ?? null;
    const page = { limit: ORDERS_AT_ONCE, after };
    const found = await listOrdersOfContact(db, provedContact(customer), page);
    orders.push(...found.rows);
    ({ hasMore } = found);
    await nextTurn();
  }
  const terms = await getLinkTerms(db);
  const sessions = await findSessionTimes(db, customer.id);
  return { customer, orders: orders.map((one) => viewOwnOrder(one, terms)), sessions, exportedAt };
}
