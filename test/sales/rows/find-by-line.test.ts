// Lists of orders by product and SKU are exact at any moment: before the terms of the lines are written, after,
// and in between.

import { describe, expect, setDefaultTimeout, test } from "bun:test";

import { auditLineIndex } from "#sales/history/audit-orders.ts";
import { LineIndexWriter } from "#sales/rows/line-index.ts";

import { atOnce } from "../../support/at-once.ts";
import { rowsBehind, tamper } from "../../support/behind-the-shop.ts";
import { type Goods, kanga, mug, type NamedGoods } from "../../support/cast.ts";
import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";
import { until } from "../../support/until.ts";
import { of, place } from "../orders/counter.ts";
import { forgetTerms, numbersOf, writeTerms } from "./writing.ts";

setDefaultTimeout(60_000);

const listedNow = (shop: TestShop) => writeTerms(shop.test.database);
const neverListed = forgetTerms;
const moments: readonly [string, (shop: TestShop) => Promise<void>][] = [
  ["at once", () => Promise.resolve()],
  ["once its terms are written", listedNow],
  ["while no term is written", neverListed],
];

async function goodsOf(shop: TestShop): Promise<readonly [NamedGoods, NamedGoods]> {
  return [await mug(shop, { stock: 5_000 }), await kanga(shop, { stock: 5_000 })];
}

/** How many orders with the product the pages of its list have, each counted once. */
async function countOf(shop: TestShop, goods: Goods): Promise<number> {
  const found = new Set<unknown>();
  for (let query = "limit=100"; ;) {
    const page = await shop.get(`/v2/orders?product_id=${goods.productId}&${query}`);
    page.list("/data").forEach((_, index) => found.add(page.at(`/data/${index}/id`)));
    const cursor = page.at("/next_cursor");
    if (typeof cursor !== "string") return found.size;
    query = `limit=100&cursor=${cursor}`;
  }
}

describe.each(moments)("an order is found %s", (_, moment) => {
  const shop = sharedShop();

  test("by its products and its SKUs, newest first", async () => {
    const [cup, cloth] = await goodsOf(shop);
    const both = (await place(shop, [of(cup), of(cloth), of(cup)])).at("/number");
    const second = (await place(shop, [of(cloth)])).at("/number");
    const third = (await place(shop, [of(cup)])).at("/number");
    await moment(shop);

    expect(await numbersOf(shop, `product_id=${cup.productId}`)).toEqual([third, both]);
    expect(await numbersOf(shop, `sku=${cloth.sku}`)).toEqual([second, both]);
    expect(await numbersOf(shop, `product_id=${cup.productId}&sku=${cloth.sku}`)).toEqual([both]);
  });

  test("by the lines that it has, not by those that it had", async () => {
    const [cup, cloth] = await goodsOf(shop);
    const order = await place(shop, [of(cup)]);
    await moment(shop);
    await shop.put(`/v2/orders/${order.id}`, { line_items: [of(cloth)] });
    await moment(shop);

    expect(await numbersOf(shop, `product_id=${cup.productId}`)).toEqual([]);
    expect(await numbersOf(shop, `sku=${cup.sku}`)).toEqual([]);
    expect(await numbersOf(shop, `product_id=${cloth.productId}`)).toEqual([order.at("/number")]);
  });

  test("by the SKU of a line of the merchant's own, even one that looks like a product", async () => {
    const [cup] = await goodsOf(shop);
    const wrapping = { name: "Wrapping", sku: cup.productId, unit_price: 1, quantity: 1 };
    const own = await place(shop, [wrapping]);
    const sold = await place(shop, [of(cup)]);
    await moment(shop);

    expect(await numbersOf(shop, `product_id=${cup.productId}`)).toEqual([sold.at("/number")]);
    expect(await numbersOf(shop, `sku=${cup.productId}`)).toEqual([own.at("/number")]);
  });
});

test("a list has written and unwritten orders on one page, each once", async () => {
  await using shop = await openTestShop();
  const [cup, cloth] = await goodsOf(shop);
  const first = await place(shop, [of(cup)]);
  await place(shop, [of(cup)]);
  await writeTerms(shop.test.database);
  await place(shop, [of(cup)]);
  await shop.put(`/v2/orders/${first.id}`, { line_items: [of(cup), of(cloth)] });

  expect(await numbersOf(shop, "sku=MUG")).toEqual([1003, 1002, 1001]);
  expect(await numbersOf(shop, "sku=MUG&limit=2")).toEqual([1003, 1002]);
});

