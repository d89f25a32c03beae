// Concurrent requests for orders: two people in the warehouse, a customer who cancels, a new
// customer with two windows.

import { describe, expect, test } from "bun:test";

import { auditStock } from "#catalog/inventory/audit-stock.ts";
import { auditOrders } from "#sales/history/audit-orders.ts";

import { atOnce, statuses } from "../../support/at-once.ts";
import { ada, kanga, mug } from "../../support/cast.ts";
import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";
import { cancel, fulfill, of, place, reread, stock } from "./counter.ts";

const shop = sharedShop();

/** Every difference that the audits find. */
async function faults(shop: TestShop): Promise<unknown[]> {
  const { read } = shop.test.database;
  return [
    ...(await Array.fromAsync(auditOrders(read))),
    ...(await Array.fromAsync(auditStock(read))),
  ];
}

async function timesEmitted(shop: TestShop, name: string): Promise<number> {
  return (await shop.announcedNames()).filter((one) => one === name).length;
}

describe("an order", () => {
  test("that is shipped several times at once ships once", async () => {
    const cup = await mug(shop);
    const order = await place(shop, [of(cup, 3)]);

    const answers = await atOnce(5, () => fulfill(shop, order));

    expect(statuses(answers)).toEqual([200, 200, 200, 200, 200]);
    expect((await reread(shop, order)).list("/fulfillments")).toHaveLength(1);
    expect(await timesEmitted(shop, "order.fulfilled")).toBe(1);
    expect(await stock(shop, cup)).toEqual([7, 0, 7]);
    expect(await faults(shop)).toEqual([]);
  });

  test("ships no more than was ordered, in however many parts at once", async () => {
    const cup = await mug(shop);
    const order = await place(shop, [of(cup, 5)]);
    const two = { line_items: [{ line_item_id: order.string("/line_items/0/id"), quantity: 2 }] };

    const answers = await atOnce(4, () => fulfill(shop, order, two));

    expect(statuses(answers)).toEqual([200, 200, 422, 422]);
    expect((await reread(shop, order)).at("/line_items/0/fulfilled_quantity")).toBe(4);
    expect(await stock(shop, cup)).toEqual([6, 1, 5]);
    expect(await faults(shop)).toEqual([]);
  });

  test("is shipped or cancelled, never both", async () => {
    const cup = await mug(shop, { stock: 20 });
    const orders = await atOnce(6, () => place(shop, [of(cup)]));

    const answers = await Promise.all(
      orders.map((order) => Promise.all([fulfill(shop, order), cancel(shop, order)])),
    );

    expect(answers.map(statuses)).toEqual(orders.map(() => [200, 409]));
    expect(await faults(shop)).toEqual([]);
  });

  test("that is cancelled several times at once releases its stock once", async () => {
    const cup = await mug(shop);
    const order = await place(shop, [of(cup, 3)]);

    const answers = await atOnce(5, () => cancel(shop, order));

    expect(statuses(answers)).toEqual([200, 200, 200, 200, 200]);
    expect(await timesEmitted(shop, "order.cancelled")).toBe(1);
    expect(await stock(shop, cup)).toEqual([10, 0, 10]);
    expect(await faults(shop)).toEqual([]);
  });

  test("that is changed in several windows at once keeps every change", async () => {
    const [cup, cloth] = [await mug(shop), await kanga(shop)];
    const order = await place(shop, [of(cup)]);

    const answers = await Promise.all(
      [
        { line_items: [of(cup, 2), of(cloth)] },
        { notes: "Ring twice" },
        { metadata: { window: "3" } },
        { shipping: { label: "Courier", amount: 5 } },
      ].map((body) => shop.put(`/v2/orders/${order.id}`, body)),
    );

    expect(statuses(answers)).toEqual([200, 200, 200, 200]);
    expect((await reread(shop, order)).body).toMatchObject({
      notes: "Ring twice",
      metadata: { window: "3" },
      total: 50,
      version: 5,
    });
    expect(await faults(shop)).toEqual([]);
  });

  test("is changed by one of several requests for the same version", async () => {
    const order = await place(shop, [of(await mug(shop))]);
    const headers = { "If-Match": '"1"' };

    const answers = await atOnce(4, (index) =>
      shop.put(`/v2/orders/${order.id}`, { notes: `Window ${index}` }, { headers }),
    );

    expect(statuses(answers)).toEqual([200, 412, 412, 412]);
  });

  test("swaps its goods with another order", async () => {
    const goods = [await mug(shop, { stock: 40 }), await kanga(shop, { stock: 40 })] as const;
    const orders = await atOnce(8, (index) => place(shop, [of(goods[index % 2 === 0 ? 0 : 1], 2)]));

    const answers = await Promise.all(
      orders.map((order, index) =>
        shop.put(`/v2/orders/${order.id}`, { line_items: [of(goods[index % 2 === 0 ? 1 : 0], 3)] }),
      ),
    );

    expect(statuses(answers)).toEqual(orders.map(() => 200));
    expect([await stock(shop, goods[0]), await stock(shop, goods[1])]).toEqual([
      [40, 12, 28],
      [40, 12, 28],
    ]);
    expect(await faults(shop)).toEqual([]);
  });
});

