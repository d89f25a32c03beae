// Races for discounts through orders, carts, cancellations and timers: a limit holds whatever happens at once, a use is
// given back once, and no two orders wait for each other.

import { describe, expect, test } from "bun:test";

import { auditStock } from "#catalog/inventory/audit-stock.ts";
import type { Difference } from "#kernel/difference.ts";
import { auditDiscounts } from "#pricing/discount-uses/audit-discounts.ts";
import { auditOrders } from "#sales/history/audit-orders.ts";

import { atOnce, statuses } from "../../support/at-once.ts";
import { type Goods, mug } from "../../support/cast.ts";
import { type Answered, openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";
import { basket, complete, DAY_MS } from "../carts/basket.ts";
import { cancel, place, stock } from "../orders/counter.ts";
import { codeIn, discount, must, of, reasonsOf, totalsOf } from "./priced-shop.ts";

const shop = sharedShop();

const ada = { customer: { email: "ada@example.com" }, discount_codes: ["LAST"] };

async function usedCount(shop: TestShop, id: string): Promise<unknown> {
  return (await shop.get(`/v2/discounts/${id}`)).at("/used_count");
}

async function differences({ test: { database } }: TestShop): Promise<Difference[]> {
  const { read } = database;
  return [
    ...(await Array.fromAsync(auditDiscounts(read))),
    ...(await Array.fromAsync(auditOrders(read))),
    ...(await Array.fromAsync(auditStock(read))),
  ];
}

/** The reasons of the refused, each once. */
function reasons(answers: readonly Answered[]): string[] {
  const refused = answers.filter(({ status }) => status === 409);
  return [...new Set(refused.flatMap((one) => reasonsOf(one, "/codes")))];
}

/** Orders one of the goods with a code. */
function order(shop: TestShop, cup: Goods, terms: object) {
  return shop.post("/v2/orders", { line_items: [of(cup)], ...terms });
}

describe("of many customers at once", () => {
  test("as many use a code as its own limit says, and a second code of the discount is free", async () => {
    const few = codeIn(shop, "FEW");
    const many = codeIn(shop, "MANY");
    const id = await discount(shop, { codes: [many] });
    await shop.post(`/v2/discounts/${id}/codes`, { codes: [few], usage_limit: 2 });
    const cup = await mug(shop, { stock: 100 });

    const answers = await atOnce(10, () => order(shop, cup, { discount_codes: [few] }));

    expect(statuses(answers)).toEqual([201, 201, ...Array(8).fill(409)]);
    expect(reasons(answers)).toEqual([`${few} exhausted`]);
    expect(await stock(shop, cup)).toEqual([100, 2, 98]);
    expect((await order(shop, cup, { discount_codes: [many] })).status).toBe(201);
    expect(await differences(shop)).toEqual([]);
  });

  test("those with carts and those without share the last uses", async () => {
    const last = codeIn(shop, "LAST");
    const id = await discount(shop, { codes: [last], usage_limit: 3 });
    const cup = await mug(shop, { stock: 100 });
    const carts = await atOnce(5, () => basket(shop, [of(cup)], { discount_codes: [last] }));

    const answers = await Promise.all([
      ...carts.map((cart) => complete(shop, cart)),
      ...carts.map(() => order(shop, cup, { discount_codes: [last] })),
    ]);

    expect(statuses(answers)).toEqual([201, 201, 201, ...Array(7).fill(409)]);
    expect(reasons(answers)).toEqual([`${last} exhausted`]);
    expect(await usedCount(shop, id)).toBe(3);
    expect(await stock(shop, cup)).toEqual([100, 3, 97]);
    expect(await differences(shop)).toEqual([]);
  });

  test("none is charged more than was shown when the last use is gone", async () => {
    const last = codeIn(shop, "LAST");
    await discount(shop, { codes: [last], usage_limit: 1 });
    const cup = await mug(shop, { price: 100, stock: 100 });
    const carts = await atOnce(4, () => basket(shop, [of(cup)], { discount_codes: [last] }));

    const answers = await Promise.all(
      carts.map((cart) => complete(shop, cart, { expected_total: 90 })),
    );

    expect(statuses(answers)).toEqual([201, 409, 409, 409]);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused.map(({ code }) => code)).toEqual(Array(3).fill("total_changed"));
    expect(refused.flatMap((one) => reasonsOf(one))).toEqual(Array(3).fill(`${last} exhausted`));
    expect(await stock(shop, cup)).toEqual([100, 1, 99]);
    expect(await differences(shop)).toEqual([]);
  });

  test("those who write one email get a code together as often as one customer may", async () => {
    const twice = codeIn(shop, "TWICE");
    await discount(shop, { codes: [twice], per_customer_limit: 2 });
    const cup = await mug(shop, { stock: 100 });
    const terms = { discount_codes: [twice], email: "ada@example.com" };
    const carts = await atOnce(6, () => basket(shop, [of(cup)], terms));

    const answers = await Promise.all(carts.map((cart) => complete(shop, cart)));

    expect(statuses(answers)).toEqual([201, 201, 409, 409, 409, 409]);
    expect(reasons(answers)).toEqual([`${twice} used_by_customer`]);
    expect(await stock(shop, cup)).toEqual([100, 2, 98]);
    expect(await differences(shop)).toEqual([]);
  });

  test("each is placed whole or not at all while the discount is archived", async () => {
    const soon = codeIn(shop, "SOON");
    const id = await discount(shop, { codes: [soon], usage_limit: 50 });
    const cup = await mug(shop, { price: 100, stock: 100 });

    const [answers, archived] = await Promise.all([
      atOnce(10, () => order(shop, cup, { discount_codes: [soon] })),
      shop.put(`/v2/discounts/${id}`, { archived: true }),
    ]);

    const placed = answers.filter(({ status }) => status === 201);
    const totals = new Set(placed.map((one) => totalsOf(one).total));
    expect(archived.status).toBe(200);
    expect([...totals].filter((total) => total !== 9000)).toEqual([]);
    expect(reasons(answers).filter((one) => one !== `${soon} ended`)).toEqual([]);
    expect(await usedCount(shop, id)).toBe(placed.length);
    expect(await differences(shop)).toEqual([]);
  });

  test("none has a discount that was deleted", async () => {
    const gone = codeIn(shop, "GONE");
    const id = await discount(shop, { codes: [gone] });
    const cup = await mug(shop, { stock: 100 });

    const [answers, deleted] = await Promise.all([
      atOnce(8, () => order(shop, cup, { discount_codes: [gone] })),
      shop.delete(`/v2/discounts/${id}`),
    ]);

    const placed = answers.filter(({ status }) => status === 201).length;
    expect([deleted.status, placed]).toEqual(deleted.status === 204 ? [204, 0] : [409, 8]);
    expect(await differences(shop)).toEqual([]);
  });
});

