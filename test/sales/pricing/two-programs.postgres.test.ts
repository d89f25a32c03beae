// Discounts shared by several programs on one database are never given more often than their limits say.

import { expect, test } from "bun:test";

import { auditStock } from "#catalog/inventory/audit-stock.ts";
import { auditDiscounts } from "#pricing/discount-uses/audit-discounts.ts";
import { auditOrders } from "#sales/history/audit-orders.ts";

import { atOnce, statuses } from "../../support/at-once.ts";
import { mug } from "../../support/cast.ts";
import { openPrograms } from "../../support/programs.ts";
import type { Answered, TestShop } from "../../support/shop.ts";
import { basket, complete } from "../carts/basket.ts";
import { cancel, place, stock } from "../orders/counter.ts";
import { discount, of, reasonsOf, tax, totalsOf } from "./priced-shop.ts";

async function differences({ test: { database } }: TestShop): Promise<unknown[]> {
  const { read } = database;
  return [
    ...(await Array.fromAsync(auditDiscounts(read))),
    ...(await Array.fromAsync(auditOrders(read))),
    ...(await Array.fromAsync(auditStock(read))),
  ];
}

async function usedCount(shop: TestShop, id: string): Promise<unknown> {
  return (await shop.get(`/v2/discounts/${id}`)).at("/used_count");
}

function reasons(answers: readonly Answered[]): string[] {
  const refused = answers.filter(({ status }) => status === 409);
  return [...new Set(refused.flatMap((one) => reasonsOf(one, "/codes")))];
}

test("three programs give the last uses of a code once, to orders and to carts", async () => {
  await using programs = await openPrograms(3);
  const shop = programs.of(0);
  const id = await discount(shop, { codes: ["LAST"], usage_limit: 4 });
  const cup = await mug(shop, { stock: 100 });
  const carts = await atOnce(9, () => basket(shop, [of(cup)], { discount_codes: ["LAST"] }));
  const order = { line_items: [of(cup)], discount_codes: ["LAST"] };
  await shop.announced();

  const answers = await Promise.all([
    ...carts.map((cart, index) => complete(programs.of(index), cart)),
    ...carts.map((_, index) => programs.of(index).post("/v2/orders", order)),
  ]);

  expect(statuses(answers)).toEqual([...Array(4).fill(201), ...Array(14).fill(409)]);
  expect(reasons(answers)).toEqual(["LAST exhausted"]);
  expect(await usedCount(shop, id)).toBe(4);
  expect(await stock(shop, cup)).toEqual([100, 4, 96]);
  const names = await shop.announcedNames();
  expect(names.filter((name) => name === "discount.exhausted")).toHaveLength(1);
  expect(names.filter((name) => name === "order.placed")).toHaveLength(4);
  expect(await differences(shop)).toEqual([]);
});

test("a customer whom no program knows yet uses a code as often as one customer may", async () => {
  await using programs = await openPrograms(2);
  const shop = programs.of(0);
  await discount(shop, { codes: ["ONCE"], per_customer_limit: 1 });
  const cup = await mug(shop, { stock: 100 });

  const answers = await atOnce(8, (index) =>
    programs.of(index).post("/v2/orders", {
      line_items: [of(cup)],
      discount_codes: ["ONCE"],
      customer: { email: "ada@example.com" },
    }),
  );

  expect(statuses(answers)).toEqual([201, ...Array(7).fill(409)]);
  expect(reasons(answers)).toEqual(["ONCE used_by_customer"]);
  expect(await stock(shop, cup)).toEqual([100, 1, 99]);
  expect(await differences(shop)).toEqual([]);
});

test("an order that two programs cancel at once gives its use back once", async () => {
  await using programs = await openPrograms(2);
  const shop = programs.of(0);
  const id = await discount(shop, { codes: ["LAST"], usage_limit: 5 });
  const cup = await mug(shop, { stock: 10 });
  const orders = await atOnce(4, () => place(shop, [of(cup)], { discount_codes: ["LAST"] }));

  const answers = await Promise.all(
    orders.flatMap((order) => [cancel(programs.of(0), order), cancel(programs.of(1), order)]),
  );

  expect(statuses(answers)).toEqual(Array(8).fill(200));
  expect(await usedCount(shop, id)).toBe(0);
  expect(await stock(shop, cup)).toEqual([10, 0, 10]);
  expect(await differences(shop)).toEqual([]);
});

test("a tax and a discount that one program changes hold for the next order of the other", async () => {
  await using programs = await openPrograms(2);
  const shop = programs.of(0);
  await tax(shop, "GH", { rates: [{ name: "VAT", rate: 10 }] });
  const id = await discount(shop);
  const cup = await mug(shop, { stock: 10 });
  const sells = async () => {
    const orders = [await place(shop, [of(cup)]), await place(programs.of(1), [of(cup)])];
    return orders.map(totalsOf).map((totals) => [totals.subtotal, totals.discount, totals.tax]);
  };
  const before = await sells();

  await programs.of(1).put(`/v2/discounts/${id}`, { percent: 50 });
  await shop.post("/v2/tax-rates", { country: "GH", name: "Levy", rate: 10 });

  const [held, holds] = [
    [1250, 125, 113],
    [1250, 625, 126],
  ];
  expect(before).toEqual([held, held]);
  expect(await sells()).toEqual([holds, holds]);
});
