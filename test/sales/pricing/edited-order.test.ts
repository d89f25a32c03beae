// A merchant changes an order that is not paid: it is priced by what the customer agreed to, whatever the shop sells by
// meanwhile.

import { describe, expect, test } from "bun:test";

import { openTestShop } from "../../support/shop.ts";
import { MINUTE_MS } from "../carts/basket.ts";
import { place, reread } from "../orders/counter.ts";
import {
  accra,
  berlin,
  discount,
  levies,
  must,
  of,
  paris,
  shipTo,
  sold,
  tax,
  taxesOf,
  totalsOf,
  usd,
} from "./priced-shop.ts";

const reversed = { tax_exemption: "reverse_charge", tax_id: "FR12345678901" };
const vat = { rates: [{ name: "VAT", rate: 19 }], prices_include_tax: true };

describe("taxes", () => {
  test("are those of the day on which the order was placed", async () => {
    await using shop = await openTestShop();
    await tax(shop, "GH", { rates: [{ name: "VAT", rate: 10 }] });
    const cup = await sold(shop, 100);
    const order = await place(shop, [of(cup)]);
    const rate = (await shop.get("/v2/tax-rates")).string("/data/0/id");
    shop.clock.advance(MINUTE_MS);
    const soon = new Date(shop.clock.now()).toISOString();
    must(await shop.put(`/v2/tax-rates/${rate}`, { valid_until: soon }), 200);
    must(await shop.post("/v2/tax-rates", { country: "GH", name: "VAT", rate: 20 }), 201);
    shop.clock.advance(MINUTE_MS);

    const changed = await shop.put(`/v2/orders/${order.id}`, { line_items: [of(cup, 2)] });

    expect(taxesOf(changed)).toEqual(["VAT 20000 2000"]);
    expect(taxesOf(await place(shop, [of(cup)]))).toEqual(["VAT 10000 2000"]);
  });

  test("that the shop adopts later are not added, though they hold since before the order", async () => {
    await using shop = await openTestShop();
    await discount(shop);
    const cup = await sold(shop, 100);
    const order = await place(shop, [of(cup)], { shipping_address: accra });
    shop.clock.advance(MINUTE_MS);
    must(await shop.put("/v2/store", { country: "GH" }), 200);
    must(await shop.post("/v2/tax-rates/presets", { country: "GH" }), 200);

    const changed = await shop.put(`/v2/orders/${order.id}`, { line_items: [of(cup, 2)] });

    expect(totalsOf(changed)).toMatchObject({ discount: 2000, tax: 0, total: 18_000 });
  });

  test("that end for the time of the order stay", async () => {
    await using shop = await openTestShop();
    await tax(shop, "GH", { rates: [{ name: "VAT", rate: 10, valid_from: "2026-01-01" }] });
    const cup = await sold(shop, 100);
    const order = await place(shop, [of(cup)]);
    shop.clock.advance(MINUTE_MS);
    const rate = (await shop.get("/v2/tax-rates")).string("/data/0/id");
    must(await shop.put(`/v2/tax-rates/${rate}`, { valid_until: "2026-01-02" }), 200);

    const changed = await shop.put(`/v2/orders/${order.id}`, { line_items: [of(cup, 2)] });

    expect(taxesOf(changed)).toEqual(["VAT 20000 2000"]);
  });

  test("of a class that only comes with the change are those of the order's day", async () => {
    await using shop = await openTestShop();
    const rates = [
      { name: "VAT", rate: 19 },
      { name: "VAT", rate: 7, tax_class: "food" },
    ];
    await tax(shop, "DE", { rates });
    const cup = await sold(shop, 100);
    const bread = await sold(shop, 10, { tax_class: "food" });
    const order = await place(shop, [of(cup)], { shipping_address: berlin });
    shop.clock.advance(MINUTE_MS);

    const lines = [of(cup), of(bread)];
    const changed = await shop.put(`/v2/orders/${order.id}`, { line_items: lines });

    expect(taxesOf(changed)).toEqual(["VAT 1000 70", "VAT 10000 1900"]);
  });

  test("do not come to an order from before the shop had any", async () => {
    await using shop = await openTestShop();
    const cup = await sold(shop, 100);
    const order = await place(shop, [of(cup)], { shipping: { label: "Rider", amount: 5 } });
    await tax(shop, "GH", { rates: levies });
    await discount(shop);
    shop.clock.advance(MINUTE_MS);

    const changed = await shop.put(`/v2/orders/${order.id}`, { line_items: [of(cup, 3)] });

    expect(totalsOf(changed)).toEqual({
      subtotal: 30_000,
      discount: 0,
      shipping: 500,
      tax: 0,
      included: 0,
      total: 30_500,
    });
  });
});

