// The expected figures of a summary, computed from the rows of orders, payments and carts and from a book of the
// sales, without the projection or the log.

import { rowsBehind } from "../support/behind-the-shop.ts";
import type { Question, SalesBook } from "./sales-book.ts";

type Row = Readonly<Record<string, unknown>>;

/** The figures of one currency, with the same names as `figuresOf`. */
export async function directFigures(
  directory: string,
  book: SalesBook,
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
  const count = async (column: string, more = "1 = 1") =>
    (
      await one(
        `SELECT count(*) AS n FROM orders WHERE ${included} AND ${within(column)} AND ${more}`,
      )
    )["n"];
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
  return {
    placed: await count("created_at"),
    paid: await count("paid_at"),
    fulfilled: await count("fulfilled_at"),
    cancelled: await count("cancelled_at", "cancel_reason <> 'expired'"),
    expired: await count("cancelled_at", "cancel_reason = 'expired'"),
    ...book.figures({ from, to, currency, channel }),
    ...buyers,
    attempts: await attempts("created_at"),
    succeeded: await attempts("succeeded_at"),
    failed: await attempts("failed_at"),
  };
}

function sorted(texts: readonly string[]): string[] {
  return texts.toSorted();
}

/** What is written off in all, minor units; rows do not tell when. */
export async function writtenOffIn(
  directory: string,
  { currency, channel }: Pick<Question, "currency" | "channel">,
): Promise<number> {
  const only = channel === undefined ? "" : ` AND channel = '${channel}'`;
  const rows = await rowsBehind(
    directory,
    `SELECT written_off_minor AS minor FROM orders WHERE currency = '${currency}'${only}`,
  );
  return rows.reduce((sum, { minor }) => sum + Number(minor), 0);
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
    includedTax: at("revenue.included_tax_minor"),
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
    discountRows: sorted(
      rows("discounts").map((row) =>
        [row["discount_id"], row["code"], row["orders"], row["amount_minor"], row["net_minor"]]
          .map(String)
          .join(" "),
      ),
    ),
    taxRows: sorted(
      rows("taxes").map((row) =>
        [
          row["name"],
          row["rate"],
          row["country"],
          row["region"],
          row["included"] === true ? "inside" : "on top",
          row["taxable_minor"],
          row["tax_minor"],
          row["refunded_taxable_minor"],
          row["refunded_minor"],
        ]
          .map(String)
          .join(" "),
      ),
    ),
  };
}
