// Lookup: pages of orders, each with its lines and fulfillments, by filters and by search. A search
// runs one indexed query for each of its criteria, in the order of the page: a single query over
// all of them would find and sort every order of every customer with a common name.

import { findProductsMatching } from "#catalog/products/lookups.ts";
import { findCustomersMatching } from "#customers/lookups.ts";
import type { Id } from "#kernel/id.ts";
import { type Counted, countUpTo, type Page, type PageRequest, toPage } from "#kernel/page.ts";
import type { Reader } from "#platform/database/database.ts";
import type { Order, WholeOrder } from "#sales/rows/order.ts";
import { findWholeOrders, orderRows } from "#sales/rows/queries.ts";

import { type FoundId, newest } from "./filter-queries.ts";
import { findOrderIdsOfProducts } from "./line-queries.ts";
import {
  listValues,
  type OrderFilters,
  type OrderListValues,
  type OrderSpan,
} from "./order-filters.ts";
import {
  countOrderRows,
  findLastOrders,
  findOldestToPack,
  findOrderIds,
  findShortOrders,
  listOrderRows,
} from "./queries.ts";

export interface OrderQuery extends OrderFilters {
  /** An order number, an external id, words of a customer's name, email or phone, or words of a product. */
  readonly q?: string | undefined;
}

/** The criteria of a search; an order matches if any of them does. */
interface OrderSearch {
  readonly number: number;
  readonly externalId: string;
  readonly customerIds: readonly Id<"customer">[];
  readonly productIds: readonly Id<"product">[];
}

type Criterion = Pick<
  OrderListValues,
  "number" | "externalId" | "customerId" | "productId" | "from"
>;

/** Returns a page of orders, newest first. */
export async function listOrders(
  db: Reader,
  { q, ...filters }: OrderQuery,
  page: PageRequest,
): Promise<Page<WholeOrder>> {
  const found =
    q === undefined
      ? await listOrderRows(db, filters, page)
      : await searchOrders(db, { ...filters, search: await searchOf(db, q) }, page);
  const { rows, hasMore } = toPage(found, page.limit);
  return { rows: await findWholeOrders(db, rows), hasMore };
}

async function searchOf(db: Reader, q: string): Promise<OrderSearch> {
  const text = q.trim();
  const digits = /^#?([0-9]{1,15})$/.exec(text)?.[1];
  return {
    number: digits === undefined ? -1 : Number(digits),
    externalId: text,
    customerIds: await findCustomersMatching(db, text),
    productIds: await findProductsMatching(db, text),
  };
}

/** Orders that match the search and all filters, newest first; one row more than the page has. */
async function searchOrders(
  db: Reader,
  { search, ...filters }: OrderFilters & { readonly search: OrderSearch },
  page: PageRequest,
): Promise<Order[]> {
  const values = listValues(filters, page);
  const { number, externalId, customerIds, productIds } = search;
  const customers = await customersOfPage(db, customerIds, values);
  const criteria: Criterion[] = [{ number }, { externalId }, ...customers];
  let found: readonly FoundId[] = [];
  for (const criterion of criteria.filter((one) => isCompatible(one, values))) {
    // Once a page is full, an index is read only as far as its ids can still be on the page.
    const from = laterOf(criterion.from ?? values.from, found[values.rows - 1]?.id);
    const more = await findOrderIds(db, { ...values, ...criterion, from });
    found = newest([...found, ...more], values.rows);
  }
  const products = productIds.filter((productId) => isCompatible({ productId }, values));
  const from = laterOf(values.from, found[values.rows - 1]?.id);
  const sold = await findOrderIdsOfProducts(db, { ...values, from }, products);
  const ids = newest([...found, ...sold], values.rows).map(({ id }) => id);
  return orderRows.findAll(db, ids);
}

function laterOf(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one > other ? one : other;
}

/**
 * The customers whose orders can be on the page: those who ordered last, as many as the page has
 * rows. No order on the page is older than the oldest of their last orders.
 */
async function customersOfPage(
  db: Reader,
  customerIds: readonly string[],
  values: OrderListValues,
): Promise<Criterion[]> {
  const matching = customerIds.filter((customerId) => isCompatible({ customerId }, values));
  const customerOf = new Map<string, string>();
  for (const { customerId, orderId } of await findLastOrders(db, matching, values)) {
    if (orderId !== null) customerOf.set(orderId, customerId);
  }
  const last = newest(
    [...customerOf.keys()].map((id) => ({ id })),
    values.rows,
  );
  const from = last[values.rows - 1]?.id ?? values.from;
  return last.map(({ id }) => ({ customerId: customerOf.get(id), from }));
}

/** Returns true if no filter of the list names a different value. */
function isCompatible(criterion: Criterion, values: OrderListValues): boolean {
  return (["number", "externalId", "customerId", "productId"] as const).every(
    (name) =>
      criterion[name] === undefined ||
      values[name] === undefined ||
      criterion[name] === values[name],
  );
}

/** Counts all orders of the span. */
export function countOrders(db: Reader, span: OrderSpan): Promise<number> {
  return countOrderRows(db, span);
}

export interface ToPack extends Counted {
  /** When the oldest of them was placed, epoch milliseconds; null if there is none. */
  readonly oldestAt: number | null;
}

/** Counts the orders that were paid and owe something again, up to a limit. */
export async function countShortOrders(db: Reader, limit: number): Promise<Counted> {
  return countUpTo(await findShortOrders(db, limit + 1), limit);
}

/** Counts the orders whose goods wait to be sent, up to a limit. */
export async function countToPack(db: Reader, limit: number): Promise<ToPack> {
  const found = await findOldestToPack(db, limit + 1);
  return { ...countUpTo(found, limit), oldestAt: found[0]?.createdAt ?? null };
}
