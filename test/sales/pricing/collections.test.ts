// Discounts of collections: what is in one counts when a sale is priced.

import { expect, test } from "bun:test";

import { openTestShop, type TestShop } from "../../support/shop.ts";
import { place } from "../orders/counter.ts";
import { discount, must, of, sold, totalsOf } from "./priced-shop.ts";

async function collection(shop: TestShop, terms: object): Promise<string> {
  return must(await shop.post("/v2/collections", { title: "Collection", ...terms }), 201).id;
}

test("a discount of a collection follows its rule and its products from sale to sale", async () => {
  await using shop = await openTestShop();
  const cup = await sold(shop, 100, { brand: "Jiko" });
  const pot = await sold(shop, 100);
  const rule = await collection(shop, { rule: { brand: "Jiko" }, published: false });
  const picked = await collection(shop, {});
  await discount(shop, { target: "lines", scope: { collection_ids: [rule, picked] } });
  const reduced = async () => {
    const cart = must(await shop.post("/v2/carts", { line_items: [of(cup), of(pot)] }), 201);
    const order = totalsOf(await place(shop, [of(cup), of(pot)]));
    expect(totalsOf(cart).discount).toBe(order.discount);
    return order.discount;
  };

  const found = [await reduced()];
  await shop.put(`/v2/collections/${picked}/products/${pot.productId}`);
  found.push(await reduced());
  await shop.put(`/v2/products/${cup.productId}`, { brand: "Other" });
  found.push(await reduced());
  await shop.put(`/v2/collections/${rule}`, { rule: { brand: "Other", q: "goods" } });
  found.push(await reduced());
  await shop.delete(`/v2/collections/${picked}`);
  found.push(await reduced());
  await shop.delete(`/v2/collections/${rule}`);
  found.push(await reduced());

  expect(found).toEqual([1000, 2000, 1000, 2000, 1000, 0]);
});

test("a discount buys in one collection and gets from another", async () => {
  await using shop = await openTestShop();
  const cup = await sold(shop, 100, { category: "cups" });
  const spoon = await sold(shop, 10, { category: "spoons" });
  const scopeOf = async (category: string) => ({
    collection_ids: [await collection(shop, { rule: { category } })],
  });
  const buy_get = {
    buy: { quantity: 1, scope: await scopeOf("cups") },
    get: { quantity: 1, scope: await scopeOf("spoons"), percent: 100 },
  };
  await discount(shop, { target: "lines", buy_get });

  const order = await place(shop, [of(cup), of(spoon, 2)]);
  const alone = await place(shop, [of(spoon, 2)]);

  expect([totalsOf(order).discount, totalsOf(alone).discount]).toEqual([1000, 0]);
});

test("an edited order keeps the discount of a collection for what is in it", async () => {
  await using shop = await openTestShop();
  const cup = await sold(shop, 100);
  const id = await collection(shop, {});
  await shop.put(`/v2/collections/${id}/products/${cup.productId}`);
  await discount(shop, { target: "lines", scope: { collection_ids: [id] } });
  const order = await place(shop, [of(cup)]);

  const edited = await shop.put(`/v2/orders/${order.id}`, { line_items: [of(cup, 3)] });

  expect(totalsOf(must(edited, 200)).discount).toBe(3000);
});

test("an edited order keeps the discount of a collection that has changed since", async () => {
  await using shop = await openTestShop();
  const cup = await sold(shop, 100);
  const pot = await sold(shop, 100);
  const spoon = await sold(shop, 10);
  const id = await collection(shop, {});
  await shop.put(`/v2/collections/${id}/products/${cup.productId}`);
  await discount(shop, { target: "lines", scope: { collection_ids: [id] } });
  const order = await place(shop, [of(cup), of(pot)]);
  await shop.delete(`/v2/collections/${id}/products/${cup.productId}`);
  for (const { productId } of [pot, spoon]) {
    await shop.put(`/v2/collections/${id}/products/${productId}`);
  }
  const after = async (...line_items: readonly object[]) =>
    totalsOf(must(await shop.put(`/v2/orders/${order.id}`, { line_items }), 200)).discount;

  const longer = await after(of(cup, 3), of(pot), of(spoon));
  const shorter = await after(of(cup));

  expect([longer, shorter]).toEqual([3100, 1000]);
});

test("a cart is completed at the price that its collections make it have then", async () => {
  await using shop = await openTestShop();
  const cup = await sold(shop, 100);
  const id = await collection(shop, {});
  const member = `/v2/collections/${id}/products/${cup.productId}`;
  await shop.put(member);
  const scope = { collection_ids: [id] };
  await discount(shop, { target: "lines", codes: ["CUPS"], scope });
  const asked = { line_items: [of(cup)], discount_codes: ["CUPS"] };
  const cart = must(await shop.post("/v2/carts", asked), 201);
  const complete = (expected_total?: number) =>
    shop.post(`/v2/carts/${cart.id}/complete`, { expected_total });
  await shop.delete(member);

  const stale = await complete(90);
  const shown = await complete(100);

  expect(totalsOf(cart).discount).toBe(1000);
  expect(stale).toMatchObject({ status: 409, code: "total_changed" });
  expect([stale.at("/total"), stale.at("/rejected_codes/0/code")]).toEqual([100, "CUPS"]);
  expect(shown.status).toBe(201);
});

test("a discount names collections that exist, and shows them", async () => {
  await using shop = await openTestShop();
  const id = await collection(shop, {});
  const lost = "col_00000000000000000000000000";
  const body = { title: "Sale", target: "lines", percent: 10 };

  const made = await shop.post("/v2/discounts", { ...body, scope: { collection_ids: [id] } });
  const refused = await shop.post("/v2/discounts", {
    ...body,
    scope: { collection_ids: [id, lost] },
  });
  const empty = await shop.post("/v2/discounts", { ...body, scope: { collection_ids: [] } });

  expect(made.at("/scope")).toEqual({
    product_ids: [],
    variant_ids: [],
    tags: [],
    collection_ids: [id],
  });
  expect(refused.faults).toEqual(["#/scope/collection_ids/1 unknown_collection"]);
  expect(empty.faults).toEqual(["#/scope scope_empty"]);
});
