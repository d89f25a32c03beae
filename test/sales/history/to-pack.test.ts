// The orders whose goods wait to be sent: which are on the list, and when they leave it.

import { beforeAll, describe, expect, test } from "bun:test";

import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";

/** A product of many units, which each test orders. */
async function stock(shop: TestShop) {
  const product = await shop.post("/v2/products", { name: "Mug", price: 10, stock: 100 });
  return { shop, variantId: product.string("/variants/0/id") };
}

const shop = sharedShop();
let goods: Awaited<ReturnType<typeof stock>>;
beforeAll(async () => {
  goods = await stock(shop);
});

async function placed(
  { shop, variantId }: { readonly shop: TestShop; readonly variantId: string },
  terms: object,
): Promise<string> {
  const order = await shop.post("/v2/orders", {
    line_items: [{ variant_id: variantId, quantity: 2 }],
    ...terms,
  });
  expect(order.status).toBe(201);
  return order.id;
}

/** Whether the list of orders to pack has the order, which the list of all others has if not. */
async function isToPack(shop: TestShop, id: string): Promise<boolean> {
  const [toPack, others] = [
    await idsOf(shop, "limit=100&to_pack=true"),
    await idsOf(shop, "limit=100&to_pack=false"),
  ];
  expect(toPack.includes(id)).not.toBe(others.includes(id));
  return toPack.includes(id);
}

async function idsOf(shop: TestShop, query: string): Promise<unknown[]> {
  const list = await shop.get(`/v2/orders?${query}`);
  expect(list.status).toBe(200);
  return list.list("/data").map((_, index) => list.at(`/data/${index}/id`));
}

const paidInCash = { payment_method: "bank_transfer", paid: { method: "bank_transfer" } };

describe("an order is to be packed", () => {
  test.each([
    ["once it is paid", paidInCash],
    ["if it is paid on delivery", { payment_method: "cash_on_delivery" }],
    ["if it is paid when it is fetched", { payment_method: "cash" }],
    [
      "if more was paid than it costs",
      { ...paidInCash, paid: { method: "cash", amount: 20, tendered: 50 } },
    ],
  ])("%s", async (_, terms) => {
    const id = await placed(goods, terms);

    expect(await isToPack(shop, id)).toBe(true);
  });
});

describe("an order is not to be packed", () => {
  test.each([
    ["while it waits for a transfer", { payment_method: "bank_transfer" }],
    ["while it waits for a gateway", { payment_method: "mobile_money" }],
    [
      "while a part is due",
      { payment_method: "cash_on_delivery", paid: { method: "cash", amount: 1 }, fulfilled: true },
    ],
    ["once the customer took it along", { ...paidInCash, fulfilled: true }],
  ])("%s", async (_, terms) => {
    const id = await placed(goods, terms);

    expect(await isToPack(shop, id)).toBe(false);
  });

  test("while the deposit of an order that is paid on delivery is missing", async () => {
    await using shop = await openTestShop();
    const made = await stock(shop);
    await shop.put("/v2/store", { deposit_percent: 50 });
    const id = await placed(made, { payment_method: "cash_on_delivery" });
    const before = await idsOf(shop, "to_pack=true");

    const payment = await shop.post("/v2/payments/initialize", {
      order_id: id,
      method: "cash",
      amount: 10,
    });
    await shop.post(`/v2/payments/${payment.id}/confirm`, { amount: 10 });

    expect(before).toEqual([]);
    expect(await idsOf(shop, "to_pack=true")).toEqual([id]);
  });

  test("once it is cancelled", async () => {
    const id = await placed(goods, { payment_method: "cash_on_delivery" });

    await shop.put(`/v2/orders/${id}/cancel`);

    expect(await isToPack(shop, id)).toBe(false);
  });

  test("once all its money was refunded", async () => {
    const id = await placed(goods, paidInCash);

    await shop.post(`/v2/orders/${id}/refunds`, { amount: 20 });

    expect((await shop.get(`/v2/orders/${id}`)).string("/payment_status")).toBe("refunded");
    expect(await isToPack(shop, id)).toBe(false);
  });
});

test("an order stays to be packed until its last unit is sent", async () => {
  const id = await placed(goods, paidInCash);
  const order = await shop.get(`/v2/orders/${id}`);

  await shop.put(`/v2/orders/${id}/fulfill`, {
    line_items: [{ line_item_id: order.string("/line_items/0/id"), quantity: 1 }],
  });
  const afterOne = await isToPack(shop, id);
  await shop.put(`/v2/orders/${id}/fulfill`);

  expect(afterOne).toBe(true);
  expect(await isToPack(shop, id)).toBe(false);
});

test("the list of orders to pack takes every other filter, pages and searches", async () => {
  await using shop = await openTestShop();
  const made = await stock(shop);
  const first = await placed(made, { ...paidInCash, channel: "phone" });
  const second = await placed(made, { payment_method: "cash", channel: "phone" });
  await placed(made, { payment_method: "bank_transfer", channel: "phone" });
  const third = await placed(made, paidInCash);

  const page = await shop.get("/v2/orders?to_pack=true&limit=2");
  const next = await shop.get(
    `/v2/orders?to_pack=true&limit=2&cursor=${page.string("/next_cursor")}`,
  );

  expect(page.at("/data/0/id")).toBe(third);
  expect(page.at("/data/1/id")).toBe(second);
  expect(next.at("/data/0/id")).toBe(first);
  expect(next.at("/has_more")).toBe(false);
  expect(await idsOf(shop, "to_pack=true&channel=phone")).toEqual([second, first]);
  expect(await idsOf(shop, "to_pack=true&payment_status=unpaid,paid&status=open")).toEqual([
    third,
    second,
    first,
  ]);
  expect(await idsOf(shop, "to_pack=true&payment_method=cash")).toEqual([second]);
  expect(await idsOf(shop, "to_pack=true&q=1001")).toEqual([first]);
  expect(await idsOf(shop, "to_pack=true&q=mug")).toEqual([third, second, first]);
  expect(await idsOf(shop, "to_pack=true&updated_at[gte]=2020-01-01")).toEqual([
    third,
    second,
    first,
  ]);
});