describe("a use is counted once", () => {
  test("for a cart that is completed twice with one key", async () => {
    const two = codeIn(shop, "TWO");
    const id = await discount(shop, { codes: [two], usage_limit: 2 });
    const cart = await basket(shop, [of(await mug(shop))], { discount_codes: [two] });
    const path = `/v2/carts/${cart.id}/complete`;
    const headers = { "Idempotency-Key": "once" };

    const answers = await atOnce(3, () => shop.post(path, undefined, { headers }));
    const again = await shop.post(path, undefined, { headers });

    const placed = [...answers, again].filter(({ status }) => status === 201);
    expect(again.status).toBe(201);
    expect(new Set(placed.map((one) => one.id)).size).toBe(1);
    expect(await usedCount(shop, id)).toBe(1);
    expect(await differences(shop)).toEqual([]);
  });

  test("though the first try with the key was refused", async () => {
    const last = codeIn(shop, "LAST");
    const id = await discount(shop, { codes: [last], usage_limit: 1 });
    const cup = await mug(shop, { stock: 10 });
    const first = await place(shop, [of(cup)], { discount_codes: [last] });
    const headers = { "Idempotency-Key": "mine" };
    const body = { line_items: [of(cup)], discount_codes: [last] };

    const refused = await shop.post("/v2/orders", body, { headers });
    must(await cancel(shop, first), 200);
    const other = await shop.post("/v2/orders", body);

    expect([refused.status, other.status]).toEqual([409, 201]);
    expect(await usedCount(shop, id)).toBe(1);
    expect(await differences(shop)).toEqual([]);
  });
});

