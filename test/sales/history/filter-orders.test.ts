// The filters of the list of orders, alone and together, against a filter of all orders in the test.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import fc from "fast-check";

import { type Goods, kanga, mug } from "../../support/cast.ts";
import { runs } from "../../support/runs.ts";
import { type Answered, openTestShop, type TestShop } from "../../support/shop.ts";
import { cancel, fulfill, of, place } from "../orders/counter.ts";
import { writeTerms } from "../rows/writing.ts";

const DAY_MS = 86_400_000;

let shop: TestShop;
let cup: Goods;
let cloth: Goods;

const wrap = { name: "Wrapping", sku: "WRAP", unit_price: 1, quantity: 1 };

/**
 * Fifty orders of a hundred days, some of which are paid, changed, shipped or cancelled weeks after they were
 * placed.
 */
beforeAll(async () => {
  shop = await openTestShop();
  cup = await mug(shop, { stock: 10_000 });
  cloth = await kanga(shop, { stock: 10_000 });
  const baskets = [[of(cup)], [of(cloth), of(cup)], [wrap, of(cloth)], [wrap], [of(cup), of(cup)]];
  const methods = ["mobile_money", "cash_on_delivery", "cash", "bank_transfer"];
  const placed: Answered[] = [];
  for (let index = 0; index < 50; index += 1) {
    shop.clock.advance(2 * DAY_MS + index * 977);
    // Orders that were to be paid by a gateway expire meanwhile.
    await shop.fireDue();
    const isPaid = index % 5 === 0;
    placed.push(
      await place(shop, baskets[index % baskets.length] ?? [], {
        channel: index % 3 === 0 ? "phone" : "online_store",
        payment_method: methods[index % methods.length],
        ...(isPaid && { paid: { method: "cash" } }),
      }),
    );
    // Lists have orders of both kinds: those with terms, and those that are found by their events.
    if (index === 25) await writeTerms(shop.test.database);
    const old = placed[(index * 7) % placed.length];
    if (old !== undefined) await change(old, index);
  }
}, 60_000);

afterAll(async () => {
  await shop[Symbol.asyncDispose]();
});

async function change(order: Answered, index: number): Promise<void> {
  if (index % 4 === 0) await shop.put(`/v2/orders/${order.id}`, { notes: `Call ${index}` });
  if (index % 4 === 1) await fulfill(shop, order);
  if (index % 8 === 2) await cancel(shop, order);
  if (index % 4 === 3) await payByHand(order);
}

/** Takes the money of an order that is due; one that is not stays as it is. */
async function payByHand(order: Answered): Promise<void> {
  const { body } = await shop.get(`/v2/orders/${order.id}`);
  const { due: amount, currency } = Object(body);
  if (amount === 0) return;
  const attempt = { order_id: order.id, method: "bank_transfer", amount };
  const opened = await shop.post("/v2/payments/initialize", attempt);
  const taken = await shop.post(`/v2/payments/${opened.id}/confirm`, { amount, currency });
  if (taken.status !== 200) throw new Error(taken.text);
}

/** An order as the list answers it; its type is that of JSON. */
type Listed = ReturnType<typeof Object>;

async function walk(query: string): Promise<Listed[]> {
  const found: Listed[] = [];
  for (let next = `/v2/orders?${query}`; next !== "";) {
    const page = await shop.get(next);
    if (page.status !== 200) throw new Error(`${next} ${page.text}`);
    found.push(...page.list("/data").map((order) => Object(order)));
    const link = /^<(.+)>; rel="next"$/.exec(page.headers.get("link") ?? "")?.[1] ?? "";
    next = link.slice(shop.url.length);
  }
  return found;
}

interface Filter {
  readonly query: string;
  readonly keeps: (order: Listed) => boolean;
}

function isAny(name: string, values: readonly string[]): Filter {
  return { query: `${name}=${values.join()}`, keeps: (order) => values.includes(order[name]) };
}

function ofLine(query: string, name: string, value: string): Filter {
  return {
    query: `${query}=${value}`,
    keeps: (order) => order.line_items.some((line: Listed) => line[name] === value),
  };
}

const compare = {
  gte: (one: number, other: number) => one >= other,
  gt: (one: number, other: number) => one > other,
  lte: (one: number, other: number) => one <= other,
  lt: (one: number, other: number) => one < other,
} as const;

/** A bound at the very moment of some order, or beside it. */
const bound = fc
  .record({
    name: fc.constantFrom("created_at", "paid_at", "updated_at"),
    sign: fc.constantFrom("gte", "gt", "lte", "lt"),
    pick: fc.nat(),
    besideMs: fc.constantFrom(0, 0, 1, -1, 40 * DAY_MS, -900 * DAY_MS),
  })
  .map(({ name, sign, pick, besideMs }) => (orders: readonly Listed[]): Filter => {
    const known = orders.filter((order) => order[name] !== null);
    const at = Date.parse(known[pick % known.length][name]) + besideMs;
    return {
      query: `${name}[${sign}]=${new Date(at).toISOString()}`,
      keeps: (order) => order[name] !== null && compare[sign](Date.parse(order[name]), at),
    };
  });

const choices = {
  status: ["open", "completed", "cancelled"],
  payment_status: ["unpaid", "paid", "pending"],
  fulfillment_status: ["unfulfilled", "fulfilled"],
  payment_method: ["mobile_money", "cash_on_delivery", "cash", "bank_transfer", "card"],
} as const;

