// All SQL of a search for orders. Where it leads is asked way by way, each by an index in the order of
// the page: all at once would find every order of every customer who bears a name, and sort them.

import { desc, eq, inArray, sql } from "drizzle-orm";

import { customers } from "#customers/tables.ts";
import type { Id } from "#kernel/id.ts";
import type { PageRequest } from "#kernel/page.ts";
import { preparedByFilters } from "#platform/store/prepared.ts";
import type { Reader } from "#platform/store/store.ts";

import type { Order } from "./order.ts";
import { listValues, matching, type OrderFilters, type OrderListValues } from "./queries.ts";
import { orders } from "./tables.ts";

/** Where a search may lead: exactly this number or external id, or any of these customers. */
export interface OrderSearch {
  readonly number: number;
  readonly externalId: string;
  readonly customerIds: readonly Id<"customer">[];
}

interface BuyerValues extends OrderListValues {
  buyerIds: readonly string[];
}

const listOrderIds = preparedByFilters<OrderListValues>()((db, given) =>
  db
    .select({ id: orders.id })
    .from(orders)
    .where(matching(given))
    .orderBy(desc(orders.id))
    .limit(given.one("rows")),
);
/** One look into the index for each buyer, however often they ordered. */
const lastOfBuyers = preparedByFilters<BuyerValues>()((db, given) =>
  db
    .select({
      buyerId: customers.id,
      orderId: sql<string | null>`(${db
        .select({ id: orders.id })
        .from(orders)
        .where(sql`${eq(orders.customerId, customers.id)} AND ${matching(given) ?? sql`1 = 1`}`)
        .orderBy(desc(orders.id))
        .limit(1)})`,
    })
    .from(customers)
    .where(inArray(customers.id, given.each("buyerIds"))),
);
const ordersByIds = preparedByFilters<{ ids: readonly string[] }>()((db, given) =>
  db
    .select()
    .from(orders)
    .where(inArray(orders.id, given.each("ids")))
    .orderBy(desc(orders.id)),
);

/** Orders that the filters let through, wherever the search leads, newest first; one row more than the page has. */
export async function searchOrderRows(
  db: Reader,
  { search, ...filters }: OrderFilters & { readonly search: OrderSearch },
  page: PageRequest,
): Promise<Order[]> {
  const values = listValues(filters, page);
  const { number, externalId, customerIds } = search;
  const ways = [{ number }, { externalId }, ...(await buyersOfPage(db, customerIds, values))];
  const found = new Set<string>();
  for (const way of ways.filter((one) => agrees(one, values))) {
    for (const { id } of await listOrderIds(db, { ...values, ...way })) found.add(id);
  }
  const ids = newestFirst([...found]).slice(0, values.rows);
  return ids.length === 0 ? [] : ordersByIds(db, { ids });
}

/**
 * Who of them has a part in the page, and from which order on. When as many others as the page has
 * rows ordered after somebody's last order, then none of theirs is on it.
 */
async function buyersOfPage(
  db: Reader,
  customerIds: readonly string[],
  values: OrderListValues,
): Promise<Pick<OrderListValues, "customerId" | "from">[]> {
  const buyerIds = customerIds.filter((customerId) => agrees({ customerId }, values));
  if (buyerIds.length === 0) return [];
  const lastOf = new Map<string, string>();
  for (const { buyerId, orderId } of await lastOfBuyers(db, { ...values, buyerIds })) {
    if (orderId !== null) lastOf.set(orderId, buyerId);
  }
  const lasts = newestFirst([...lastOf.keys()]).slice(0, values.rows);
  const from = lasts[values.rows - 1] ?? values.from;
  return lasts.map((orderId) => ({ customerId: lastOf.get(orderId), from }));
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
