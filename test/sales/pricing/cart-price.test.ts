// A cart of a shop with taxes, shipping rates and discounts: what it tells is what the order comes to.

import { expect, test } from "bun:test";

import { kanga, mug } from "../../support/cast.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";
import { abandonedCart } from "../carts/basket.ts";
import { of } from "../orders/counter.ts";

const accra = { line1: "1 High Street", city: "Accra", country: "GH" };

/** A shop in Ghana with its three rates, a zone with a flat rate, and the code SAVE10. */
async function ghana(shop: TestShop): Promise<{ readonly rate: string }> {
  await shop.put("/v2/store", { country: "GH", currency: "GHS" });
  await shop.post("/v2/tax-rates/presets", { country: "GH" });
  const zone = await shop.post("/v2/shipping-zones", {
    name: "Ghana",
    places: [{ country: "GH" }],
  });
  const rate = await shop.post("/v2/shipping-rates", {
    zone_id: zone.id,
    name: "Rider",
    kind: "flat",
    tiers: [{ from: 0, amounts: [{ currency: "GHS", amount: 15 }] }],
    free_over: [{ currency: "GHS", amount: 500 }],
  });
  await shop.post("/v2/discounts", {
    title: "Ten off",
    target: "order",
    percent: 10,
    codes: ["SAVE10"],
  });
  return { rate: rate.id };
}

test("a cart in Ghana has each levy on a line of its own, and its order comes to the same", async () => {
  await using shop = await openTestShop({ asks: "nothing" });
  const { rate } = await ghana(shop);
  const cup = await mug(shop, { price: 100 });

  const cart = await shop.post("/v2/carts", {
    line_items: [of(cup)],
    shipping_address: accra,
    shipping: { rate_id: rate },
    discount_codes: ["save10"],
    email: "ada@example.com",
  });
  const order = await shop.post(`/v2/carts/${cart.id}/complete`);

  const totals = {
    subtotal_minor: 10_000,
    discount_total_minor: 1_000,
    shipping_total_minor: 1_500,
    tax_total_minor: 2_101,
    total_minor: 12_601,
  };
  expect(cart.status).toBe(201);
  expect(cart.body).toMatchObject({ ...totals, problems: [], rejected_codes: [] });
  expect(cart.list("/tax_lines").map((line) => [Object(line).name, Object(line).amount])).toEqual([
    ["NHIL", 2.63],
    ["GETFund levy", 2.63],
    ["VAT", 15.75],
  ]);
  expect(order.status).toBe(201);
  expect(order.body).toMatchObject(totals);
});

test("the lines of a cart add up as those of its order do", async () => {
  await using shop = await openTestShop({ asks: "nothing" });
  await ghana(shop);
  const cup = await mug(shop, { price: 100 });

  const cart = await shop.post("/v2/carts", {
    line_items: [of(cup, 2)],
    shipping_address: accra,
    discount_codes: ["SAVE10"],
  });
  const order = await shop.post("/v2/orders", {
    line_items: [of(cup, 2)],
    shipping_address: accra,
    discount_codes: ["SAVE10"],
  });

  const line = {
    subtotal_minor: 20_000,
    discount_total_minor: 2_000,
    tax_total_minor: 3_600,
    total_minor: 21_600,
  };
  expect(cart.at("/line_items/0")).toMatchObject(line);
  expect(order.at("/line_items/0")).toMatchObject(line);
});

test("free shipping for some goods needs them in the cart", async () => {
  await using shop = await openTestShop({ asks: "nothing" });
  const { rate } = await ghana(shop);
  const [cup, plate] = [await mug(shop), await kanga(shop)];
  await shop.post("/v2/discounts", {
    title: "Cups ship free",
    target: "shipping",
    percent: 100,
    scope: { product_ids: [cup.productId] },
  });
  const shippingOf = async (lines: readonly object[]) => {
    const body = { line_items: lines, shipping_address: accra, shipping: { rate_id: rate } };
    return (await shop.post("/v2/carts", body)).at("/shipping_total_minor");
  };

  expect(await shippingOf([of(plate)])).toBe(1_500);
  expect(await shippingOf([of(plate), of(cup)])).toBe(0);
});

test("a cart that is left tells what its codes take off, and what completing charges", async () => {
  await using shop = await openTestShop({ asks: "nothing" });
  const { rate } = await ghana(shop);
  const cup = await mug(shop, { price: 100 });

  await abandonedCart(shop, [of(cup)], {
    shipping_address: accra,
    shipping: { rate_id: rate },
    discount_codes: ["SAVE10"],
  });

  const left = (await shop.announced()).find(({ event }) => event === "cart.abandoned");
  expect(left?.data).toMatchObject({ discount_total_minor: 1_000, total_minor: 12_601 });
});
