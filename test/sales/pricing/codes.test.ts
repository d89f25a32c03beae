// Codes of discounts in carts and orders: a cart tells what applies and why not, and no order is placed dearer than the
// customer was shown.

import { describe, expect, test } from "bun:test";

import { mug } from "../../support/cast.ts";
import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";
import { basket, change, complete, readCart } from "../carts/basket.ts";
import { place, standing } from "../orders/counter.ts";
import {
  codeIn,
  discount,
  must,
  of,
  reasonsOf,
  shipTo,
  sold,
  totalsOf,
  usd,
} from "./priced-shop.ts";

const shop = sharedShop({ asks: "nothing" });

/** What a refused completion may not change: the cart, orders, stock, customers and events. */
async function everything(shop: TestShop, cart: { readonly id: string }): Promise<unknown[]> {
  return [(await shop.get(`/v2/carts/${cart.id}`)).body, ...(await standing(shop))];
}

describe("a cart", () => {
  test("keeps a code once, in capitals, however often it is entered", async () => {
    const save = codeIn(shop, "SAVE10");
    await discount(shop, { codes: [save] });

    const cart = await basket(shop, [of(await sold(shop, 100))], {
      discount_codes: [` ${save.toLowerCase()} `, save, save.replace("SAVE", "Save")],
    });

    expect(cart.at("/discount_codes")).toEqual([save]);
    expect([reasonsOf(cart), totalsOf(cart).total]).toEqual([[], 9000]);
  });

  test("is the same after what was read of it was sent again", async () => {
    const save = codeIn(shop, "SAVE10");
    const big = codeIn(shop, "BIG");
    await discount(shop, { codes: [save] });
    await discount(shop, { codes: [big], minimum: { amounts: usd(500) } });
    const cart = await basket(shop, [of(await sold(shop, 100))], {
      discount_codes: [save.toLowerCase(), big.toLowerCase(), "never", "stra\u00dfe\u200b"],
    });

    const again = await change(shop, cart, { discount_codes: cart.at("/discount_codes") });

    const names = ["discount_codes", "discounts", "rejected_codes", "total"];
    expect(cart.at("/discount_codes")).toEqual([save, big.toLowerCase(), "never", "stra\u00dfe"]);
    expect(names.map((name) => again.at(`/${name}`))).toEqual(
      names.map((name) => cart.at(`/${name}`)),
    );
  });

  test("tells a reason for every code that takes nothing off, in the order in which they were typed", async () => {
    const save = codeIn(shop, "SAVE10");
    const late = codeIn(shop, "LATER");
    const big = codeIn(shop, "BIG");
    const euro = codeIn(shop, "EURO");
    await discount(shop, { codes: [save] });
    await discount(shop, { codes: [late], starts_at: "2026-03-01T00:00:00Z" });
    await discount(shop, { codes: [big], minimum: { amounts: usd(500) } });
    await discount(shop, { codes: [euro], amounts: [{ currency: "EUR", amount: 5 }] });

    const cart = await basket(shop, [of(await sold(shop, 100))], {
      discount_codes: [
        big.replace("BIG", "Big"),
        ` ${save.toLowerCase()}`,
        late.toLowerCase(),
        "never",
        euro.toLowerCase(),
      ],
    });

    expect(cart.at("/discount_codes")).toEqual([
      big.replace("BIG", "Big"),
      save,
      late.toLowerCase(),
      "never",
      euro.toLowerCase(),
    ]);
    expect(reasonsOf(cart)).toEqual([
      `${big.replace("BIG", "Big")} minimum_not_met`,
      `${late.toLowerCase()} not_started`,
      "never unknown",
      `${euro.toLowerCase()} currency`,
    ]);
    expect(totalsOf(cart)).toMatchObject({ discount: 1000, total: 9000 });
  });

  test("keeps a code that does not apply, which applies once its goods come", async () => {
    const plates = codeIn(shop, "PLATES");
    const [cup, plate] = [await sold(shop, 100), await sold(shop, 40)];
    const scope = { product_ids: [plate.productId] };
    await discount(shop, { target: "lines", codes: [plates], percent: 50, scope });
    const cart = await basket(shop, [of(cup)], { discount_codes: [plates] });

    const fuller = await change(shop, cart, { line_items: [of(cup), of(plate)] });

    expect(reasonsOf(cart)).toEqual([`${plates} no_matching_items`]);
    expect(reasonsOf(fuller)).toEqual([]);
    expect(fuller.at("/discounts/0/allocations")).toEqual([
      { line_item_index: 1, amount_minor: 2000 },
    ]);
  });

  test("cannot have fifty codes", async () => {
    const codes = Array.from({ length: 50 }, (_, index) => `CODE${index}`);
    const lines = [of(await sold(shop, 100))];

    const cart = await shop.post("/v2/carts", { line_items: lines, discount_codes: codes });
    const order = await shop.post("/v2/orders", { line_items: lines, discount_codes: codes });

    expect([cart.status, cart.faults]).toEqual([422, ["#/discount_codes too_many"]]);
    expect([order.status, order.faults]).toEqual([422, ["#/discount_codes too_many"]]);
  });

  test("has an automatic discount without a code, and the code that saves more instead", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    await discount(shop, { title: "For all", percent: 5 });
    await discount(shop, { title: "Friends", percent: 20, codes: ["FRIEND"] });

    const cart = await basket(shop, [of(await sold(shop, 100))]);
    const friend = await change(shop, cart, { discount_codes: ["FRIEND"] });

    expect(cart.at("/discounts/0")).toMatchObject({ title: "For all", code: null, amount: 5 });
    expect(friend.list("/discounts")).toHaveLength(1);
    expect(friend.at("/discounts/0")).toMatchObject({ code: "FRIEND", amount: 20 });
  });
});

