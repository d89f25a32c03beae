// What a new order would come to is told before: by the rules of the sale, and without a trace.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import fc from "fast-check";

import { inventoryLevels, inventoryMovements, variants } from "#catalog/rows/tables.ts";
import { shopProof } from "#cli/operator/backups/shop-proof.ts";
import { customers } from "#customers/tables.ts";
import { payments } from "#payments/rows/tables.ts";
import { counters, events, timers } from "#platform/database/tables.ts";
import { discountCodes, discounts, discountUses } from "#pricing/discounts/tables.ts";
import { fulfillments, orderLines, orders } from "#sales/rows/tables.ts";
import { auditEntries } from "#shop/audit/tables.ts";

import {
  accra,
  berlin,
  discount,
  levies,
  of,
  shipTo,
  sold,
  tax,
  usd,
} from "../../sales/pricing/priced-shop.ts";
import { type Goods, kanga, mug } from "../../support/cast.ts";
import { runs, seedOfRun } from "../../support/runs.ts";
import { type Answered, openTestShop, type TestShop } from "../../support/shop.ts";
import { rowsOf } from "../../support/tables.ts";
import { settle } from "../scripted-shop.ts";

const PREVIEW = "/v2/orders/preview";

/** What a sale writes to. */
const written = [
  orders,
  orderLines,
  fulfillments,
  payments,
  customers,
  variants,
  inventoryLevels,
  inventoryMovements,
  discounts,
  discountCodes,
  discountUses,
  counters,
  events,
  timers,
  auditEntries,
] as const;

/** All rows of these tables, as texts in one order; without what analytics and emails do by themselves meanwhile. */
async function traces({ test: { database } }: TestShop): Promise<string[][]> {
  const rows = await Promise.all(written.map((table) => rowsOf(database.read, table)));
  return rows.map((found) =>
    found
      .map((row) => JSON.stringify(row))
      .filter((row) => !/"name":"(?:analytics|emails|inbox_messages)/.test(row))
      .toSorted(),
  );
}

/** What `duka check` finds. */
function differences({ test: { database } }: TestShop): Promise<unknown[]> {
  return database.readTogether(async (read) => {
    const found = shopProof.audits.map((audit) => Array.fromAsync(audit(read)));
    return (await Promise.all(found)).flat();
  });
}

/** The order as its preview has it: line items are known by their place, and nothing has an id of its own. */
function asPreviewed(order: Answered, preview: Answered): Record<string, unknown> {
  const ids = order.list("/line_items").map((line) => Object(line).id);
  const allocationsOf = (one: unknown) =>
    Object(one).allocations.map((share: object) => ({
      line_item_index: ids.indexOf(Object(share).line_item_id),
      amount_minor: Object(share).amount_minor,
    }));
  const whole: Record<string, unknown> = {
    ...Object(order.body),
    change: order.at("/change") ?? null,
    change_minor: order.at("/change_minor") ?? null,
    line_items: order.list("/line_items").map((line, index) => {
      const names = Object.keys(Object(preview.at(`/line_items/${index}`)));
      return Object.fromEntries(names.map((name) => [name, Object(line)[name]]));
    }),
    discounts: order
      .list("/discounts")
      .map((one) => ({ ...Object(one), allocations: allocationsOf(one) })),
  };
  const names = Object.keys(Object(preview.body));
  return Object.fromEntries(names.map((name) => [name, whole[name]]));
}

/** A refusal without the name of its request. */
function withoutRequest({ status, body }: Answered): unknown {
  return [status, { ...Object(body), request_id: null }];
}

const major = (minor: number) => (minor / 100).toFixed(2);
const amount = fc.integer({ min: 1, max: 9_000 }).map(major);
const units = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 3, maxLength: 3 });
/** Mostly nothing: of many that each refuse now and then, most baskets would be refused. */
const seldom = <T>(one: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: one });

const paid = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ method: "cash" }) },
  { weight: 3, arbitrary: fc.constant({ method: "cash", tendered: "1000.00" }) },
  { weight: 1, arbitrary: amount.map((tendered) => ({ method: "cash", tendered })) },
  {
    weight: 1,
    arbitrary: fc.record({ method: fc.constantFrom("cash", "card"), amount }),
  },
);