describe("a use is given back once", () => {
  const once = { codes: ["LAST"], usage_limit: 1, per_customer_limit: 1 };

  async function unpaid(shop: TestShop) {
    const id = await discount(shop, once);
    const cup = await mug(shop, { stock: 10 });
    const placed = await place(shop, [of(cup)], ada);
    return { id, cup, placed };
  }

  test("by an order that is cancelled as it expires", async () => {
    await using shop = await openTestShop();
    const { id, cup, placed } = await unpaid(shop);
    shop.clock.advance(30 * DAY_MS);
    await shop.announced();

    await Promise.all([cancel(shop, placed), shop.fireDue(), cancel(shop, placed)]);

    const names = await shop.announcedNames();
    expect(names.filter((name) => name === "order.cancelled")).toHaveLength(1);
    expect(await usedCount(shop, id)).toBe(0);
    expect(await stock(shop, cup)).toEqual([10, 0, 10]);
    expect(await differences(shop)).toEqual([]);
    expect((await order(shop, cup, ada)).status).toBe(201);
  });

  test("to one of many who wait for it", async () => {
    await using shop = await openTestShop();
    const { id, cup, placed } = await unpaid(shop);
    const others = (index: number) => ({
      ...ada,
      customer: { email: `kofi${index}@example.com` },
    });

    await Promise.all([
      cancel(shop, placed),
      atOnce(6, (index) => order(shop, cup, others(index))),
    ]);
    await order(shop, cup, others(9));

    const open = (await shop.get("/v2/orders?status=open")).list("/data");
    expect(open).toHaveLength(1);
    expect(await usedCount(shop, id)).toBe(1);
    expect(await differences(shop)).toEqual([]);
  });

  test("of each discount of orders that are cancelled together", async () => {
    await using shop = await openTestShop();
    const ids = await Promise.all(
      ["ONE", "TWO", "THREE"].map((code) =>
        discount(shop, { codes: [code], usage_limit: 20, stackable: true, per_customer_limit: 20 }),
      ),
    );
    const cup = await mug(shop, { stock: 100 });
    const codes = ["ONE", "TWO", "THREE"];
    const orders = await atOnce(8, () => place(shop, [of(cup)], { ...ada, discount_codes: codes }));

    const answers = await Promise.all(orders.map((one) => cancel(shop, one)));

    expect(statuses(answers)).toEqual(Array(8).fill(200));
    expect(await Promise.all(ids.map((id) => usedCount(shop, id)))).toEqual([0, 0, 0]);
    expect(await differences(shop)).toEqual([]);
  });
});

test("orders with the same goods and codes in any order do not wait for one another", async () => {
  await using shop = await openTestShop();
  const codes = ["AAA", "BBB", "CCC", "DDD"];
  const limited = { stackable: true, percent: 1, usage_limit: 1000, per_customer_limit: 1000 };
  for (const code of codes) {
    const id = await discount(shop, { ...limited, automatic: false });
    const terms = { codes: [code, `${code}-2`], usage_limit: 1000 };
    must(await shop.post(`/v2/discounts/${id}/codes`, terms), 200);
  }
  const cups = await Promise.all(
    ["A", "B", "C"].map((sku) => mug(shop, { sku, price: 100, stock: 1000 })),
  );
  const turned = <T>(list: readonly T[], by: number): T[] => {
    const turn = [...list.slice(by % list.length), ...list.slice(0, by % list.length)];
    return by % 2 === 0 ? turn : turn.toReversed();
  };

  const answers = await atOnce(24, async (index) => {
    const placed = await shop.post("/v2/orders", {
      line_items: turned(cups, index).map((cup) => of(cup)),
      discount_codes: turned(codes, index).map((code) => (index % 3 === 0 ? code : `${code}-2`)),
      customer: { email: `kofi${index % 4}@example.com` },
    });
    return index % 2 === 0 ? cancel(shop, must(placed, 201)) : placed;
  });

  expect(statuses(answers)).toEqual([...Array(12).fill(200), ...Array(12).fill(201)]);
  const used = (await shop.get("/v2/discounts")).list("/data").map((one) => Object(one).used_count);
  expect(used).toEqual([12, 12, 12, 12]);
  expect(await differences(shop)).toEqual([]);
});
