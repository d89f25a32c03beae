// The orders behind rows of refunds and disputes, which name an order by its id alone.

import type { Visit } from "#dashboard/kit/visit.ts";
import { nameOf } from "#dashboard/orders/order-row.ts";
import { en } from "#dashboard/words/en.ts";
import { type Html, html } from "#platform/html/html.ts";
import { type OrderAnswer, orderWire } from "#sales/orders/schema.ts";

interface RowOfOrder {
  /** Null for a payment link. */
  readonly order_id: string | null;
}

/** Returns how each row of a page begins: with the number of its order and the customer. */
export async function namesOfRows(
  visit: Visit,
  rows: readonly RowOfOrder[],
): Promise<(row: RowOfOrder) => Html> {
  const ids = [...new Set(rows.flatMap(({ order_id: id }) => (id === null ? [] : [id])))];
  const orders = ids.length === 0 ? [] : await ordersWith(visit, ids);
  return ({ order_id: id }) => {
    const order = orders.find((one) => one.id === id);
    return order === undefined
      ? html`<span class="name">${en.worklists.link}</span>`
      : nameOf(order);
  };
}

async function ordersWith(visit: Visit, ids: readonly string[]): Promise<readonly OrderAnswer[]> {
  const query = { id: ids.join(","), limit: String(ids.length) };
  return (await visit.list(orderWire, "GET /v2/orders", { query })).data;
}
