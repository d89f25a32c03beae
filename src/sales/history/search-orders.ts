// Lookup: a page of what a search leads to. Each way is asked by an index in the order of the page: all
// at once would find every order of every customer who bears a name, and sort them.

import type { Id } from "#kernel/id.ts";
import type { PageRequest } from "#kernel/page.ts";
import type { Reader } from "#platform/database/database.ts";
import type { Order } from "#sales/orders/order.ts";
import {
  findLastOrders,
  findOrderIds,
  findOrderRows,
  listValues,
  type OrderFilters,
  type OrderListValues,
} from "#sales/orders/queries.ts";

/** Where a search may lead: exactly this number or external id, or any of these customers. */
export interface OrderSearch {
  readonly number: number;
  readonly externalId: string;
  readonly customerIds: readonly Id<"customer">[];
}

/** Orders that the filters let through, wherever the search leads, newest first; one row more than the page has. */
export async function searchOrders(
  db: Reader,
  { search, ...filters }: OrderFilters & { readonly search: OrderSearch },
  page: PageRequest,
): Promise<Order[]> {
  const values = listValues(filters, page);
  const { number, externalId, customerIds } = search;
  const ways = [{ number }, { externalId }, ...(await customersOfPage(db, customerIds, values))];
  const found = new Set<string>();
  for (const way of ways.filter((one) => agrees(one, values))) {
    for (const { id } of await findOrderIds(db, { ...values, ...way })) found.add(id);
  }
  return findOrderRows(db, newestFirst([...found]).slice(0, values.rows));
}

/**
 * Who of them has a part in the page, and from which order on. When as many others as the page has
 * rows ordered after somebody's last order, then none of theirs is on it.
 */
async function customersOfPage(
  db: Reader,
  customerIds: readonly string[],
  values: OrderListValues,
): Promise<Pick<OrderListValues, "customerId" | "from">[]> {
  const pageIds = customerIds.filter((customerId) => agrees({ customerId }, values));
  const buyerOf = new Map<string, string>();
  for (const { buyerId, orderId } of await findLastOrders(db, pageIds, values)) {
    if (orderId !== null) buyerOf.set(orderId, buyerId);
  }
  const lasts = newestFirst([...buyerOf.keys()]).slice(0, values.rows);
  const from = lasts[values.rows - 1] ?? values.from;
  return lasts.map((orderId) => ({ customerId: buyerOf.get(orderId), from }));
}

function newestFirst(ids: readonly string[]): string[] {
  return ids.toSorted().toReversed();
}

/** Whether a filter of the list asks for nothing else. */
function agrees(
  way: Pick<OrderListValues, "number" | "externalId" | "customerId">,
  values: OrderListValues,
): boolean {
  return (["number", "externalId", "customerId"] as const).every(
    (name) => way[name] === undefined || values[name] === undefined || way[name] === values[name],
  );
}