const filter = fc.oneof(
  { weight: 4, arbitrary: bound },
  ...Object.entries(choices).map(([name, values]) =>
    fc.subarray([...values], { minLength: 1, maxLength: 2 }).map((some) => () => isAny(name, some)),
  ),
  fc.constantFrom("MUG", "KANGA", "WRAP", "mug").map((sku) => () => ofLine("sku", "sku", sku)),
  fc.nat(1).map((which) => () => ofLine("product_id", "product_id", idOf(which))),
  fc.constant(() => isAny("channel", ["phone"])),
  fc
    .uniqueArray(fc.nat(49), { minLength: 1, maxLength: 30 })
    .map((picks) => (orders: readonly Listed[]) => {
      const ids = picks.map((pick) => orders[pick].id);
      return isAny("id", [...ids, "ord_01h455vb4pex5vsknk084sn02q"]);
    }),
  fc.nat().map((pick) => (orders: readonly Listed[]): Filter => {
    const { number } = orders[pick % orders.length];
    return { query: `number=${number}`, keeps: (order) => order.number === number };
  }),
);

function idOf(which: number): string {
  return which === 0 ? cup.productId : cloth.productId;
}

test("orders that match all filters are listed newest first, page by page, and no others", async () => {
  const all = await walk("limit=100");
  expect(all).toHaveLength(50);
  const filters = fc.uniqueArray(filter, { minLength: 1, maxLength: 4 });

  await fc.assert(
    fc.asyncProperty(filters, fc.integer({ min: 1, max: 20 }), async (made, limit) => {
      const asked = made.map((make) => make(all));
      // A parameter is given once.
      const given = [...new Map(asked.map((one) => [one.query.split("=")[0], one])).values()];

      const found = await walk([...given.map(({ query }) => query), `limit=${limit}`].join("&"));

      const expected = all.filter((order) => given.every(({ keeps }) => keeps(order)));
      const numbersOf = (orders: readonly Listed[]) => orders.map(({ number }) => number);
      const query = given.map((one) => one.query).join("&");
      expect([query, numbersOf(found)]).toEqual([query, numbersOf(expected)]);
    }),
    { numRuns: runs(150) },
  );
}, 120_000);

describe("orders are found by", () => {
  const numbers = async (query: string) => (await walk(query)).map(({ number }) => number);

  test("the product of any line, once each", async () => {
    const found = await numbers(`product_id=${cup.productId}&number=1005`);

    expect(found).toEqual([1005]);
  });

  test("the SKU of a line of the merchant's own", async () => {
    expect(await numbers("sku=WRAP&number=1003")).toEqual([1003]);
  });

  test("the SKU under which they were sold, after it changed", async () => {
    await using other = await openTestShop();
    const goods = await mug(other);
    const placed = await place(other, [of(goods)]);
    const path = `/v2/products/${goods.productId}/variants/${goods.variantId}`;
    await other.put(path, { sku: "MUG-2" });

    const found = await Promise.all([
      other.get("/v2/orders?sku=MUG"),
      other.get("/v2/orders?sku=MUG-2"),
    ]);

    expect(found.map((page) => page.list("/data").length)).toEqual([1, 0]);
    expect(found[0]?.at("/data/0/id")).toBe(placed.id);
  });

  test("words and a product together", async () => {
    await using other = await openTestShop();
    const [one, two] = [await mug(other), await kanga(other)];
    const customer = { email: "esi@example.com", name: "Esi Owusu" };
    await place(other, [of(one)], { customer });
    const second = await place(other, [of(two)], { customer });

    const found = await other.get(`/v2/orders?q=owusu&product_id=${two.productId}`);

    expect(found.list("/data").map((order) => Object(order).id)).toEqual([second.id]);
  });

  test.each([
    ["a product that does not exist", "product_id=prod_01h455vb4pex5vsknk084sn02q"],
    ["the id of something else", "product_id=mug"],
    ["ids of no order", "id=mug,ord_01h455vb4pex5vsknk084sn02q"],
    ["a SKU in other letters", "sku=mug"],
    ["a payment before the first", "paid_at[lt]=2020-01-01"],
    ["a change after the last", "updated_at[gte]=2100-01-01"],
    ["bounds without a moment between them", "updated_at[gt]=2026-02-02&updated_at[lt]=2026-02-02"],
  ])("%s: none", async (_, query) => {
    expect(await numbers(query)).toEqual([]);
  });
});

describe("a list of orders is refused", () => {
  test.each([
    ["an unknown way to pay", "payment_method=barter", "payment_method invalid_choice"],
    ["no way to pay", "payment_method=", "payment_method invalid_choice"],
    ["an empty SKU", "sku=", "sku too_short"],
    ["a time in words", "paid_at[gte]=yesterday", "paid_at[gte] invalid_format"],
    ["a day that does not exist", "updated_at[lte]=2026-02-30", "updated_at[lte] invalid_format"],
    ["a time without a bound", "updated_at=2026-02-03", "updated_at unknown_parameter"],
    ["a product in another word", "product=mug", "product unknown_parameter"],
  ])("for %s", async (_, query, fault) => {
    const refused = await shop.get(`/v2/orders?${query}`);

    expect([refused.status, refused.code, refused.faults]).toEqual([400, "query_invalid", [fault]]);
  });
});