describe("an exempt customer of a shop whose prices contain tax", () => {
  test("pays further goods and another shipping without it", async () => {
    await using shop = await openTestShop();
    await tax(shop, "DE", vat);
    const rider = await shipTo(shop, ["FR"], {
      tiers: [{ from: 0, amounts: usd("11.90") }],
    });
    const [cup, plate] = [await sold(shop, 119), await sold(shop, "23.80")];
    const order = await place(shop, [of(cup)], {
      shipping_address: paris,
      ...reversed,
    });

    const changed = await shop.put(`/v2/orders/${order.id}`, {
      line_items: [of(cup), of(plate)],
      shipping: { rate_id: rider },
    });

    expect(totalsOf(order)).toMatchObject({ subtotal: 10_000, included: 0, total: 10_000 });
    expect(totalsOf(changed)).toMatchObject({ subtotal: 12_000, shipping: 1000, total: 13_000 });
  });

  test("pays a named charge without it too, as when the order is placed", async () => {
    await using shop = await openTestShop();
    await tax(shop, "DE", vat);
    const cup = await sold(shop, 119);
    const terms = { shipping_address: paris, ...reversed };
    const shipping = { label: "Rider", amount: "11.90" };
    const placed = await place(shop, [of(cup)], { ...terms, shipping });
    const order = await place(shop, [of(cup)], terms);

    const changed = await shop.put(`/v2/orders/${order.id}`, { shipping });

    expect(totalsOf(placed)).toMatchObject({ shipping: 1000, total: 11_000 });
    expect(totalsOf(changed)).toEqual(totalsOf(placed));
  });

  test("is offered shipping at what it is charged", async () => {
    await using shop = await openTestShop();
    await tax(shop, "DE", vat);
    const rider = await shipTo(shop, ["FR"], { tiers: [{ from: 0, amounts: usd("11.90") }] });
    const cup = await sold(shop, 119);
    const buyer = await shop.post("/v2/customers", { email: "ada@example.com", ...reversed });

    const cart = await shop.post("/v2/carts", {
      line_items: [of(cup)],
      customer_id: buyer.id,
      shipping_address: paris,
      shipping: { rate_id: rider },
    });

    expect(totalsOf(cart)).toMatchObject({ shipping: 1000, total: 11_000 });
    expect(cart.at("/shipping_options/0/amount_minor")).toBe(1000);
  });
});

describe("discounts", () => {
  test("stay though they ended, and count for further goods", async () => {
    await using shop = await openTestShop();
    const id = await discount(shop, { codes: ["SAVE"] });
    const cup = await sold(shop, 100);
    const order = await place(shop, [of(cup)], { discount_codes: ["SAVE"] });
    must(await shop.put(`/v2/discounts/${id}`, { percent: 50 }), 200);
    must(await shop.put(`/v2/discounts/${id}`, { archived: true }), 200);

    const changed = await shop.put(`/v2/orders/${order.id}`, { line_items: [of(cup, 3)] });

    expect(totalsOf(changed)).toMatchObject({ discount: 3000, total: 27_000 });
    expect(changed.at("/discount_codes")).toEqual(["SAVE"]);
  });

  test("that an order falls short of come back with the goods", async () => {
    await using shop = await openTestShop();
    const id = await discount(shop, { minimum: { amounts: usd(200) }, usage_limit: 5 });
    const cup = await sold(shop, 100);
    const order = await place(shop, [of(cup, 2)]);

    const less = await shop.put(`/v2/orders/${order.id}`, { line_items: [of(cup)] });
    const more = await shop.put(`/v2/orders/${order.id}`, { line_items: [of(cup, 4)] });

    expect(totalsOf(order).discount).toBe(2000);
    expect([totalsOf(less).discount, less.list("/discounts")]).toEqual([0, []]);
    expect(totalsOf(more)).toMatchObject({ discount: 4000, total: 36_000 });
    expect((await shop.get(`/v2/discounts/${id}`)).at("/used_count")).toBe(1);
  });

  test("that are new do not come to a placed order", async () => {
    await using shop = await openTestShop();
    await tax(shop, "GH", { rates: levies });
    const cup = await sold(shop, 100);
    const order = await place(shop, [of(cup)]);
    await discount(shop);

    const changed = await shop.put(`/v2/orders/${order.id}`, { line_items: [of(cup, 2)] });

    expect(totalsOf(changed)).toMatchObject({ discount: 0, tax: 4000, total: 24_000 });
  });

  test("of the merchant's own are taken again", async () => {
    await using shop = await openTestShop();
    const cup = await sold(shop, 100);
    const percent = await place(shop, [of(cup)], { discount: { title: "Friend", percent: 5 } });
    const amount = await place(shop, [of(cup)], { discount: { title: "Friend", amount: 150 } });

    const [more, enough] = await Promise.all(
      [percent, amount].map(({ id }) => shop.put(`/v2/orders/${id}`, { line_items: [of(cup, 2)] })),
    );

    expect(more && totalsOf(more)).toMatchObject({ discount: 1000, total: 19_000 });
    expect(totalsOf(amount)).toMatchObject({ discount: 10_000, total: 0 });
    expect(enough?.status).toBe(409);
  });

  test("of the merchant's own come with goods that another discount does not give away", async () => {
    await using shop = await openTestShop();
    const [gift, cup] = [await sold(shop, 20), await sold(shop, 100)];
    const scope = { product_ids: [gift.productId] };
    await discount(shop, { target: "lines", percent: 100, scope });
    const order = await place(shop, [of(gift)], {
      shipping: { label: "Rider", amount: 5 },
      discount: { title: "Friend", percent: 10 },
    });

    const changed = await shop.put(`/v2/orders/${order.id}`, { line_items: [of(gift), of(cup)] });

    expect(totalsOf(order)).toMatchObject({ discount: 2000, shipping: 500, total: 500 });
    expect(order.list("/discounts")).toHaveLength(1);
    expect(totalsOf(changed)).toMatchObject({ discount: 3000, shipping: 500, total: 9500 });
  });
});

