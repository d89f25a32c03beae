// What a summary must say, worked out from the rows of orders, payments and carts themselves: slowly,
// and without the projection or the log.

import { Database } from "bun:sqlite";

/** Epoch milliseconds; the end is not within. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface Question extends Range {
  readonly currency: string;
  /** All channels where nothing is said. */
  readonly channel?: string | undefined;
}

type Row = Record<string, number>;

/** The figures of one currency, by the names that `figuresOf` gives to those of an answer. */
export function directFigures(path: string, question: Question): Record<string, unknown> {
  using database = new Database(path, { readonly: true, strict: true });
  const values = { ...question, channel: question.channel ?? null };
  const one = (text: string): Row => database.query<Row, typeof values>(text).get(values) ?? {};
  const all = (text: string): Row[] => database.query<Row, typeof values>(text).all(values);
  const mine = "currency = :currency AND (:channel IS NULL OR channel = :channel)";
  const within = (column: string) => `${column} >= :from AND ${column} < :to`;
  const happened = (column: string, more = "1 = 1") =>
    one(`SELECT count(*) AS n FROM orders WHERE ${mine} AND ${within(column)} AND ${more}`)["n"];
  const sales = one(
    `SELECT coalesce(sum(subtotal_minor), 0) AS gross, coalesce(sum(discount_minor), 0) AS discounts,
       coalesce(sum(shipping_minor), 0) AS shipping, coalesce(sum(tax_minor), 0) AS tax
     FROM orders WHERE ${mine} AND ${within("paid_at")}`,
  );
  const refunds = one(
    `SELECT coalesce(sum(refunds.amount_minor), 0) AS n FROM refunds
     JOIN orders ON orders.id = refunds.order_id
     WHERE refunds.status = 'succeeded' AND NOT refunds.is_automatic AND orders.paid_at IS NOT NULL
       AND orders.currency = :currency AND (:channel IS NULL OR orders.channel = :channel)
       AND ${within("max(refunds.succeeded_at, orders.paid_at)")}`,
  )["n"];
  const lines = all(
    `SELECT variant_id AS variant, sum(quantity) AS units, sum(subtotal_minor - discount_minor) AS net
     FROM order_lines JOIN (SELECT id FROM orders WHERE ${mine} AND ${within("paid_at")}) AS paid
       ON paid.id = order_lines.order_id
     GROUP BY variant_id`,
  );
  const buyers = one(
    `SELECT coalesce(sum(first >= :from), 0) AS fresh, coalesce(sum(first < :from), 0) AS "returning"
     FROM (SELECT customer_id, min(paid_at) AS first, max(${within("paid_at")}) AS bought
       FROM orders WHERE ${mine} AND paid_at IS NOT NULL AND customer_id IS NOT NULL
       GROUP BY customer_id) WHERE bought = 1`,
  );
  const ofPayments = `FROM payments LEFT JOIN orders ON orders.id = payments.order_id
    WHERE payments.currency = :currency AND (:channel IS NULL OR orders.channel = :channel)`;
  const attempts = (column: string) =>
    one(`SELECT count(*) AS n ${ofPayments} AND ${within(`payments.${column}`)}`)["n"];
  const methods = all(
    `SELECT payment_method AS method, count(*) AS orders, sum(subtotal_minor) AS gross
     FROM orders WHERE ${mine} AND ${within("paid_at")} GROUP BY payment_method ORDER BY 1`,
  );
  return {
    placed: happened("created_at"),
    paid: happened("paid_at"),
    fulfilled: happened("fulfilled_at"),
    cancelled: happened("cancelled_at", "cancel_reason <> 'expired'"),
    expired: happened("cancelled_at", "cancel_reason = 'expired'"),
    ...sales,
    refunds,
    units: lines.reduce((sum, line) => sum + (line["units"] ?? 0), 0),
    lines: sorted(lines.map(({ variant, units, net }) => [variant, units, net].join(" "))),
    ...buyers,
    attempts: attempts("created_at"),
    succeeded: attempts("succeeded_at"),
    failed: attempts("failed_at"),
    methods: methods.map(({ method, orders, gross }) => [method, orders, gross].join(" ")),
  };
}

function sorted(texts: readonly string[]): string[] {
  return texts.toSorted();
}

/** The same figures out of one block of an answer. */
export function figuresOf(block: unknown): Record<string, unknown> {
  const at = (pointer: string): unknown => {
    let found = block;
    for (const name of pointer.split(".")) found = Object(found)[name];
    return found;
  };
  const rows = (pointer: string) => Array.from<Row>(Object(at(pointer)));
  return {
    placed: at("orders.placed"),
    paid: at("orders.paid"),
    fulfilled: at("orders.fulfilled"),
    cancelled: at("orders.cancelled"),
    expired: at("orders.expired"),
    gross: at("revenue.gross_minor"),
    discounts: at("revenue.discounts_minor"),
    shipping: at("revenue.shipping_minor"),
    tax: at("revenue.tax_minor"),
    refunds: at("revenue.refunds_minor"),
    units: at("units"),
    lines: sorted(
      rows("top_variants.by_net").map((row) =>
        [row["variant_id"], row["units"], row["net_minor"]].join(" "),
      ),
    ),
    fresh: at("customers.new"),
    returning: at("customers.returning"),
    attempts: at("payments.attempts"),
    succeeded: at("payments.succeeded"),
    failed: at("payments.failed"),
    methods: rows("by_payment_method")
      .filter((row) => row["orders"] !== 0)
      .map((row) => [row["payment_method"], row["orders"], row["gross_minor"]].join(" "))
      .toSorted(),
  };
}