const basket = fc.record({
  units,
  /** Where it goes, and with whose rider. */
  way: fc.constantFrom(
    { rider: null },
    { shipping_address: accra, rider: 0 },
    { shipping_address: berlin, rider: 1 },
    { shipping_address: accra, rider: null },
    { shipping_address: accra, rider: 1 },
  ),
  given: fc.record({
    discount_codes: seldom(fc.subarray(["UNIT", "BASKET", "FREE"], { minLength: 1 })),
    discount: seldom(
      fc.oneof(
        amount.map((off) => ({ title: "Friend", amount: off })),
        fc.constant({ title: "Friend", percent: 33.3333 }),
      ),
    ),
    tax_exemption: seldom(fc.constantFrom("none", "reverse_charge", "exempt")),
    customer: fc.constantFrom(undefined, { email: "ada@example.com" }, { phone: "+233551234987" }),
    expected_total: seldom(fc.constant("24.00")),
    paid: fc.option(paid, { nil: undefined }),
    fulfilled: fc.boolean(),
  }),
});

const selling = fc.record({
  isIncluded: fc.boolean(),
  prices: fc.array(fc.integer({ min: 1, max: 9_999 }), { minLength: 3, maxLength: 3 }),
  baskets: fc.array(basket, { minLength: 6, maxLength: 10 }),
});

/** Taxes of two classes and two countries, discounts with and without codes, and riders. */
async function openPricedShop({
  isIncluded,
  prices,
}: {
  readonly isIncluded: boolean;
  readonly prices: readonly number[];
}) {
  const shop = await openTestShop();
  const rates = [
    ...levies,
    { name: "VAT", rate: 5, tax_class: "food" },
    { country: "DE", name: "USt", rate: 19 },
  ];
  await tax(shop, "GH", { rates, prices_include_tax: isIncluded });
  await discount(shop, { title: "All", percent: 3.3333, stackable: true });
  const unit = { codes: ["UNIT"], stackable: true, usage_limit: 3, target: "lines" };
  await discount(shop, { title: "Unit", amounts: usd("1.01"), per: "unit", ...unit });
  const once = { codes: ["BASKET"], stackable: true, per_customer_limit: 1 };
  await discount(shop, { title: "Basket", amounts: usd("9.99"), per: "basket", ...once });
  await discount(shop, { title: "Free", codes: ["FREE"], target: "shipping", percent: 100 });
  const classes = ["standard", "food", "exempt"];
  const stocked = classes.map((tax_class, index) =>
    sold(shop, major(prices[index] ?? 1), { tax_class, stock: 8 }),
  );
  const riders = [await shipTo(shop, ["GH"]), await shipTo(shop, ["DE"])];
  return { shop, riders, goods: await Promise.all(stocked) };
}

function linesOf(goods: readonly Goods[], quantities: readonly number[]) {
  return goods.flatMap((one, index) => {
    const quantity = quantities[index] ?? 0;
    return quantity === 0 ? [] : [of(one, quantity)];
  });
}

test("an order comes to what its preview said, to the last member, or is refused alike", async () => {
  const seen = { placed: 0, refused: 0 };
  const property = fc.asyncProperty(selling, async ({ baskets, ...settings }) => {
    const { shop, riders, goods } = await openPricedShop(settings);
    await using _ = shop;
    for (const { units: quantities, way, given } of baskets) {
      const { rider, ...address } = way;
      const shipping = rider === null ? {} : { shipping: { rate_id: riders[rider] } };
      const body = { line_items: linesOf(goods, quantities), ...given, ...address, ...shipping };
      const before = await traces(shop);

      const preview = await shop.post(PREVIEW, body);
      const unchanged = await traces(shop);
      const placed = await shop.post("/v2/orders", body);

      expect(unchanged).toEqual(before);
      if (preview.status === 200) {
        seen.placed += 1;
        expect(placed.status).toBe(201);
        expect(asPreviewed(placed, preview)).toEqual(Object(preview.body));
      } else {
        seen.refused += 1;
        expect(withoutRequest(preview)).toEqual(withoutRequest(placed));
      }
    }
    await settle(shop);
    expect(await differences(shop)).toEqual([]);
  });
  await fc.assert(property, { numRuns: runs(6), seed: seedOfRun(), endOnFailure: true });

  expect(Math.min(seen.placed, seen.refused)).toBeGreaterThan(10);
}, 60_000);