describe("an order", () => {
  test("with a code that does not apply is refused with the reasons, and nothing changes", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    await discount(shop, { codes: ["SAVE10"] });
    await discount(shop, { codes: ["OVER"], ends_at: "2026-01-05T09:00:00Z" });
    shop.clock.advance(7_200_000);
    const cup = await mug(shop);
    const before = await standing(shop);

    const refused = await shop.post("/v2/orders", {
      line_items: [of(cup)],
      customer: { email: "ada@example.com" },
      discount_codes: ["save10", "over", "never"],
    });

    expect([refused.status, refused.code]).toEqual([409, "discount_not_applicable"]);
    expect(reasonsOf(refused, "/codes")).toEqual(["over ended", "never unknown"]);
    expect(await standing(shop)).toEqual(before);
  });

  test("is refused an unknown code by a shop without discounts", async () => {
    await using shop = await openTestShop({ asks: "nothing" });

    const refused = await shop.post("/v2/orders", {
      line_items: [of(await mug(shop))],
      discount_codes: ["NEVER"],
    });

    expect([refused.status, reasonsOf(refused, "/codes")]).toEqual([409, ["NEVER unknown"]]);
  });

  test("is placed without a code that would save the customer nothing, and uses it not", async () => {
    const [little, free, more] = ["LESS", "FREE", "MORE"].map((text) => codeIn(shop, text));
    const less = await discount(shop, { codes: [little], percent: 5, usage_limit: 9 });
    const ship = { target: "shipping", percent: 100 };
    const none = await discount(shop, { ...ship, codes: [free], usage_limit: 9 });
    await discount(shop, { codes: [more], percent: 20 });

    const order = await place(shop, [of(await sold(shop, 100))], {
      discount_codes: [little, more, free],
    });

    expect(totalsOf(order)).toMatchObject({ discount: 2000, total: 8000 });
    expect(order.list("/discounts")).toHaveLength(1);
    const used = await Promise.all([less, none].map((id) => shop.get(`/v2/discounts/${id}`)));
    expect(used.map((one) => one.at("/used_count"))).toEqual([0, 0]);
  });

  test("tells the events and later answers the same discounts", async () => {
    const save = codeIn(shop, "SAVE10");
    const id = await discount(shop, { title: "Ten", codes: [save] });
    const cup = await sold(shop, 100);
    await shop.announced();

    const order = await place(shop, [of(cup)], { discount_codes: [save.toLowerCase()] });

    const allocations = [{ line_item_id: order.string("/line_items/0/id"), amount_minor: 1000 }];
    const ten = { discount_id: id, code: save, title: "Ten", amount_minor: 1000, allocations };
    expect(order.at("/discounts/0")).toMatchObject(ten);
    expect((await shop.get(`/v2/orders/${order.id}`)).at("/discounts/0")).toMatchObject(ten);
    const [placed] = await shop.announced();
    expect(placed).toMatchObject({ event: "order.placed", data: { discounts: [ten] } });
  });
});

describe("a code that ends before its cart is completed", () => {
  async function endedBetween(typedFor = (code: string) => code) {
    const own = codeIn(shop, "SAVE10");
    const code = typedFor(own);
    const id = await discount(shop, { codes: [own], usage_limit: 5 });
    const cart = await basket(shop, [of(await mug(shop, { price: 100 }))], {
      discount_codes: [code],
      email: "ada@example.com",
    });
    must(await shop.put(`/v2/discounts/${id}`, { archived: true }), 200);
    return { cart, code };
  }

  test("refuses the completion and leaves the cart as it was", async () => {
    const { cart, code } = await endedBetween();
    const before = await everything(shop, cart);

    const refused = await complete(shop, cart);

    expect([refused.status, refused.code]).toEqual([409, "discount_not_applicable"]);
    expect(reasonsOf(refused, "/codes")).toEqual([`${code} ended`]);
    expect(await everything(shop, cart)).toEqual(before);
  });

  test("refuses the completion also if it was typed in small letters", async () => {
    const { cart, code } = await endedBetween((own) => own.toLowerCase());

    const refused = await complete(shop, cart);

    expect([refused.status, refused.code]).toEqual([409, "discount_not_applicable"]);
    expect(reasonsOf(refused, "/codes")).toEqual([`${code} ended`]);
  });

  test("changes the total that the customer was shown", async () => {
    const { cart, code } = await endedBetween();
    const before = await everything(shop, cart);

    const refused = await complete(shop, cart, { expected_total: "90.00" });

    expect([refused.status, refused.code]).toEqual([409, "total_changed"]);
    expect(refused.body).toMatchObject({ expected_minor: 9000, total_minor: 10_000 });
    expect(reasonsOf(refused)).toEqual([`${code} ended`]);
    expect(await everything(shop, cart)).toEqual(before);
  });

  test("does not hinder a customer who was shown the total without it", async () => {
    const { cart } = await endedBetween();

    const order = await complete(shop, cart, { expected_total: 100 });

    expect([order.status, order.at("/total_minor")]).toEqual([201, 10_000]);
  });

  test("does not hinder the order once the cart was changed without it applying", async () => {
    const { cart, code } = await endedBetween();
    const changed = await change(shop, cart, { notes: "Ring twice" });

    const order = await complete(shop, cart);

    expect(reasonsOf(changed)).toEqual([`${code} ended`]);
    expect([order.status, order.at("/total_minor")]).toEqual([201, 10_000]);
  });
});

