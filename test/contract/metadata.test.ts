// Metadata of things that merchants and programs make beside products and orders: kept, answered, changed, and erased.

import { expect, test } from "bun:test";

import { named } from "../support/cast.ts";
import { sharedShop } from "../support/shop.ts";

const shop = sharedShop();
const metadata = { erp: "A-17", public_hint: "fragile" };

/** An order of two units of a customer, all of it shipped with the metadata. */
async function shipped() {
  const mug = { ...named(shop, "Mug"), price: 10, currency: "USD", stock: 6 };
  const product = await shop.post("/v2/products", mug);
  const variantId = product.string("/variants/0/id");
  const number = shop.nextNumber();
  const order = await shop.post("/v2/orders", {
    customer: { email: `meta${number}@example.com` },
    line_items: [{ variant_id: variantId, quantity: 2 }],
  });
  return shop.post(`/v2/orders/${order.id}/fulfill`, { metadata });
}

test("a collection has metadata, and a publishable key is told the public part", async () => {
  const made = await shop.post("/v2/collections", { title: "Fragile", metadata });
  const { key } = Object((await shop.post("/v2/keys", { name: "Web", kind: "publishable" })).body);

  const told = await shop.get(`/v2/collections/${made.id}`, { key });
  const changed = await shop.put(`/v2/collections/${made.id}`, { metadata: { erp: "B" } });

  expect(made.at("/metadata")).toEqual(metadata);
  expect(told.at("/metadata")).toEqual({ public_hint: "fragile" });
  expect(changed.at("/metadata")).toEqual({ erp: "B" });
});

test("a shipping rate has metadata, which a change of its name leaves", async () => {
  const zone = await shop.post("/v2/shipping-zones", {
    name: "Togo",
    places: [{ country: "TG" }],
  });
  const rate = await shop.post("/v2/shipping-rates", {
    zone_id: zone.id,
    name: "Rider",
    kind: "flat",
    tiers: [{ from: 0, amounts: [{ currency: "USD", amount: 5 }] }],
    metadata,
  });

  const changed = await shop.put(`/v2/shipping-rates/${rate.id}`, { name: "Bike" });

  expect([rate.at("/metadata"), changed.at("/metadata")]).toEqual([metadata, metadata]);
});

test("a tax rate has metadata, which its end leaves, and which leaves its end", async () => {
  await shop.put("/v2/store", { country: "TG" });
  const given = { country: "TG", name: "TVA", rate: 18, metadata };
  const rate = await shop.post("/v2/tax-rates", given);
  const path = `/v2/tax-rates/${rate.id}`;

  const ended = await shop.put(path, { valid_until: "2040-01-01" });
  const changed = await shop.put(path, { metadata: { erp: "B" } });
  const same = await shop.put(path, {});

  expect([rate.at("/metadata"), ended.at("/metadata")]).toEqual([metadata, metadata]);
  expect(changed.at("/metadata")).toEqual({ erp: "B" });
  expect(changed.at("/valid_until")).toBe(ended.string("/valid_until"));
  expect(same.body).toEqual(changed.body);
});

test("a fulfillment has metadata, which a change of its tracking leaves", async () => {
  const order = await shipped();
  const path = `/v2/orders/${order.id}/fulfillments/${order.string("/fulfillments/0/id")}`;

  const tracked = await shop.put(path, { tracking: { carrier: "DHL" } });
  const changed = await shop.put(path, { tracking: null, metadata: { erp: "B" } });

  expect(order.at("/fulfillments/0/metadata")).toEqual(metadata);
  expect(tracked.at("/fulfillments/0")).toMatchObject({ metadata, tracking: { carrier: "DHL" } });
  expect(changed.at("/fulfillments/0")).toMatchObject({ metadata: { erp: "B" }, tracking: null });
});

test("an erasure empties the metadata of what was shipped and of what came back", async () => {
  const order = await shipped();
  const path = `/v2/orders/${order.id}`;
  const lineItem = { line_item_id: order.string("/line_items/0/id"), quantity: 2 };
  const back = await shop.post(`${path}/returns`, { line_items: [lineItem], metadata });

  await shop.post(`/v2/customers/${order.string("/customer_id")}/erase`);

  const erased = await shop.get(path);
  const returns = await shop.get(`${path}/returns`);
  expect(back.at("/metadata")).toEqual(metadata);
  expect(erased.at("/fulfillments/0/metadata")).toEqual({});
  expect(returns.at("/data/0/metadata")).toEqual({});
});