describe("the preview of an order", () => {
  let shop: TestShop;
  let cup: Goods;

  beforeAll(async () => {
    shop = await openTestShop();
    await tax(shop, "GH", { rates: levies });
    await discount(shop, { title: "Opening week" });
    cup = await mug(shop);
  });

  afterAll(() => shop[Symbol.asyncDispose]());

  test("has the discounts, the taxes and the change of a sale at the counter", async () => {
    const preview = await shop.post(PREVIEW, {
      line_items: [of(cup, 2)],
      paid: { method: "cash", tendered: "50.00" },
      fulfilled: true,
    });

    expect(preview.status).toBe(200);
    expect(preview.body).toMatchObject({
      line_items: [{ variant_id: cup.variantId, quantity: 2, subtotal: 25, total_minor: 2700 }],
      payment_method: "cash",
      subtotal: 25,
      discount_total: 2.5,
      discounts: [{ title: "Opening week", amount: 2.5, allocations: [{ line_item_index: 0 }] }],
      tax_total: 4.5,
      total: 27,
      total_minor: 2700,
      due: 0,
      change: 23,
      change_minor: 2300,
    });
    expect(preview.text).toContain('"total":27.00,');
    expect(preview.list("/tax_lines").map((line) => Object(line).name)).toEqual([
      "GETFund",
      "NHIL",
      "VAT",
    ]);
  });

  test("names nothing that does not exist", async () => {
    const customer = { email: "new@example.com" };

    const preview = await shop.post(PREVIEW, { line_items: [of(cup)], customer });

    expect(preview.text).not.toMatch(/"(?:id|number|status_url|customer_id|line_item_id)"/);
    expect(preview.headers.get("location")).toBeNull();
    expect((await shop.get("/v2/customers?email=new@example.com")).list("/data")).toEqual([]);
  });

  test("beside orders of the same moment takes no number and no stock of theirs", async () => {
    const bag = await kanga(shop);
    const body = { line_items: [of(bag)] };

    const answers = await Promise.all(
      [PREVIEW, "/v2/orders", PREVIEW, "/v2/orders", PREVIEW].map((path) => shop.post(path, body)),
    );

    const numbers = answers.flatMap((one) => (one.status === 201 ? [one.number("/number")] : []));
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 200, 201, 200]);
    expect(Math.abs((numbers[0] ?? 0) - (numbers[1] ?? 0))).toBe(1);
    expect((await shop.get(`/v2/inventory/${bag.variantId}`)).at("/available")).toBe(3);
    expect(await differences(shop)).toEqual([]);
  });

  test("tells the total that the order can be held to", async () => {
    const body = { line_items: [of(cup)] };
    const { body: preview } = await shop.post(PREVIEW, body);
    await shop.put(`/v2/products/${cup.productId}`, { price: "13.00" });

    const refused = await shop.post("/v2/orders", {
      ...body,
      expected_total: Object(preview).total,
    });

    expect([refused.status, refused.code, refused.at("/total")]).toEqual([
      409,
      "total_changed",
      14.04,
    ]);
  });

  test("under an idempotency key is the same answer again, and none of the order's", async () => {
    const body = { line_items: [of(cup)] };
    const headers = { "Idempotency-Key": "shown-first" };

    const [first, again] = [
      await shop.post(PREVIEW, body, { headers }),
      await shop.post(PREVIEW, body, { headers }),
    ];

    expect(again.text).toBe(first.text);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
  });

  test.each([
    ["orders:read", { scopes: ["orders:read"] }],
    ["orders:create, as a storefront has", { scopes: ["orders:create"] }],
  ])("is not for a key with %s", async (_, terms) => {
    const key = await shop.createKey(terms);

    const refused = await shop.post(PREVIEW, { line_items: [of(cup)] }, { key });

    expect([refused.status, refused.code]).toEqual([403, "scope_missing"]);
  });

  test("of money taken needs payments:write as the sale does", async () => {
    const key = await shop.createKey({ scopes: ["orders:write"] });
    const body = { line_items: [of(cup)], paid: { method: "cash" } };

    const [preview, order] = [
      await shop.post(PREVIEW, body, { key }),
      await shop.post("/v2/orders", body, { key }),
    ];

    expect(preview.code).toBe("scope_missing");
    expect(withoutRequest(preview)).toEqual(withoutRequest(order));
  });
});
