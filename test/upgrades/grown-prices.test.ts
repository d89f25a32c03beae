// What the program of the schema 0018 left, which knew no prices but amounts, gets discounts, taxes and shipping rates:
// what was begun goes on as it was, and what is sold from then on has prices.

import { expect, test } from "bun:test";

import { sale, summary, takeCash } from "../analytics/counter.ts";
import { settle } from "../payments/scripted-shop.ts";
import {
  accra,
  discount,
  levies,
  must,
  shipTo,
  tax,
  totalsOf,
} from "../sales/pricing/priced-shop.ts";
import { type Answered, openTestShop, type TestShop } from "../support/shop.ts";
import { differencesIn, openKeptShop } from "./kept-shop.ts";

const lineOf = (placed: Answered, quantity: number) => ({
  line_items: [{ line_item_id: placed.string("/line_items/0/id"), quantity }],
});

/** An order of three units at 33.33 with a ride for 4.99, by its number. */
async function numbered(shop: TestShop, number: number): Promise<Answered> {
  const found = await shop.get(`/v2/orders?number=${number}`);
  return shop.get(`/v2/orders/${found.string("/data/0/id")}`);
}

test("a shop without prices goes on in the middle of its orders, and begins to have them", async () => {
  await using old = await openKeptShop("0.1.0+g81ab7c24");
  const { folder, settings, kept } = old;
  await using opened = new AsyncDisposableStack();
  const shop = await openTestShop({ folder, settings, key: kept.keys.test, now: kept.readAt });
  // Events of the version before lack members that the document of today names.
  opened.defer(() => shop.duka.stop());
  const partShipped = await numbered(shop, 1003);
  const partRefunded = await numbered(shop, 1008);
  const returned = await numbered(shop, 1009);

  // What was begun goes on without taxes.
  await takeCash(shop, await numbered(shop, 1005), 64.98);
  await takeCash(shop, await numbered(shop, 1004), 104.98);
  for (const one of [partShipped, partRefunded]) {
    for (const minor of [3333, 3333]) {
      const refund = await shop.post(`/v2/orders/${one.id}/refunds`, lineOf(one, 1));
      expect(must(refund, 201).at("/refunds/0")).toMatchObject({
        amount_minor: minor,
        tax_total_minor: 0,
        tax_lines: [],
      });
    }
    const rest = await shop.post(`/v2/orders/${one.id}/refunds`, { shipping: "4.99" });
    expect(must(rest, 201).at("/refunds/0/shipping_total_minor")).toBe(499);
  }
  must(await shop.post(`/v2/orders/${returned.id}/returns`, lineOf(returned, 1)), 201);
  await settle(shop);
  expect(await differencesIn(old)).toEqual([]);
  const before = await summary(shop);
  expect(before.at("/currencies/0")).toMatchObject({ taxes: [], discounts: [] });
  expect(before.at("/currencies/0/revenue")).toMatchObject({ tax_minor: 0 });

  // The first prices are for what is sold from now on.
  await tax(shop, "GH", { rates: levies });
  const amounts = [{ currency: "GHS", amount: 5 }];
  const rider = await shipTo(shop, ["GH"], { tiers: [{ from: 0, amounts }] });
  await discount(shop, { codes: ["TENTH"] });
  const variant = partShipped.string("/line_items/0/variant_id");
  const placed = await numbered(shop, 1021);
  const lines = [{ variant_id: variant, quantity: 2 }];
  const changed = await shop.put(`/v2/orders/${placed.id}`, { line_items: lines });
  const carts = await shop.get("/v2/carts?status=active");
  const completed = await shop.post(`/v2/carts/${carts.string("/data/0/id")}/complete`, {
    payment_method: "cash",
  });
  const fresh = await sale(shop, variant, {
    quantity: 3,
    discount_codes: ["TENTH"],
    shipping_address: accra,
    shipping: { rate_id: rider },
  });

  expect(totalsOf(must(changed, 200))).toMatchObject({ tax: 0, total: 7165 });
  // 66.66 and 4.99: 1.79 + 1.79 + 10.75.
  expect(totalsOf(must(completed, 201))).toMatchObject({ tax: 1433, total: 8598 });
  // 99.99 - 10.00 + 5.00 = 94.99: 2.37 + 2.37 + 14.25.
  expect(totalsOf(fresh)).toMatchObject({
    discount: 1000,
    shipping: 500,
    tax: 1899,
    total: 11_398,
  });
  expect((await summary(shop)).at("/currencies/0/taxes")).toMatchObject([
    { name: "GETFund", tax_minor: 237 },
    { name: "NHIL", tax_minor: 237 },
    { name: "VAT", tax_minor: 1425 },
  ]);
  expect(await differencesIn(old)).toEqual([]);
});
