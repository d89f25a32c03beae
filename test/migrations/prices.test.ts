// A shop of the schema 0020, in the middle of every kind of order, gets discounts, taxes and shipping rates: what was
// sold stays as it was, and what is sold from then on has prices.

import { expect, test } from "bun:test";

import { shopProof } from "#cli/operator/backups/shop-proof.ts";

import { order, sale, summary, takeCash } from "../analytics/counter.ts";
import { settle } from "../payments/scripted-shop.ts";
import {
  accra,
  discount,
  levies,
  must,
  of,
  shipTo,
  sold,
  tax,
  totalsOf,
} from "../sales/pricing/priced-shop.ts";
import { rowsBehind } from "../support/behind-the-shop.ts";
import type { Goods } from "../support/cast.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { type Answered, openTestShop, type TestShop } from "../support/shop.ts";
import { takeBackTo0020 } from "./before-prices.ts";

const lineOf = (placed: Answered, quantity: number) => ({
  line_items: [{ line_item_id: placed.string("/line_items/0/id"), quantity }],
});

const taxi = { shipping: { label: "Taxi", amount: "4.99" } };

/** Orders of three units at 33.33, by what happened to them, and a cart. */
async function sell(shop: TestShop, { variantId }: Goods) {
  const placed = await order(shop, variantId, { quantity: 3, ...taxi });
  const partPaid = await order(shop, variantId, { quantity: 3, ...taxi });
  await takeCash(shop, partPaid, 20);
  const [partShipped, returned, refunded, shipped] = [
    await sale(shop, variantId, { quantity: 3, ...taxi }),
    await sale(shop, variantId, { quantity: 3, ...taxi }),
    await sale(shop, variantId, { quantity: 3, ...taxi }),
    await order(shop, variantId, { quantity: 3, ...taxi }),
  ];
  const fulfill = (one: Answered, units: number) =>
    shop.put(`/v2/orders/${one.id}/fulfill`, lineOf(one, units));
  must(await fulfill(partShipped, 1), 200);
  must(await fulfill(returned, 3), 200);
  must(await fulfill(shipped, 3), 200);
  const back = { ...lineOf(returned, 1), restock: true, refund: false };
  must(await shop.post(`/v2/orders/${returned.id}/returns`, back), 201);
  must(await shop.post(`/v2/orders/${refunded.id}/refunds`, lineOf(refunded, 1)), 201);
  const cancelled = await order(shop, variantId, { quantity: 3 });
  must(await shop.put(`/v2/orders/${cancelled.id}/cancel`), 200);
  const cart = await shop.post("/v2/carts", {
    line_items: [{ variant_id: variantId, quantity: 3 }],
    shipping_address: accra,
    ...taxi,
  });
  must(await shop.post(`/v2/carts/${must(cart, 201).id}/checkout`), 200);
  await settle(shop);
  const orders = { placed, partPaid, partShipped, returned, refunded, shipped, cancelled };
  return { ...orders, cart };
}

/** Everything that the shop shows of them; links without the port, which is another one after a restart. */
async function shown(shop: TestShop, { cart, ...orders }: Awaited<ReturnType<typeof sell>>) {
  const paths = Object.values(orders).flatMap(({ id }) => [
    `/v2/orders/${id}`,
    `/v2/orders/${id}/returns`,
    `/v2/refunds?order_id=${id}`,
  ]);
  const answers = await Promise.all(
    [...paths, `/v2/carts/${cart.id}`, "/v2/store"].map((path) => shop.get(path)),
  );
  const texts = [...answers, await summary(shop)].map(({ text }) => text);
  return texts.map((text): unknown => JSON.parse(text.replaceAll(shop.url, "")));
}

/** On one snapshot: the log is counted on meanwhile. */
function differences({ test: { database } }: TestShop) {
  return database.readTogether(async (read) => {
    const found = shopProof.audits.map((audit) => Array.fromAsync(audit(read)));
    return (await Promise.all(found)).flat();
  });
}

test("a shop of the version before goes on in the middle of its orders, and begins to have prices", async () => {
  using folder = openScratchFolder();
  const { key, goods, made, before } = await (async () => {
    await using shop = await openTestShop({ folder });
    const cup = await sold(shop, "33.33");
    const all = await sell(shop, cup);
    return { key: shop.key, goods: cup, made: all, before: await shown(shop, all) };
  })();
  await takeBackTo0020(folder.path);
  const last = "SELECT max(name) AS name FROM migrations";
  expect(await rowsBehind(folder.path, last)).toEqual([{ name: "0020_audit_log" }]);

  // Events of the version before lack members that the document of today names.
  await using opened = new AsyncDisposableStack();
  const shop = await openTestShop({ folder, key });
  opened.defer(() => shop.duka.stop());

  expect(await shown(shop, made)).toEqual(before);
  expect(await differences(shop)).toEqual([]);

  // What was begun goes on without taxes.
  await takeCash(shop, made.partPaid, 84.98);
  for (const one of [made.partShipped, made.refunded]) {
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
  must(await shop.post(`/v2/orders/${made.returned.id}/returns`, lineOf(made.returned, 2)), 201);
  await takeCash(shop, made.shipped, 104.98);
  await settle(shop);
  expect(await differences(shop)).toEqual([]);
  const paid = await summary(shop);
  expect(paid.at("/currencies/0")).toMatchObject({ taxes: [], discounts: [] });
  expect(paid.at("/currencies/0/revenue")).toMatchObject({ gross_minor: 49_995, tax_minor: 0 });

  // The first prices are for what is sold from now on.
  await tax(shop, "GH", { rates: levies });
  const rider = await shipTo(shop, ["GH"]);
  await discount(shop, { codes: ["TENTH"] });
  const changed = await shop.put(`/v2/orders/${made.placed.id}`, { line_items: [of(goods, 2)] });
  const completed = await shop.post(`/v2/carts/${made.cart.id}/complete`);
  const fresh = await sale(shop, goods.variantId, {
    quantity: 3,
    discount_codes: ["TENTH"],
    shipping_address: accra,
    shipping: { rate_id: rider },
  });

  expect(totalsOf(must(changed, 200))).toMatchObject({ tax: 0, total: 7165 });
  // 99.99 and 4.99: 2.62 + 2.62 + 15.75.
  expect(totalsOf(must(completed, 201))).toMatchObject({ tax: 2099, total: 12_597 });
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
  expect(await differences(shop)).toEqual([]);
});
