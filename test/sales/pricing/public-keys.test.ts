// What publishable keys, which strangers hold, may ask about prices, and what they are told.

import { describe, expect, test } from "bun:test";

import { kofi } from "../../support/cast.ts";
import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";
import { cancel, place, standing } from "../orders/counter.ts";
import {
  accra,
  codeIn,
  discount,
  must,
  of,
  reasonsOf,
  shipTo,
  sold,
  tax,
  totalsOf,
} from "./priced-shop.ts";

const shop = sharedShop({ asks: "nothing" });

const storefront = (shop: TestShop) => shop.createKey({ scopes: ["storefront"] });

/** Requests with a publishable key. */
async function stranger(shop: TestShop) {
  const key = await storefront(shop);
  return {
    get: (path: string) => shop.get(`/v2/${path}`, { key }),
    post: (path: string, body?: object) => shop.post(`/v2/${path}`, body, { key }),
    put: (path: string, body: object) => shop.put(`/v2/${path}`, body, { key }),
    delete: (path: string) => shop.delete(`/v2/${path}`, { key }),
  };
}

describe("a stranger", () => {
  test("neither reads nor writes discounts, taxes and shipping", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const id = await discount(shop, { codes: ["SAVE10"] });
    await tax(shop, "GH", { rates: [{ name: "VAT", rate: 15 }] });
    await shipTo(shop, ["GH"]);
    const web = await stranger(shop);

    const answers = await Promise.all([
      web.get("discounts?code=SAVE10"),
      web.get(`discounts/${id}`),
      web.get(`discounts/${id}/codes`),
      web.post("discounts", { title: "Mine", target: "order", percent: 100 }),
      web.put(`discounts/${id}`, { percent: 100 }),
      web.post(`discounts/${id}/codes`, { count: 1 }),
      web.delete(`discounts/${id}/codes/SAVE10`),
      web.delete(`discounts/${id}`),
      web.get("tax-rates"),
      web.post("tax-rates/presets", { country: "GH" }),
      web.get("shipping-zones"),
      web.get("shipping-rates"),
      web.get("pickup-locations"),
    ]);

    expect(answers.map(({ code }) => code)).toEqual(Array(13).fill("scope_missing"));
  });

  test("sees of a discount what it takes off, and nothing of its limits and uses", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const id = await discount(shop, {
      title: "Ten off",
      codes: ["SAVE10", "FRIEND"],
      usage_limit: 7,
      per_customer_limit: 3,
      metadata: { campaign: "secret" },
    });
    const web = await stranger(shop);
    const line_items = [of(await sold(shop, 100))];
    const contact = { customer: { email: "ada@example.com" } };

    const cart = await web.post("carts", { line_items, discount_codes: ["save10"], ...contact });
    const order = await web.post("orders", { line_items, discount_codes: ["save10"], ...contact });

    const seen = {
      discount_id: id,
      code: "SAVE10",
      title: "Ten off",
      target: "order",
      amount: 10,
      amount_minor: 1000,
    };
    expect(cart.at("/discounts/0")).toEqual({
      ...seen,
      allocations: [{ line_item_index: 0, amount_minor: 1000 }],
    });
    expect(order.at("/discounts/0")).toMatchObject(seen);
    const texts = [cart, order].map(({ text }) => text);
    expect(texts.filter((text) => /used|limit|FRIEND|secret/.test(text))).toEqual([]);
  });

  test("is not told in a cart that its customer may not have a discount", async () => {
    const { email } = kofi(shop);
    const vipCode = codeIn(shop, "VIP");
    await discount(shop, { codes: [vipCode], customer_tags: ["vip"] });
    const named = must(await shop.post("/v2/customers", { email }), 201);
    const line_items = [of(await sold(shop, 100))];
    const asked = { line_items, customer_id: named.id, discount_codes: [vipCode] };
    const cart = must(await shop.post("/v2/carts", asked), 201);
    const web = await stranger(shop);

    const seen = await web.get(`carts/${cart.id}`);

    expect(reasonsOf(cart)).toEqual([`${vipCode} customer_not_eligible`]);
    expect(reasonsOf(seen)).toEqual([`${vipCode} customer_required`]);
  });

  test("is told the same in a cart, whichever contact is typed", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    await discount(shop, { codes: ["ONCE"], per_customer_limit: 1, stackable: true });
    await discount(shop, { codes: ["VIP"], customer_tags: ["vip"], stackable: true });
    const line_items = [of(await sold(shop, 100))];
    const vip = { email: "ada@example.com", tags: ["vip"], tax_exemption: "exempt" };
    const buyer = must(await shop.post("/v2/customers", vip), 201);
    await place(shop, line_items, { customer_id: buyer.id, discount_codes: ["ONCE"] });
    const web = await stranger(shop);
    const codes = { line_items, discount_codes: ["ONCE", "VIP"] };

    const known = await web.post("carts", { ...codes, customer: { email: "ada@example.com" } });
    const unknown = await web.post("carts", { ...codes, customer: { email: "eve@example.com" } });

    expect(reasonsOf(known)).toEqual(["VIP customer_required"]);
    expect(reasonsOf(unknown)).toEqual(reasonsOf(known));
    expect(totalsOf(unknown)).toEqual(totalsOf(known));
    expect(unknown.list("/discounts")).toEqual(known.list("/discounts"));
  });

  test("who completes a cart at a total of before is told no more than that a code is not for them", async () => {
    const { email } = kofi(shop);
    const once = codeIn(shop, "ONCE");
    await discount(shop, { codes: [once], per_customer_limit: 1 });
    const line_items = [of(await sold(shop, 100))];
    const terms = { line_items, discount_codes: [once], customer: { email } };
    await place(shop, line_items, terms);
    const web = await stranger(shop);
    const cart = await web.post("carts", terms);

    const refused = await web.post(`carts/${cart.id}/complete`, { expected_total: 90 });

    expect([refused.status, refused.code]).toEqual([409, "total_changed"]);
    expect(reasonsOf(refused)).toEqual([`${once} not_eligible`]);
  });

  test("who types the email of a customer is told nothing of their record", async () => {
    const { email } = kofi(shop);
    const record = { name: "Ada Lovelace", tags: ["vip"], tax_exemption: "reverse_charge" };
    must(await shop.post("/v2/customers", { email, ...record, tax_id: "FR12345678901" }), 201);
    const web = await stranger(shop);
    const line_items = [of(await sold(shop, 100))];

    const order = must(await web.post("orders", { line_items, customer: { email } }), 201);
    const cart = must(await web.post("carts", { line_items, email }), 201);
    const completed = must(await web.post(`carts/${cart.id}/complete`), 201);

    expect([order.at("/tax_id"), completed.at("/tax_id")]).toEqual([null, null]);
    const texts = [order, cart, completed].map(({ text }) => text);
    expect(texts.filter((text) => /FR123|Lovelace|vip|reverse/.test(text))).toEqual([]);
  });

  test("is told of a merchant's reasons only what every customer may know", async () => {
    const old = codeIn(shop, "OLD");
    const goneCode = codeIn(shop, "GONE");
    const gone = await discount(shop, { codes: [goneCode], usage_limit: 1 });
    const line_items = [of(await sold(shop, 100))];
    await place(shop, line_items, { discount_codes: [goneCode] });
    const archived = await discount(shop, { codes: [old] });
    must(await shop.put(`/v2/discounts/${archived}`, { archived: true }), 200);
    const web = await stranger(shop);

    const cart = await web.post("carts", { line_items, discount_codes: [goneCode, old, "NEVER"] });

    expect(cart.at("/rejected_codes")).toEqual([
      { code: goneCode, reason: "exhausted" },
      { code: old, reason: "ended" },
      { code: "NEVER", reason: "unknown" },
    ]);
    expect(cart.text).not.toContain(gone);
  });

  test("cannot set or take away what only the merchant may in a cart", async () => {
    const line_items = [of(await sold(shop, 100))];
    const web = await stranger(shop);
    const cart = must(
      await shop.post("/v2/carts", { line_items, shipping: { label: "Bus", amount: 7 } }),
      201,
    );

    const free = await web.put(`carts/${cart.id}`, { shipping: null });
    const cheap = await web.put(`carts/${cart.id}`, { shipping: { label: "Bus", amount: 0 } });
    const elsewhere = await web.put(`carts/${cart.id}`, { currency: "EUR", line_items: [] });
    const other = await web.put(`carts/${cart.id}`, {
      customer_id: "cus_01h455vb4pex5vsknk084sn02q",
      discount: { title: "Mine", percent: 100 },
    });

    expect(free.faults).toEqual(["#/shipping not_allowed_for_public_key"]);
    expect(cheap.faults.toSorted()).toEqual([
      "#/shipping/amount not_allowed_for_public_key",
      "#/shipping/label not_allowed_for_public_key",
    ]);
    expect(elsewhere.faults).toEqual(["#/currency not_allowed_for_public_key"]);
    expect(other.faults.toSorted()).toEqual([
      "#/customer_id not_allowed_for_public_key",
      "#/discount unknown_field",
    ]);
    expect((await shop.get(`/v2/carts/${cart.id}`)).body).toEqual(cart.body);
  });

  test("guesses five codes at a time, as often as one address may write", async () => {
    await using shop = await openTestShop({
      asks: "nothing",
      settings: { DUKA_TRUSTED_PROXIES: "127.0.0.1", DUKA_ADDRESS_WRITES_PER_MINUTE: "4" },
    });
    must(await shop.put("/v2/store", { enforce_limits: true }), 200);
    const key = await storefront(shop);
    const line_items = [of(await sold(shop, 100))];
    const guess = (list: string, count: number) =>
      shop.post(
        `/v2/${list}`,
        { line_items, discount_codes: Array.from({ length: count }, (_, at) => `GUESS${at}`) },
        { key, headers: { "X-Forwarded-For": "203.0.113.9" } },
      );

    const six = await guess("carts", 6);
    const orders = [await guess("orders", 5), await guess("orders", 5)];
    const cart = await guess("carts", 5);
    const more = await guess("orders", 5);

    expect(six.faults).toEqual(["#/discount_codes too_many"]);
    expect(orders.map(({ code }) => code)).toEqual(Array(2).fill("discount_not_applicable"));
    expect(cart.status).toBe(201);
    expect([more.status, more.code]).toEqual([429, "rate_limited"]);
  });
});

