// Orders found by what was sold.

import { expect, test } from "bun:test";

import { openTestShop, type TestShop } from "../../support/shop.ts";

/** Sells one unit of each of these products, an order for each, and returns the numbers of the orders. */
async function sold(shop: TestShop, names: readonly string[]): Promise<number[]> {
  const numbers: number[] = [];
  for (const name of names) {
    const product = await shop.post("/v2/products", { name, price: 10, stock: 9 });
    const order = await shop.post("/v2/orders", {
      line_items: [{ variant_id: product.string("/variants/0/id"), quantity: 1 }],
    });
    numbers.push(order.number("/number"));
  }
  return numbers;
}

async function numbersOf(shop: TestShop, query: string): Promise<unknown[]> {
  const list = await shop.get(`/v2/orders?${query}`);
  expect(list.status).toBe(200);
  return list.list("/data").map((_, index) => list.at(`/data/${index}/number`));
}

test("a search finds the orders of every product with the words, newest first", async () => {
  await using shop = await openTestShop();
  const [blue, , red] = await sold(shop, ["Blue mug", "Kanga", "Red mug"]);

  expect(await numbersOf(shop, "q=mug")).toEqual([red, blue]);
  expect(await numbersOf(shop, "q=blue%20mug")).toEqual([blue]);
  expect(await numbersOf(shop, "q=mug&to_pack=true")).toEqual([]);
});

test("words that more than 50 products have find the orders of the newest, as the reference says", async () => {
  await using shop = await openTestShop();
  const [, second] = await sold(shop, ["Mug of clay", "Mug of glass"]);
  for (let made = 2; made < 51; made += 1) await shop.post("/v2/products", { name: "Mug" });

  const found = await numbersOf(shop, "q=mug");
  const document = await shop.get("/openapi.json");

  expect(found).toEqual([second]);
  expect(document.text).toContain("the newest 200 customers and 50 products are searched for");
});

test("an order that a search finds twice is on the list once, and the pages have every order", async () => {
  await using shop = await openTestShop();
  await shop.post("/v2/customers", { email: "mug@example.com", name: "Mug Lover" });
  const product = await shop.post("/v2/products", { name: "Mug", price: 10, stock: 9 });
  const line = { variant_id: product.string("/variants/0/id"), quantity: 1 };
  const placed: number[] = [];
  for (const customer of [undefined, { email: "mug@example.com" }, undefined]) {
    const order = await shop.post("/v2/orders", { line_items: [line], customer });
    placed.unshift(order.number("/number"));
  }

  const first = await shop.get("/v2/orders?q=mug&limit=2");
  const second = await shop.get(`/v2/orders?q=mug&limit=2&cursor=${first.string("/next_cursor")}`);

  expect(await numbersOf(shop, "q=mug")).toEqual(placed);
  const paged = [
    first.at("/data/0/number"),
    first.at("/data/1/number"),
    second.at("/data/0/number"),
  ];
  expect(paged).toEqual(placed);
  expect(second.at("/has_more")).toBe(false);
});

test("a search by item keeps to the product that is asked for", async () => {
  await using shop = await openTestShop();
  const [blue] = await sold(shop, ["Blue mug", "Red mug"]);
  const order = await shop.get(`/v2/orders?number=${blue}`);

  const found = await numbersOf(
    shop,
    `q=mug&product_id=${order.string("/data/0/line_items/0/product_id")}`,
  );

  expect(found).toEqual([blue]);
});
