// The dashboard says of an order that it is to be packed where the interface lists it so: one rule in two languages.

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";

import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";

import { isToPack } from "#dashboard/kit/parts/order-words.ts";
import { paymentMethods } from "#kernel/payment-method.ts";
import { isToPack as listed } from "#sales/rows/condition-queries.ts";
import { fulfillmentStatuses, orderStatuses, paymentStatuses } from "#sales/rows/order-life.ts";

const orders = orderStatuses.flatMap((status) =>
  fulfillmentStatuses.flatMap((fulfillment_status) =>
    paymentStatuses.flatMap((payment_status) =>
      paymentMethods.flatMap((payment_method) =>
        [1, 50, 99, 100].map((deposit_percent) => ({
          status,
          fulfillment_status,
          payment_status,
          payment_method,
          deposit_percent,
        })),
      ),
    ),
  ),
);

test("every order is to be packed, or not, in both", () => {
  const { sql } = new SQLiteSyncDialect().sqlToQuery(listed);
  using database = new Database(":memory:");
  const names = Object.keys(orders[0] ?? {});
  const select = names.map((name) => `? AS ${name}`).join(", ");
  const ask = database.query<{ found: number }, (string | number)[]>(
    `SELECT (${sql}) AS found FROM (SELECT ${select})`,
  );

  const different = orders.filter(
    (order) => isToPack(order) !== (ask.get(...Object.values(order))?.found === 1),
  );

  expect(orders.filter(isToPack).length).toBeGreaterThan(10);
  expect(different).toEqual([]);
});
