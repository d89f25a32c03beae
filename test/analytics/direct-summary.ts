// The expected figures of a summary, computed from the rows of orders, payments and carts, without
// the projection or the log.

import { rowsBehind } from "../support/behind-the-shop.ts";

/** Epoch milliseconds; `to` is exclusive. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface Question extends Range {
  readonly currency: string;
  /** All channels by default. */
  readonly channel?: string | undefined;
}

type Row = Readonly<Record<string, unknown>>;

/** The figures of one currency, with the same names as `figuresOf`. */
export async function directFigures(
  directory: string,
  { from, to, currency, channel }: Question,
): Promise<Record<string, unknown>> {
  const all = (text: string) => rowsBehind(directory, text);
  const one = async (text: string): Promise<Row> => (await all(text))[0] ?? {};
  const isIncluded = (orders: string, money = orders) =>
    channel === undefined
      ? `${money}.currency = '${currency}'`
      : `${money}.currency = '${currency}' AND ${orders}.channel = '${channel}'`;
  const included = isIncluded("orders");
  const within = (column: string) => `${column} >= ${from} AND ${column} < ${to}`;
  const sum = (column: string) => `CAST(coalesce(sum(${column}), 0) AS bigint)`;
  const count = async (column: string, more = "1 = 1") =>
    (
      await one(
        `SELECT count(*) AS n FROM orders WHERE ${included} AND ${within(column)} AND ${more}`,
      )
    )["n"];
  const sales = await one(
    `SELECT ${sum("subtotal_minor")} AS gross, ${sum("discount_minor")} AS discounts,
       ${sum("shipping_minor")} AS shipping, ${sum("tax_minor")} AS tax
     FROM orders WHERE ${included} AND ${within("paid_at")}`,
  );
  const countedAt =
    "CASE WHEN refunds.succeeded_at > orders.paid_at THEN refunds.succeeded_at ELSE orders.paid_at END";
  const refunds = await one(
    `SELECT ${sum("refunds.amount_minor")} AS n FROM refunds
     JOIN orders ON orders.id = refunds.order_id
     WHERE refunds.status = 'succeeded' AND NOT refunds.is_automatic AND orders.paid_at IS NOT NULL
       AND ${included} AND ${within(countedAt)}`,
  );
  const lines = await all(
    `SELECT variant_id AS variant, ${sum("quantity")} AS units,
       ${sum("subtotal_minor - discount_minor")} AS net
     FROM order_lines JOIN (SELECT id FROM orders WHERE ${included} AND ${within("paid_at")}) AS paid
       ON paid.id = order_lines.order_id
     GROUP BY variant_id`,
  );
  const buyers = await one(
    `SELECT count(*) FILTER (WHERE first >= ${from}) AS fresh,
       count(*) FILTER (WHERE first < ${from}) AS "returning"
     FROM (SELECT customer_id, min(paid_at) AS first,
         count(*) FILTER (WHERE ${within("paid_at")}) AS bought
       FROM orders WHERE ${included} AND paid_at IS NOT NULL AND customer_id IS NOT NULL
       GROUP BY customer_id) AS buyers WHERE bought > 0`,
  );
  const ofPayments = `FROM payments LEFT JOIN orders ON orders.id = payments.order_id
    WHERE ${isIncluded("orders", "payments")}`;
  const attempts = async (column: string) =>
    (await one(`SELECT count(*) AS n ${ofPayments} AND ${within(`payments.${column}`)}`))["n"];
  const methods = await all(
    `SELECT payment_method AS method, count(*) AS orders, ${sum("subtotal_minor")} AS gross
     FROM orders WHERE ${included} AND ${within("paid_at")} GROUP BY payment_method`,
  );
  return {
    placed: await count("created_at"),
    paid: await count("paid_at"),
    fulfilled: await count("fulfilled_at"),
    cancelled: await count("cancelled_at", "cancel_reason <> 'expired'"),
    expired: await count("cancelled_at", "cancel_reason = 'expired'"),
    ...sales,
    refunds: refunds["n"],
    units: lines.reduce((total, line) => total + Number(line["units"]), 0),
    lines: sorted(lines.map(({ variant, units, net }) => [variant, units, net].join(" "))),
    ...buyers,
    attempts: await attempts("created_at"),
    succeeded: await attempts("succeeded_at"),
    failed: await attempts("failed_at"),
    methods: sorted(methods.map(({ method, orders, gross }) => [method, orders, gross].join(" "))),
  };
}

function sorted(texts: readonly string[]): string[] {
  return texts.toSorted();
}

/** The same figures from a block of a response. */
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