const chargeRefused = [403, "scope_missing", ["orders:write"]];

describe("a key that writes carts and no orders", () => {
  test("names no charge of its own where the shop has rates", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const rider = await shipTo(shop, ["GH"]);
    const key = await shop.createKey({ scopes: ["carts:write"] });
    const charge = { shipping: { label: "Mine", amount: 0 } };
    const terms = { line_items: [of(await sold(shop, 100))], shipping_address: accra };
    const cart = await shop.post("/v2/carts", { ...terms, shipping: { rate_id: rider } }, { key });

    const answers = [
      await shop.post("/v2/carts", { ...terms, ...charge }, { key }),
      await shop.put(`/v2/carts/${cart.id}`, charge, { key }),
      await shop.post(`/v2/carts/${cart.id}/checkout`, charge, { key }),
    ];

    for (const one of answers) {
      expect([one.status, one.code, one.at("/scopes")]).toEqual(chargeRefused);
    }
    expect((await shop.get(`/v2/carts/${cart.id}`)).body).toEqual(cart.body);
  });

  test("names one where the shop has none", async () => {
    const key = await shop.createKey({ scopes: ["carts:write"] });
    const line_items = [of(await sold(shop, 100))];

    const cart = await shop.post("/v2/carts", { line_items, shipping: { amount: 4 } }, { key });

    expect([cart.status, cart.at("/shipping_total")]).toEqual([201, 4]);
  });

  test("completes a cart with the charge that the merchant named", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    await shipTo(shop, ["GH"]);
    const key = await shop.createKey({ scopes: ["carts:write"] });
    const cart = await shop.post("/v2/carts", {
      line_items: [of(await sold(shop, 100))],
      shipping: { label: "Bus", amount: 2 },
    });

    const order = await shop.post(`/v2/carts/${cart.id}/complete`, {}, { key });

    expect([order.status, order.at("/shipping_total")]).toEqual([201, 2]);
  });
});

