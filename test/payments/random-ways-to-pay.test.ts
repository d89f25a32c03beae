// In fresh live shops, however they are set up: by every way that a web page is offered, the customer ends at a page that
// says where to pay. `RUNS=10` sets up two hundred shops.

import { afterAll, beforeAll, expect, test } from "bun:test";

import fc from "fast-check";

import { paymentMethods } from "#kernel/payment-method.ts";

import { runs } from "../support/runs.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";

const RUNS = runs(20);
const ACCOUNTS = "/v2/receiving-accounts";

let shop: TestShop;
let merchant: { readonly key: string };
let pages: { readonly key: string };
let line_items: readonly object[] = [];
beforeAll(async () => {
  shop = await openTestShop({ asks: "nothing" });
  merchant = { key: await shop.createKey({ mode: "live" }) };
  pages = { key: await shop.createKey({ mode: "live", scopes: ["storefront"] }) };
  const goods = { name: "Mug", price: 12.5, stock: 100_000 };
  const mug = await shop.post("/v2/products", goods, merchant);
  line_items = [{ variant_id: mug.string("/variants/0/id"), quantity: 1 }];
});
afterAll(() => shop[Symbol.asyncDispose]());

const byHand = ["mobile_money", "card", "gateway", "bank_transfer"] as const;

const settingsOf = fc.record({
  enabled: fc.boolean(),
  instructions: fc.option(fc.constantFrom("GH12 3456 7890", "Till 123456")),
});
const accountOf = fc.record({
  method: fc.constantFrom("mobile_money", "bank_transfer", "card"),
  label: fc.constantFrom("MTN", "Ecobank"),
  instructions: fc.constantFrom("024 123 4567", "SN08 1111"),
  currencies: fc.constantFrom<readonly string[]>([], ["USD"], ["GHS"]),
  active: fc.boolean(),
});
const shopOf = fc.record({
  methods: fc.record(Object.fromEntries(byHand.map((method) => [method, settingsOf]))),
  accounts: fc.array(accountOf, { maxLength: 3 }),
});

type Given = typeof shopOf extends fc.Arbitrary<infer T> ? T : never;

/** Leaves the shop with these ways to pay and no others. */
async function setUp({ methods, accounts }: Given): Promise<void> {
  await shop.put("/v2/store", { payment_methods: methods }, merchant);
  for (const known of (await shop.get(ACCOUNTS, merchant)).list("/data")) {
    await shop.delete(`${ACCOUNTS}/${Object(known).id}`, merchant);
  }
  for (const account of accounts) await shop.post(ACCOUNTS, account, merchant);
}

/** The methods that the checklist says web pages offer, and tell where to pay. */
async function waysOffered(): Promise<string[]> {
  const ways = (await shop.get("/v2/checklist?area=shop", merchant)).list("/ways").map(Object);
  return ways.filter(({ offered, told }) => offered && told).map(({ method }) => method);
}

/** The methods that web pages offer for money of one currency or another, in the order of the checklist. */
async function waysOnPages(): Promise<string[]> {
  const lists = await Promise.all(
    ["USD", "GHS"].map((currency) => shop.get(`/v2/payment-methods?currency=${currency}`, pages)),
  );
  const offered = new Set(
    lists.flatMap((one) => one.list("/methods").map((way) => Object(way).method)),
  );
  return paymentMethods.filter((method) => offered.has(method));
}

test("by every way that is offered, the customer ends at a page that says where to pay", async () => {
  let bought = 0;
  await fc.assert(
    fc.asyncProperty(shopOf, async (given) => {
      await setUp(given);
      expect(await waysOffered()).toEqual(await waysOnPages());
      for (const way of (await shop.get("/v2/payment-methods", pages)).list("/methods")) {
        const { method, instructions, accounts } = Object(way);
        const order = { line_items, payment_method: method };
        const placed = await shop.post("/v2/orders", order, pages);
        const started = { order_id: placed.id };
        const payment = await shop.post("/v2/payments/initialize", started, pages);
        const page = await (await fetch(placed.string("/status_url"))).text();
        const told = [instructions, ...accounts.map(Object)].filter((one) => one !== null);

        expect([placed.status, payment.status]).toEqual([201, 201]);
        expect(told.length).toBeGreaterThan(0);
        expect(payment.at("/next_action/accounts")).toEqual(accounts);
        for (const one of told) expect(page).toContain(one.instructions ?? one);
        await shop.post(`/v2/orders/${placed.id}/cancel`, {}, merchant);
        bought += 1;
      }
    }),
    { numRuns: RUNS },
  );
  expect(bought).toBeGreaterThan(0);
});