describe("placing orders", () => {
  test("several at once creates one new customer", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);

    const answers = await atOnce(6, (index) =>
      shop.post("/v2/orders", {
        line_items: [of(cup)],
        customer: { email: index % 2 === 0 ? "kofi@example.com" : "Kofi@Example.com" },
      }),
    );

    expect(statuses(answers)).toEqual([201, 201, 201, 201, 201, 201]);
    expect((await shop.get("/v2/customers")).list("/data")).toMatchObject([{ orders_count: 6 }]);
    expect(answers.map((answer) => answer.number("/number")).toSorted((a, b) => a - b)).toEqual([
      1001, 1002, 1003, 1004, 1005, 1006,
    ]);
    expect(await faults(shop)).toEqual([]);
  });

  test("several at once with one external id places one order", async () => {
    const cup = await mug(shop);

    const answers = await atOnce(5, () =>
      shop.post("/v2/orders", { line_items: [of(cup)], external_id: "A-7" }),
    );

    const placed = answers.find((answer) => answer.status === 201);
    const refused = answers.filter((answer) => answer.status === 409);
    expect(statuses(answers)).toEqual([201, 409, 409, 409, 409]);
    expect(refused.map((answer) => [answer.code, answer.at("/existing_id")])).toEqual(
      refused.map(() => ["external_id_taken", placed?.id]),
    );
    expect(await stock(shop, cup)).toEqual([10, 1, 9]);
  });

  test("while the customer is deleted keeps the customer and the orders, or neither", async () => {
    const [cup, customer] = [await mug(shop), await ada(shop)];

    const [deleted, ...placed] = await Promise.all([
      shop.delete(`/v2/customers/${customer}`),
      ...[1, 2, 3].map(() =>
        shop.post("/v2/orders", { line_items: [of(cup)], customer_id: customer }),
      ),
    ]);

    expect([
      [204, 422, 422, 422],
      [409, 201, 201, 201],
    ]).toContainEqual([deleted.status, ...statuses(placed)]);
    expect(await faults(shop)).toEqual([]);
  });

  test("while the customer is erased leaves no personal data", async () => {
    await using shop = await openTestShop();
    const [cup, customer] = [await mug(shop), await ada(shop)];
    await cancel(shop, await place(shop, [of(cup)], { customer_id: customer }));

    const [erased] = await Promise.all([
      shop.post(`/v2/customers/${customer}/erase`),
      ...[1, 2, 3, 4].map(() =>
        shop.post("/v2/orders", { line_items: [of(cup)], customer_id: customer }),
      ),
    ]);

    const kept = await shop.get(`/v2/orders?customer_id=${customer}`);
    const shown = kept.text + (await shop.events()).map((event) => event.data).join("");
    expect([erased.status, shown.includes("ada@example.com")]).toBeOneOf([
      [200, false],
      [409, true],
    ]);
    expect(await faults(shop)).toEqual([]);
  });
});