describe("a key that places orders and is not in a page", () => {
  const scopes = ["orders:create", "orders:read"] as const;

  test("names no charge of its own where the shop has rates", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    await shipTo(shop, ["GH"]);
    const key = await shop.createKey({ scopes: [...scopes] });
    const terms = { line_items: [of(await sold(shop, 100))], shipping_address: accra };
    const before = await standing(shop);

    const own = await shop.post("/v2/orders", { ...terms, shipping: { amount: 0 } }, { key });

    expect([own.status, own.code, own.at("/scopes")]).toEqual(chargeRefused);
    expect(await standing(shop)).toEqual(before);
  });

  test("leaves the charge out, or names one where the shop has no rates", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const key = await shop.createKey({ scopes: [...scopes] });
    const terms = { line_items: [of(await sold(shop, 100))], shipping_address: accra };

    const own = await shop.post("/v2/orders", { ...terms, shipping: { amount: 4 } }, { key });
    await shipTo(shop, ["GH"]);
    const without = await shop.post("/v2/orders", terms, { key });

    expect([own.status, own.at("/shipping_total")]).toEqual([201, 4]);
    expect([without.status, without.at("/shipping")]).toEqual([201, null]);
  });

  test("is told no more of a customer than a stranger is", async () => {
    const { email } = kofi(shop);
    const once = codeIn(shop, "ONCE");
    await discount(shop, { codes: [once], per_customer_limit: 1 });
    const line_items = [of(await sold(shop, 100))];
    const terms = { customer: { email }, discount_codes: [once] };
    const first = await place(shop, line_items, terms);
    const key = await shop.createKey({ scopes: [...scopes] });

    const refused = await shop.post("/v2/orders", { line_items, ...terms }, { key });
    must(await cancel(shop, first), 200);
    const order = await shop.post("/v2/orders", { line_items, ...terms }, { key });

    expect(reasonsOf(refused, "/codes")).toEqual([`${once} not_eligible`]);
    expect(order.status).toBe(201);
  });
});
