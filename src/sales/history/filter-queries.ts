// SQL of the filters of lists of orders, and of the indexes that lists follow: each index has orders newest first, of which
// a part is looked at for the filters that it does not answer.

import {
  and,
  desc,
  eq,
  getTableColumns,
  gte,
  inArray,
  isNotNull,
  lt,
  type SQL,
  sql,
} from "drizzle-orm";

import type { Reader } from "#platform/database/database.ts";
import { weekOf } from "#platform/database/kit.ts";
import { type GivenFilters, preparedByFilters } from "#platform/database/prepared.ts";
import { filterConditions, inParts, inSpan, type Stream } from "#platform/database/walk.ts";
import { isToPack, kindOfOrder } from "#sales/rows/condition-queries.ts";
import { orderLines as lines, orderLineTerms as terms, orders } from "#sales/rows/tables.ts";

import type { OrderListValues } from "./order-filters.ts";

/** The filters that a statement is built for. */
type Given = GivenFilters<OrderListValues>;

/** Each filter's condition, beside the span of ids. */
const conditions = {
  ids: (given) => inArray(orders.id, given.each("ids")),
  status: (given) => inArray(orders.status, given.each("status")),
  paymentStatus: (given) => inArray(orders.paymentStatus, given.each("paymentStatus")),
  fulfillmentStatus: (given) => inArray(orders.fulfillmentStatus, given.each("fulfillmentStatus")),
  paymentMethod: (given) => inArray(orders.paymentMethod, given.each("paymentMethod")),
  toPack: () => isToPack,
  notToPack: () => sql`NOT (${isToPack})`,
  customerId: (given) => eq(orders.customerId, given.one("customerId")),
  channel: (given) => eq(orders.channel, given.one("channel")),
  number: (given) => eq(orders.number, given.one("number")),
  externalId: (given) => eq(orders.externalId, given.one("externalId")),
  productId: (given) => anyLine(eq(lines.productId, given.one("productId"))),
  productIds: (given) => anyLine(inArray(lines.productId, given.each("productIds"))),
  skus: (given) => anyLine(inArray(lines.sku, given.each("skus"))),
  paidFrom: (given) => gte(orders.paidAt, given.one("paidFrom")),
  paidBelow: (given) => lt(orders.paidAt, given.one("paidBelow")),
  updatedFrom: (given) => gte(orders.updatedAt, given.one("updatedFrom")),
  updatedBelow: (given) => lt(orders.updatedAt, given.one("updatedBelow")),
} as const satisfies Partial<Record<keyof OrderListValues, (given: Given) => SQL>>;

/** The filters that are given and not answered, and their conditions. */
export const { left: filtersLeft, allOf } = filterConditions<OrderListValues>()(conditions);

type FilterName = keyof typeof conditions;

/** Returns true if any line of the order matches. */
function anyLine(line: SQL): SQL {
  return sql`EXISTS (SELECT 1 FROM ${lines} WHERE ${and(eq(lines.orderId, orders.id), line)})`;
}

/** As many orders are looked at in a part. */
const LOOKS = 2_000;
/** The same where the lines of each are looked at. */
const LOOKS_AT_LINES = 1_000;

interface PartValues extends OrderListValues {
  /** As many of the index are looked at. */
  readonly looks: number;
}
interface PlaceValues extends OrderListValues {
  /** The place that is asked for comes after so many of the index. */
  readonly passed: number;
}

interface Index {
  /** The filters that it answers by itself. */
  readonly answers: readonly FilterName[];
  readonly condition: (given: Given) => SQL | undefined;
}

const states = ["status", "paymentStatus", "fulfillmentStatus", "toPack", "notToPack"] as const;
const paid = ["paidFrom", "paidBelow"] as const;
const updated = ["updatedFrom", "updatedBelow"] as const;

/** Each index by what is given for it. */
const indexes = {
  term: { answers: [], condition: (given) => eq(terms.term, given.one("term")) },
  kind: { answers: states, condition: (given) => eq(kindOfOrder, given.one("kind")) },
  paidWeek: {
    answers: paid,
    condition: (given) =>
      and(
        eq(weekOf("paid_at"), given.one("paidWeek")),
        isNotNull(orders.paidAt),
        allOf(
          given,
          paid.filter((name) => given.has(name)),
        ),
      ),
  },
  updatedWeek: {
    answers: updated,
    condition: (given) =>
      and(
        eq(weekOf("updated_at"), given.one("updatedWeek")),
        allOf(
          given,
          updated.filter((name) => given.has(name)),
        ),
      ),
  },
  customerId: {
    answers: ["customerId"],
    condition: (given) => eq(orders.customerId, given.one("customerId")),
  },
} as const satisfies Partial<Record<keyof OrderListValues, Index>>;

/** All orders, by their ids. */
const whole: Index = { answers: [], condition: () => undefined };

type Has = (name: keyof OrderListValues) => boolean;

function indexFor(has: Has): Index {
  if (has("term")) return indexes.term;
  if (has("kind")) return indexes.kind;
  if (has("paidWeek")) return indexes.paidWeek;
  if (has("updatedWeek")) return indexes.updatedWeek;
  return has("customerId") ? indexes.customerId : whole;
}

/** The filters that each order is looked at for. */
const leftFor = (has: Has) => filtersLeft(has, indexFor(has).answers);

/** The orders of the index that are in the span. */
function inIndex(given: Given): SQL | undefined {
  const index = indexFor((name) => given.has(name));
  return and(index.condition(given), inSpan(given, idOf(given)));
}

function idOf(given: Given) {
  return given.has("term") ? terms.orderId : orders.id;
}

const part = preparedByFilters<PartValues>()((db, given) => {
  const left = leftFor((name) => given.has(name));
  const [id, where] = [idOf(given), inIndex(given)];
  const from = given.has("term")
    ? db.select(getTableColumns(orders)).from(terms).innerJoin(orders, eq(orders.id, terms.orderId))
    : db.select(getTableColumns(orders)).from(orders);
  if (left.length === 0) {
    return db.select({ id }).from(orders).where(where).orderBy(desc(id)).limit(given.one("rows"));
  }
  // Under the name of the table, so that conditions of it are those of the part.
  const few = from.where(where).orderBy(desc(id)).limit(given.one("looks")).as("orders");
  return db
    .select({ id: few.id })
    .from(few)
    .where(allOf(given, left))
    .orderBy(desc(few.id))
    .limit(given.one("rows"));
});

const placeAfter = preparedByFilters<PlaceValues>()((db, given) => {
  const [id, where] = [idOf(given), inIndex(given)];
  const from = given.has("term") ? db.select({ id }).from(terms) : db.select({ id }).from(orders);
  return from.where(where).orderBy(desc(id)).limit(1).offset(given.one("passed"));
});

/** The orders of the index that these values name, and those of them that have what else is given. */
export function streamOf(db: Reader, values: OrderListValues, start?: string): Stream {
  const has: Has = (name) => values[name] !== undefined;
  const left = leftFor(has);
  const looksAtLines = left.some((name) => ["productId", "productIds", "skus"].includes(name));
  const stream = inParts(values, {
    matching: (looked) => part(db, looked),
    placeAfter: left.length === 0 ? null : (looked) => placeAfter(db, looked),
    most: looksAtLines ? LOOKS_AT_LINES : LOOKS,
  });
  return start === undefined ? stream : { ...stream, start };
}
