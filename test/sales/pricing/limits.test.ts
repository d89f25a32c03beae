// Limits of discounts in orders: however many customers come at once, a discount is given as often as it may be, and an
// order that did not get it took nothing else.

import { describe, expect, test } from "bun:test";

import type { Difference } from "#kernel/difference.ts";
import { auditDiscounts } from "#pricing/discount-uses/audit-discounts.ts";
import { auditOrders } from "#sales/history/audit-orders.ts";

import { atOnce, statuses } from "../../support/at-once.ts";
import { mug } from "../../support/cast.ts";
import { type Answered, openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";
import { basket, complete, DAY_MS, later } from "../carts/basket.ts";
import { cancel, place, stock } from "../orders/counter.ts";
import { codeIn, discount, must, of, reasonsOf, totalsOf } from "./priced-shop.ts";

const shop = sharedShop();

async function usedCount(shop: TestShop, id: string): Promise<unknown> {
  return (await shop.get(`/v2/discounts/${id}`)).at("/used_count");
}

async function differences(shop: TestShop): Promise<Difference[]> {
  const { read } = shop.test.database;
  return [
    ...(await Array.fromAsync(auditDiscounts(read))),
    ...(await Array.fromAsync(auditOrders(read))),
  ];
}

const refused = (answers: readonly Answered[]) => answers.filter(({ status }) => status === 409);

describe("many customers at once", () => {
  test("get the last uses of a code, and the others keep their goods in stock", async () => {
    const last = codeIn(shop, "LAST");
    const id = await discount(shop, { codes: [last], usage_limit: 3 });
    const cup = await mug(shop, { stock: 100 });
    await shop.announced();

    const answers = await atOnce(12, () =>
      shop.post("/v2/orders", { line_items: [of(cup, 2)], discount_codes: [last] }),
    );

    expect(statuses(answers)).toEqual([...Array(3).fill(201), ...Array(9).fill(409)]);
    expect(refused(answers).map((one) => reasonsOf(one, "/codes"))).toEqual(
      Array.from({ length: 9 }, () => [`${last} exhausted`]),
    );
    expect(await usedCount(shop, id)).toBe(3);
    expect(await stock(shop, cup)).toEqual([100, 6, 94]);
    const names = await shop.announcedNames();
    expect(names.filter((name) => name === "order.placed")).toHaveLength(3);
    expect(names.filter((name) => name === "discount.exhausted")).toHaveLength(1);
    expect(await differences(shop)).toEqual([]);
  });

  test("complete carts with the last use, and the other carts stay open", async () => {
    const last = codeIn(shop, "LAST");
    const id = await discount(shop, { codes: [last], usage_limit: 2 });
    const cup = await mug(shop, { stock: 100 });
    const carts = await Promise.all(
      Array.from({ length: 6 }, () => basket(shop, [of(cup)], { discount_codes: [last] })),
    );

    const answers = await Promise.all(carts.map((cart) => complete(shop, cart)));

    expect(statuses(answers)).toEqual([201, 201, 409, 409, 409, 409]);
    const after = await Promise.all(carts.map((cart) => shop.get(`/v2/carts/${cart.id}`)));
    expect(after.map((cart) => cart.string("/status")).toSorted()).toEqual([
      ...Array(4).fill("active"),
      ...Array(2).fill("completed"),
    ]);
    expect(await usedCount(shop, id)).toBe(2);
    expect(await stock(shop, cup)).toEqual([100, 2, 98]);
    expect(await differences(shop)).toEqual([]);
  });

  test("share an automatic discount with a limit, and the others pay the whole price", async () => {
    await using shop = await openTestShop();
    const id = await discount(shop, { usage_limit: 2 });
    const cup = await mug(shop, { price: 100, stock: 100 });

    const answers = await atOnce(6, () => shop.post("/v2/orders", { line_items: [of(cup)] }));

    const totals = answers.map((one) => totalsOf(one).total);
    expect(totals.toSorted((one, other) => one - other)).toEqual([
      9000,
      9000,
      ...Array(4).fill(10_000),
    ]);
    expect(await usedCount(shop, id)).toBe(2);
    expect(await differences(shop)).toEqual([]);
  });

  test("with one email use a code as often as one customer may", async () => {
    const once = codeIn(shop, "ONCE");
    await discount(shop, { codes: [once], per_customer_limit: 1 });
    const cup = await mug(shop, { stock: 100 });

    const answers = await atOnce(6, () =>
      shop.post("/v2/orders", {
        line_items: [of(cup)],
        discount_codes: [once],
        customer: { email: "ada@example.com" },
      }),
    );

    expect(statuses(answers)).toEqual([201, ...Array(5).fill(409)]);
    expect(refused(answers).map((one) => reasonsOf(one, "/codes"))).toEqual(
      Array.from({ length: 5 }, () => [`${once} used_by_customer`]),
    );
    expect(await stock(shop, cup)).toEqual([100, 1, 99]);
    expect(await differences(shop)).toEqual([]);
  });

  test("take neither the goods nor the code when only one of them is left", async () => {
    const many = codeIn(shop, "MANY");
    const id = await discount(shop, { codes: [many], usage_limit: 50 });
    const cup = await mug(shop, { stock: 3 });

    const answers = await atOnce(8, () =>
      shop.post("/v2/orders", { line_items: [of(cup)], discount_codes: [many] }),
    );

    expect(statuses(answers)).toEqual([...Array(3).fill(201), ...Array(5).fill(409)]);
    expect(await usedCount(shop, id)).toBe(3);
    expect(await differences(shop)).toEqual([]);
  });
});

test("a request that is sent twice uses its code once", async () => {
  const two = codeIn(shop, "TWO");
  const id = await discount(shop, { codes: [two], usage_limit: 2 });
  const body = { line_items: [of(await mug(shop))], discount_codes: [two] };
  const headers = { "Idempotency-Key": "once" };

  const both = await atOnce(2, () => shop.post("/v2/orders", body, { headers }));
  const again = await shop.post("/v2/orders", body, { headers });

  const orders = [...both, again].filter(({ status }) => status === 201);
  expect(new Set(orders.map((order) => order.id)).size).toBe(1);
  expect(again.status).toBe(201);
  expect(await usedCount(shop, id)).toBe(1);
});

test("a customer who is unknown cannot use a code that each may use once", async () => {
  const once = codeIn(shop, "ONCE");
  await discount(shop, { codes: [once], per_customer_limit: 1 });

  const answer = await shop.post("/v2/orders", {
    line_items: [of(await mug(shop))],
    discount_codes: [once],
  });

  expect(reasonsOf(answer, "/codes")).toEqual([`${once} customer_required`]);
});

describe("a use", () => {
  /** A discount that can be used once, and an order that uses it. */
  async function once(shop: TestShop) {
    const codes = [codeIn(shop, "LAST")];
    const id = await discount(shop, { codes, usage_limit: 1, per_customer_limit: 1 });
    return { id, ada: { customer: { email: "ada@example.com" }, discount_codes: codes } };
  }

  test("is given back once, though the order is cancelled twice at once", async () => {
    const { id, ada } = await once(shop);
    const cup = await mug(shop);
    const order = await place(shop, [of(cup)], ada);

    await Promise.all([cancel(shop, order), cancel(shop, order)]);
    await cancel(shop, order);

    expect(await usedCount(shop, id)).toBe(0);
    expect(await differences(shop)).toEqual([]);
    expect((await place(shop, [of(cup)], ada)).status).toBe(201);
  });

  test("is given back by an order that expires", async () => {
    await using shop = await openTestShop();
    const { id, ada } = await once(shop);
    const order = await place(shop, [of(await mug(shop))], ada);

    await later(shop, 30 * DAY_MS);

    expect((await shop.get(`/v2/orders/${order.id}`)).at("/status")).toBe("cancelled");
    expect(await usedCount(shop, id)).toBe(0);
    expect(await differences(shop)).toEqual([]);
  });

  test.each([
    ["without a limit", {}],
    ["with a limit for each customer", { per_customer_limit: 1 }],
    ["with a limit", { usage_limit: 5 }],
  ])("of a discount %s is given back after that was archived", async (_, terms) => {
    const old = codeIn(shop, "OLD");
    const id = await discount(shop, { codes: [old], ...terms });
    const cup = await mug(shop, { stock: 5 });
    const order = await place(shop, [of(cup, 5)], {
      discount_codes: [old],
      customer: { email: "ama@example.com" },
    });
    must(await shop.put(`/v2/discounts/${id}`, { archived: true }), 200);

    const cancelled = await cancel(shop, order);

    expect([cancelled.status, cancelled.at("/status")]).toEqual([200, "cancelled"]);
    expect(await usedCount(shop, id)).toBe(0);
    expect(await stock(shop, cup)).toEqual([5, 0, 5]);
    expect(await differences(shop)).toEqual([]);
  });

  test("is given back where all money goes back", async () => {
    const { id, ada } = await once(shop);
    const order = await place(shop, [of(await mug(shop))], { ...ada, paid: { method: "cash" } });

    must(await cancel(shop, order), 200);

    expect(await usedCount(shop, id)).toBe(0);
    expect(await differences(shop)).toEqual([]);
  });

  test("stays where the merchant keeps the money", async () => {
    const { id, ada } = await once(shop);
    const order = await place(shop, [of(await mug(shop))], { ...ada, paid: { method: "cash" } });

    must(await cancel(shop, order, { refund: false }), 200);

    expect(await usedCount(shop, id)).toBe(1);
    expect(await differences(shop)).toEqual([]);
  });

  test("stays with an order of which a part is cancelled", async () => {
    const { id, ada } = await once(shop);
    const order = await place(shop, [of(await mug(shop), 2)], ada);
    const line_items = [{ line_item_id: order.at("/line_items/0/id"), quantity: 1 }];

    const part = await shop.put(
      `/v2/orders/${order.id}/cancel`,
      { line_items },
      { headers: { "Idempotency-Key": "part" } },
    );

    expect(part.status).toBe(200);
    expect(await usedCount(shop, id)).toBe(1);
    expect(await differences(shop)).toEqual([]);
  });
});
