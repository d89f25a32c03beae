// SQL of lists of payments. A list follows the index of one of its filters; each payment of it is looked at for the others.

import { and, desc, eq, gte, inArray, lt, type SQL, sql } from "drizzle-orm";

import type { Id } from "#kernel/id.ts";
import type { PageRequest } from "#kernel/page.ts";
import type { Reader } from "#platform/database/database.ts";
import { type GivenFilters, preparedByFilters } from "#platform/database/prepared.ts";
import {
  filterConditions,
  inParts,
  inSpan,
  type SpanValues,
  type Stream,
  walk,
  type Walked,
} from "#platform/database/walk.ts";
import type { Taker } from "#shop/store/payment-methods.ts";

import { payments } from "./tables.ts";

/** The filters of a list; a list of values means any of them. */
export interface PaymentFilters {
  readonly status?: readonly string[] | undefined;
  readonly method?: readonly string[] | undefined;
  readonly orderId?: string | undefined;
  readonly gateway?: string | undefined;
  readonly taker?: Taker | undefined;
  readonly transactionKey?: string | undefined;
  readonly currency?: string | undefined;
  readonly succeededFrom?: number | undefined;
  readonly succeededBelow?: number | undefined;
  /** Without an index: only the export of a customer uses it. */
  readonly customerId?: Id<"customer"> | undefined;
  /** From this id, below that one. */
  readonly from?: Id<"payment"> | undefined;
  readonly below?: Id<"payment"> | undefined;
  /**
   * Succeeded at a gateway before this instant, and in no payout; since the first payment that one has, because what came
   * before it was paid out before the shop read payouts.
   */
  readonly unpaidOutBefore?: number | undefined;
}

interface ListValues extends Omit<PaymentFilters, "from" | "below">, SpanValues {}

type Given = GivenFilters<ListValues>;

/** As many payments are looked at in a part. */
const LOOKS = 2_000;

/** Money of gateways that are known to list payouts. */
const unpaidOut = sql`payout_id IS NULL AND gateway IS NOT NULL AND succeeded_at IS NOT NULL
  AND ${payments.capturedMinor} > 0
  AND ${payments.succeededAt} >= (SELECT min(earlier.succeeded_at) FROM payments earlier
    WHERE earlier.gateway = ${payments.gateway} AND earlier.payout_id IS NOT NULL)`;

const conditions = {
  orderId: (given) => eq(payments.orderId, given.one("orderId")),
  transactionKey: (given) => eq(payments.transactionKey, given.one("transactionKey")),
  status: (given) => inArray(payments.status, given.each("status")),
  method: (given) => inArray(payments.method, given.each("method")),
  gateway: (given) => eq(payments.gateway, given.one("gateway")),
  taker: (given) =>
    sql`CASE WHEN ${payments.gateway} IS NULL THEN 'hand' ELSE 'gateway' END = ${given.one("taker")}`,
  currency: (given) => eq(payments.currency, given.one("currency")),
  customerId: (given) => eq(payments.customerId, given.one("customerId")),
  succeededFrom: (given) => gte(payments.succeededAt, given.one("succeededFrom")),
  succeededBelow: (given) => lt(payments.succeededAt, given.one("succeededBelow")),
} as const satisfies Partial<Record<keyof ListValues, (given: Given) => SQL>>;
const filters = filterConditions<ListValues>()(conditions);

type FilterName = keyof typeof conditions;
type Has = (name: keyof ListValues) => boolean;

/** The filters whose indexes lists follow: of an order and of a transaction there are the fewest. */
const indexed = [
  "orderId",
  "transactionKey",
  "status",
  "method",
] as const satisfies readonly FilterName[];

/** The filter whose index a list follows. */
const indexFor = (has: Has) => indexed.find(has);

/** The filters that each payment is looked at for. */
function leftFor(has: Has): FilterName[] {
  const index = indexFor(has);
  return filters.left(has, index === undefined ? [] : [index]);
}

/** The payments of the index that are in the span. */
function inIndex(given: Given): SQL | undefined {
  const index = indexFor((name) => given.has(name));
  return and(
    index === undefined ? undefined : conditions[index](given),
    index === "orderId" ? sql`order_id IS NOT NULL` : undefined,
    index === "transactionKey" ? sql`transaction_key IS NOT NULL` : undefined,
    inSpan(given, payments.id),
  );
}

const part = preparedByFilters<ListValues & { readonly looks: number }>()((db, given) => {
  const left = leftFor((name) => given.has(name));
  const { id, status, method, gateway, currency, customerId, succeededAt } = payments;
  if (left.length === 0) {
    return db
      .select({ id })
      .from(payments)
      .where(inIndex(given))
      .orderBy(desc(id))
      .limit(given.one("rows"));
  }
  const columns = { id, status, method, gateway, currency, customerId, succeededAt };
  // Under the name of the table, so that conditions of it are those of the part.
  const looked = db
    .select(columns)
    .from(payments)
    .where(inIndex(given))
    .orderBy(desc(id))
    .limit(given.one("looks"))
    .as("payments");
  return db
    .select({ id: looked.id })
    .from(looked)
    .where(filters.allOf(given, left))
    .orderBy(desc(looked.id))
    .limit(given.one("rows"));
});

const placeAfter = preparedByFilters<ListValues & { readonly passed: number }>()((db, given) =>
  db
    .select({ id: payments.id })
    .from(payments)
    .where(inIndex(given))
    .orderBy(desc(payments.id))
    .limit(1)
    .offset(given.one("passed")),
);

/** The few that no payout has, or that a transfer paid, are found by their own index, which has another order. */
const few = preparedByFilters<ListValues>()((db, given) =>
  db
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        given.has("unpaidOutBefore")
          ? and(unpaidOut, lt(payments.succeededAt, given.one("unpaidOutBefore")))
          : undefined,
        inIndex(given),
        filters.allOf(
          given,
          leftFor((name) => given.has(name)),
        ),
      ),
    )
    .orderBy(sql`${payments.id} || '' DESC`)
    .limit(given.one("rows")),
);

function streamOf(db: Reader, values: ListValues): Stream {
  const isWhole = leftFor((name) => values[name] !== undefined).length === 0;
  return inParts(values, {
    matching: (looked) => part(db, looked),
    placeAfter: isWhole ? null : (looked) => placeAfter(db, looked),
    most: LOOKS,
  });
}

/** A list of values is a stream per value, so that each follows its index. */
function streamsFor(db: Reader, values: ListValues): Stream[] {
  const index = indexFor((name) => values[name] !== undefined);
  if (index !== "status" && index !== "method") return [streamOf(db, values)];
  const each = new Set(values[index]);
  return [...each].map((value) => streamOf(db, { ...values, [index]: [value] }));
}

/** The ids of payments, newest first; one more than the page has. Refuses with `server_busy`. */
export async function findPaymentIds(
  db: Reader,
  asked: PaymentFilters,
  { after, limit }: PageRequest,
): Promise<Walked> {
  const values = { ...asked, after: after ?? undefined, rows: limit + 1 };
  if (asked.unpaidOutBefore !== undefined || asked.transactionKey !== undefined) {
    return { ids: (await few(db, values)).map(({ id }) => id), stop: null };
  }
  const { after: below, from, rows } = values;
  return walk(db, streamsFor(db, values), { below, from, rows });
}