test("a cart that was completed with a code shows what was ordered", async () => {
  await using shop = await openTestShop({ asks: "nothing" });
  await discount(shop, { codes: ["SAVE10"] });
  const rider = await shipTo(shop, ["GH"]);
  const cart = await basket(shop, [of(await sold(shop, 100))], {
    discount_codes: ["SAVE10"],
    shipping_address: { line1: "1 High Street", city: "Accra", country: "GH" },
    shipping: { rate_id: rider },
  });
  const order = must(await complete(shop, cart), 201);

  const completed = await readCart(shop, cart);

  expect(totalsOf(completed)).toEqual(totalsOf(order));
  expect(totalsOf(completed)).toEqual(totalsOf(cart));
  expect(completed.at("/discounts")).toEqual(cart.at("/discounts"));
});

describe("a publishable key", () => {
  test("learns nothing of what the owner of an email bought before", async () => {
    const once = codeIn(shop, "ONCE");
    await discount(shop, { codes: [once], per_customer_limit: 1 });
    const cup = await sold(shop, 100);
    const customer = { email: "ada@example.com" };
    await place(shop, [of(cup)], { customer, discount_codes: [once] });
    const key = await shop.createKey({ scopes: ["storefront"] });
    const cart = await shop.post(
      "/v2/carts",
      { line_items: [of(cup)], discount_codes: [once], customer },
      { key },
    );

    const refused = await shop.post(`/v2/carts/${cart.id}/complete`, undefined, { key });
    const order = await shop.post(
      "/v2/orders",
      { line_items: [of(cup)], discount_codes: [once], customer },
      { key },
    );

    expect(reasonsOf(cart)).toEqual([]);
    expect(reasonsOf(refused, "/codes")).toEqual([`${once} not_eligible`]);
    expect(reasonsOf(order, "/codes")).toEqual([`${once} not_eligible`]);
  });

  test("gets no discount for tags by typing the email of a customer who has them", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const email = "ada@example.com";
    const buyer = must(await shop.post("/v2/customers", { email, tags: ["vip"] }), 201);
    await discount(shop, { title: "VIP", customer_tags: ["vip"], percent: 30 });
    const key = await shop.createKey({ scopes: ["storefront"] });
    const lines = [of(await sold(shop, 100))];
    const typed = { line_items: lines, customer: { email } };

    const cart = await shop.post("/v2/carts", typed, { key });
    const order = await shop.post("/v2/orders", typed, { key });
    const completed = await shop.post(`/v2/carts/${cart.id}/complete`, undefined, { key });
    const proved = await place(shop, lines, { customer_id: buyer.id });
    const named = await place(shop, lines, { customer: { email } });

    expect([cart, order, completed].map((one) => one.at("/total_minor"))).toEqual([
      10_000, 10_000, 10_000,
    ]);
    expect([proved, named].map((one) => one.at("/total_minor"))).toEqual([7000, 7000]);
  });

  test("gets no exemption by typing the email or the tax id of a business that has it", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const email = "ada@example.com";
    const exempt = { email, tax_exemption: "exempt", tax_id: "C0012345678" };
    const buyer = must(await shop.post("/v2/customers", exempt), 201);
    must(await shop.put("/v2/store", { country: "GH" }), 200);
    must(await shop.post("/v2/tax-rates", { country: "GH", name: "VAT", rate: 20 }), 201);
    const key = await shop.createKey({ scopes: ["storefront"] });
    const lines = [of(await sold(shop, 100))];
    const typed = { line_items: lines, customer: { email }, tax_id: "C0012345678" };

    const cart = await shop.post("/v2/carts", typed, { key });
    const order = await shop.post("/v2/orders", typed, { key });
    const completed = await shop.post(`/v2/carts/${cart.id}/complete`, undefined, { key });
    const proved = await place(shop, lines, { customer_id: buyer.id });

    expect([cart, order, completed].map((one) => totalsOf(one).tax)).toEqual([2000, 2000, 2000]);
    expect(totalsOf(proved)).toMatchObject({ tax: 0, total: 10_000 });
    expect(proved.body).toMatchObject({ tax_exemption: "exempt", tax_id: "C0012345678" });
  });
});
