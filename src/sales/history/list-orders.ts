// Lookup: pages of orders, each with its lines and fulfillments, by filters and by search. A search
// runs one indexed query for each of its criteria, in the order of the page: a single query over
// all of them would find and sort every order of every customer with a common name.

import { findProductsMatching } from "#catalog/products/lookups.ts";
import { findCustomersMatching } from "#customers/lookups.ts";
import type { Id } from "#kernel/id.ts";
import { type Counted, countUpTo, type Page, type PageRequest, toPage } from "#kernel/page.ts";
import type { Reader } from "#platform/database/database.ts";
import { walk, type Walked } from "#platform/database/walk.ts";
import type { WholeOrder } from "#sales/rows/order.ts";
import { findWholeOrders, orderRows } from "#sales/rows/queries.ts";

import { streamsOfProducts } from "./line-queries.ts";
import {
  listValues,
  type OrderFilters,
  type OrderListValues,
  type OrderSpan,
} from "./order-filters.ts";
import {
  countOrderRows,
  findOldestToPack,
  findOrderIds,
  findShortOrders,
  spanOf,
  streamOfFew,
  streamsOfCustomers,
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

type Criterion = Pick<OrderListValues, "number" | "externalId" | "customerId" | "productId">;

/**
 * Returns a page of orders, newest first. It is short, or empty, with more behind it, where its filters leave few of many
 * orders. Refuses with `server_busy`.
 */
export async function listOrders(
  db: Reader,
  { q, ...filters }: OrderQuery,
  page: PageRequest,
): Promise<Page<WholeOrder>> {
  const values = listValues(filters, page);
  const found =
    q === undefined
      ? await findOrderIds(db, values)
      : await searchOrders(db, values, await searchOf(db, q));
  const { rows: ids, hasMore } = toPage(found.ids, page.limit);
  const rows = await findWholeOrders(db, await orderRows.findAll(db, ids));
  return { rows, hasMore: hasMore || found.stop !== null, end: found.stop ?? undefined };
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

/** The orders that match the search and all filters, newest first. */
async function searchOrders(
  db: Reader,
  values: OrderListValues,
  { number, externalId, customerIds, productIds }: OrderSearch,
): Promise<Walked> {
  const fits = (criterion: Criterion) => isCompatible(criterion, values);
  const named = [{ number }, { externalId }].filter(fits);
  const products = productIds.filter((productId) => fits({ productId }));
  const streams = [
    ...named.map((one) => streamOfFew(db, { ...values, ...one })),
    ...(await streamsOfCustomers(
      db,
      values,
      customerIds.filter((customerId) => fits({ customerId })),
    )),
    ...(await streamsOfProducts(db, values, products)),
  ];
  return walk(db, streams, spanOf(values));
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