describe("shipping", () => {
  test("stays as it was charged, with its discount, however the goods change", async () => {
    await using shop = await openTestShop();
    const rider = await shipTo(shop, ["GH"], { free_over: usd(150) });
    await discount(shop, { target: "shipping", percent: 50 });
    const cup = await sold(shop, 100);
    const order = await place(shop, [of(cup)], {
      shipping_address: accra,
      shipping: { rate_id: rider },
    });

    const changed = await shop.put(`/v2/orders/${order.id}`, { line_items: [of(cup, 2)] });

    expect(totalsOf(changed)).toMatchObject({ shipping: 250, total: 20_250 });
    expect(changed.at("/shipping_discount_total_minor")).toBe(250);
    expect(changed.at("/shipping/rate_id")).toBe(rider);
  });

  test("that is named again is charged for the goods as they are now", async () => {
    await using shop = await openTestShop();
    const rider = await shipTo(shop, ["GH"], { free_over: usd(150) });
    const cup = await sold(shop, 100);
    const shipping = { rate_id: rider };
    const order = await place(shop, [of(cup)], { shipping_address: accra, shipping });

    const changed = await shop.put(`/v2/orders/${order.id}`, {
      line_items: [of(cup, 2)],
      shipping,
    });

    expect(totalsOf(order).shipping).toBe(500);
    expect(totalsOf(changed)).toMatchObject({ shipping: 0, total: 20_000 });
  });

  test("goes to the address that comes with it", async () => {
    await using shop = await openTestShop();
    await shipTo(shop, ["GH"]);
    const abroad = await shipTo(shop, ["DE"], { tiers: [{ from: 0, amounts: usd(20) }] });
    const order = await place(shop, [of(await sold(shop, 100))], { shipping_address: accra });

    const changed = await shop.put(`/v2/orders/${order.id}`, {
      shipping_address: berlin,
      shipping: { rate_id: abroad },
    });

    expect([changed.status, changed.at("/shipping_total_minor")]).toEqual([200, 2000]);
  });

  test("of an order without an address is that of the shop's own country", async () => {
    await using shop = await openTestShop();
    await shop.put("/v2/store", { country: "GH" });
    const order = await place(shop, [of(await sold(shop, 100))]);
    const rider = await shipTo(shop, ["GH"]);

    const changed = await shop.put(`/v2/orders/${order.id}`, { shipping: { rate_id: rider } });

    expect([changed.status, changed.at("/total_minor")]).toEqual([200, 10_500]);
  });

  test("that is not offered is refused with those that are, and the order stays", async () => {
    await using shop = await openTestShop();
    const rider = await shipTo(shop, ["GH"]);
    const abroad = await shipTo(shop, ["DE"]);
    const order = await place(shop, [of(await sold(shop, 100))], { shipping_address: accra });

    const refused = await shop.put(`/v2/orders/${order.id}`, { shipping: { rate_id: abroad } });

    expect([refused.status, refused.code]).toEqual([409, "shipping_unavailable"]);
    expect(refused.at("/options/0/id")).toBe(rider);
    expect((await reread(shop, order)).body).toEqual(order.body);
  });
});