describe("the writer of terms", () => {
  test("works in the background", async () => {
    await using shop = await openTestShop();
    const [cup] = await goodsOf(shop);

    await place(shop, [of(cup)]);

    const written = "SELECT term FROM order_line_terms";
    await until(
      async () => (await rowsBehind(shop.folder.path, written)).length >= 2,
      "The index did not get the terms of the order.",
    );
    expect(await numbersOf(shop, "sku=MUG")).toEqual([1001]);
  });

  test("that ends between two commits loses nothing, and the next one ends its work", async () => {
    await using shop = await openTestShop();
    const [cup] = await goodsOf(shop);
    await atOnce(300, () => place(shop, [of(cup)]));
    await forgetTerms(shop);
    const broken = new LineIndexWriter(shop.test.database);
    const rows = async () =>
      (await rowsBehind(shop.folder.path, "SELECT term FROM order_line_terms")).length;
    while ((await rows()) === 0) await broken.step();
    const found = await countOf(shop, cup);

    await writeTerms(shop.test.database);

    expect(found).toBe(300);
    expect(await rows()).toBe(600);
    expect(await countOf(shop, cup)).toBe(300);
    expect(await Array.fromAsync(auditLineIndex(shop.test.database.read))).toEqual([]);
  });

  test("beside another one leaves out no order", async () => {
    await using shop = await openTestShop();
    const [cup, cloth] = await goodsOf(shop);
    const { database } = shop.test;

    await Promise.all([
      atOnce(40, (index) => place(shop, index % 2 === 0 ? [of(cup)] : [of(cup), of(cloth)])),
      ...Array.from({ length: 4 }, () => writeTerms(database)),
    ]);

    await writeTerms(database);
    expect(await countOf(shop, cup)).toBe(40);
    expect(await countOf(shop, cloth)).toBe(20);
    expect(await Array.fromAsync(auditLineIndex(database.read))).toEqual([]);
  });

  test("begins anew after a reset", async () => {
    await using shop = await openTestShop();
    const [cup] = await goodsOf(shop);
    await place(shop, [of(cup)]);
    await writeTerms(shop.test.database);

    await shop.post("/v2/test/reset", {});
    await writeTerms(shop.test.database);
    const [again] = await goodsOf(shop);
    await place(shop, [of(again)]);
    await writeTerms(shop.test.database);

    expect(await numbersOf(shop, `product_id=${cup.productId}`)).toEqual([]);
    expect(await numbersOf(shop, "sku=MUG")).toHaveLength(1);
  });
});

test("a reset under a batch leaves no terms of the orders that it took", async () => {
  await using shop = await openTestShop();
  const [cup] = await goodsOf(shop);
  await place(shop, [of(cup)]);
  const writer = new LineIndexWriter(shop.test.database);
  await writer.step();

  await shop.post("/v2/test/reset", {});
  while (await writer.step());

  expect(await rowsBehind(shop.folder.path, "SELECT * FROM order_line_terms")).toEqual([]);
});

describe("the audit of terms", () => {
  test.each([
    ["product", "/line_items/0/product_id", "DELETE FROM order_line_terms WHERE term LIKE 'prod%'"],
    ["SKU", "/line_items/0/sku", "DELETE FROM order_line_terms WHERE term = 'MUG'"],
  ])("finds a %s that does not find its order", async (kind, pointer, fault) => {
    await using shop = await openTestShop();
    const [cup] = await goodsOf(shop);
    const order = await place(shop, [of(cup)]);
    await writeTerms(shop.test.database);
    const what = `${kind} that finds the order`;

    await tamper(shop.folder.path, fault);

    expect(await Array.fromAsync(auditLineIndex(shop.test.database.read))).toEqual([
      { subject: order.id, what, expected: order.string(pointer), found: "none" },
    ]);
  });

  test("waits for the orders that the writer has not read", async () => {
    await using shop = await openTestShop();
    const [cup] = await goodsOf(shop);
    await place(shop, [of(cup)]);

    await forgetTerms(shop);

    expect(await Array.fromAsync(auditLineIndex(shop.test.database.read))).toEqual([]);
  });
});
