// What a stranger with a publishable key may ask of gateways and phones.

import { describe, expect, test } from "bun:test";

import {
  initialize,
  openScriptedShop,
  orderCounter,
  type ScriptedShop,
  sharedScriptedShop,
} from "../scripted-shop.ts";

const shared = sharedScriptedShop();

/** Gives test mode the bounds of live mode; returns a stranger's way to pay in the shop, and their phone. */
async function stranger({ shop }: ScriptedShop) {
  await shop.put("/v2/store", { enforce_limits: true });
  const key = await shop.createKey({ scopes: ["storefront"] });
  const order = await orderCounter(shop);
  const pay = (body: Readonly<Record<string, unknown>>) =>
    shop.post("/v2/payments/initialize", body, { key });
  const phone = `+2332012${String(shop.nextNumber() ?? 0).padStart(5, "0")}`;
  const byPhone = (order_id: string, digits = phone) => ({
    order_id,
    method: "mobile_money",
    phone: digits,
  });
  return { shop, order, pay, byPhone };
}

describe("an order", () => {
  test("has at most three open attempts of a publishable key", async () => {
    const open = await stranger(shared);
    const { id } = await open.order();
    await open.pay(open.byPhone(id));
    await open.pay({ order_id: id, method: "card" });
    await open.pay({ order_id: id, method: "gateway" });
    await open.shop.announced();

    const refused = await open.pay({ order_id: id, method: "bank_transfer" });

    expect([refused.status, refused.code]).toEqual([409, "too_many_attempts"]);
    expect(await open.shop.announcedNames()).toEqual([]);
  });

  test("still answers an attempt that is open", async () => {
    const open = await stranger(shared);
    const { id } = await open.order();
    const first = await open.pay(open.byPhone(id));
    await open.pay({ order_id: id, method: "card" });
    await open.pay({ order_id: id, method: "gateway" });

    const again = await open.pay(open.byPhone(id));

    expect([again.status, again.id]).toEqual([200, first.id]);
  });

  test("has another attempt after one was cancelled, and as many as the merchant asks for", async () => {
    const open = await stranger(shared);
    const { id } = await open.order();
    const first = await open.pay(open.byPhone(id));
    await open.pay({ order_id: id, method: "card" });
    await open.pay({ order_id: id, method: "gateway" });
    await open.shop.post(`/v2/payments/${first.id}/cancel`);

    const next = await open.pay({ order_id: id, method: "bank_transfer" });
    const ofMerchant = await initialize(open.shop, open.byPhone(id, "+233500000000"));

    expect([next.status, ofMerchant.status]).toEqual([201, 201]);
  });
});

describe("an order in an hour", () => {
  /** Twenty attempts of which none is open: a script that tries cards. */
  async function tried(open: Awaited<ReturnType<typeof stranger>>) {
    const { id } = await open.order();
    const body = { order_id: id, method: "card" };
    for (let nth = 0; nth < 20; nth += 1) {
      const attempt = await open.pay(body);
      await open.shop.post(`/v2/payments/${attempt.id}/cancel`);
    }
    return body;
  }

  test("has at most twenty attempts of a publishable key, and more of the merchant", async () => {
    const open = await stranger(shared);
    const body = await tried(open);

    const refused = await open.pay(body);

    expect([refused.status, refused.code]).toEqual([429, "too_many_payments"]);
    expect(refused.headers.get("retry-after")).toBe("3600");
    expect((await initialize(open.shop, body)).status).toBe(201);
    expect((await open.pay({ ...body, order_id: (await open.order()).id })).status).toBe(201);
  });

  test("has another one when the first is an hour old", async () => {
    await using own = await openScriptedShop();
    const open = await stranger(own);
    const body = await tried(open);
    open.shop.clock.advance(3_600_000);

    expect((await open.pay(body)).status).toBe(201);
  });

  test("has as many as a test shop likes that enforces no limits", async () => {
    await using own = await openScriptedShop();
    const open = await stranger(own);
    await open.shop.put("/v2/store", { enforce_limits: false });

    expect((await open.pay(await tried(open))).status).toBe(201);
  });
});

describe("a phone", () => {
  test("is asked at most five times an hour, whatever the order", async () => {
    const open = await stranger(shared);
    for (let nth = 0; nth < 5; nth += 1) await open.pay(open.byPhone((await open.order()).id));
    const next = await open.order();
    await open.shop.announced();

    const refused = await open.pay(open.byPhone(next.id));

    expect([refused.status, refused.code]).toEqual([429, "too_many_prompts"]);
    expect(refused.headers.get("retry-after")).toBe("3600");
    expect(await open.shop.announcedNames()).toEqual([]);
    expect((await open.pay(open.byPhone(next.id, "+233500000000"))).status).toBe(201);
    expect((await initialize(open.shop, open.byPhone(next.id))).status).toBe(201);
  });

  test("is asked again when the first prompt is an hour old", async () => {
    await using own = await openScriptedShop();
    const open = await stranger(own);
    await open.pay(open.byPhone((await open.order()).id));
    open.shop.clock.advance(600_000);
    for (let nth = 0; nth < 4; nth += 1) await open.pay(open.byPhone((await open.order()).id));
    const next = await open.order();

    const refused = await open.pay(open.byPhone(next.id));
    open.shop.clock.advance(3_000_000);

    expect(refused.headers.get("retry-after")).toBe("3000");
    expect((await open.pay(open.byPhone(next.id))).status).toBe(201);
  });

  test("is not asked more often by requests at once", async () => {
    const open = await stranger(shared);
    for (let nth = 0; nth < 4; nth += 1) await open.pay(open.byPhone((await open.order()).id));
    const orders = [];
    for (let nth = 0; nth < 6; nth += 1) orders.push(await open.order());

    const answers = await Promise.all(orders.map(({ id }) => open.pay(open.byPhone(id))));

    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
    expect(statuses).toEqual([201, 429, 429, 429, 429, 429]);
  });

  test("is asked as often as a test shop likes that enforces no limits", async () => {
    await using own = await openScriptedShop();
    const open = await stranger(own);
    await open.shop.put("/v2/store", { enforce_limits: false });
    for (let nth = 0; nth < 5; nth += 1) await open.pay(open.byPhone((await open.order()).id));

    expect((await open.pay(open.byPhone((await open.order()).id))).status).toBe(201);
  });
});

describe("after a payment with a publishable key, customers", () => {
  const callers = { DUKA_CORS_ORIGINS: "https://shop.example" };
  const called = sharedScriptedShop({ settings: callers });
  const hosts = { DUKA_RETURN_HOSTS: "App.Example" };
  const named = sharedScriptedShop({ settings: { ...callers, ...hosts } });

  test.each([
    ["return to a site that may call the API", called, "https://shop.example/thanks?o=1"],
    ["return to a named host", named, "https://app.example/thanks"],
  ])("%s", async (_, scripted, return_url) => {
    const open = await stranger(scripted);
    const { id } = await open.order();

    expect((await open.pay({ order_id: id, return_url })).status).toBe(201);
  });

  test("return to this server's own host", async () => {
    const open = await stranger(shared);
    const { id } = await open.order();
    const return_url = `${open.shop.url}/docs`;

    expect((await open.pay({ order_id: id, return_url })).status).toBe(201);
  });

  test.each([
    ["an unknown host", called, "https://evil.example/thanks"],
    ["a host that only begins like the shop's", called, "https://shop.example.evil.example/"],
    ["a site in place of which hosts are named", named, "https://shop.example/"],
  ])("are not sent to %s", async (_, scripted, return_url) => {
    const open = await stranger(scripted);
    const { id } = await open.order();
    await open.shop.announced();

    const refused = await open.pay({ order_id: id, return_url });

    expect([refused.status, refused.faults]).toEqual([
      422,
      ["#/return_url return_host_not_allowed"],
    ]);
    expect(await open.shop.announcedNames()).toEqual([]);
  });

  test("are not sent to a host behind a user name", async () => {
    const open = await stranger(called);
    const { id } = await open.order();

    const return_url = "https://shop.example@evil.example/";
    const refused = await open.pay({ order_id: id, return_url });

    expect(refused.faults).toEqual([
      "#/return_url url_has_credentials",
      "#/return_url return_host_not_allowed",
    ]);
  });

  test("return anywhere in a test shop that enforces no limits, and with a secret key", async () => {
    await using own = await openScriptedShop();
    const open = await stranger(own);
    const { id } = await open.order();
    const return_url = "https://anywhere.example/thanks";
    const ofMerchant = await initialize(open.shop, { order_id: id, return_url });
    await open.shop.put("/v2/store", { enforce_limits: false });

    const ofStranger = await open.pay({ order_id: id, method: "card", return_url });

    expect([ofMerchant.status, ofStranger.status]).toEqual([201, 201]);
  });
});

test("a publishable key does not pay in cash, unless the order was placed so and the shop says where", async () => {
  await using own = await openScriptedShop();
  const open = await stranger(own);
  const online = await open.order();
  const inCash = await open.order({ payment_method: "cash" });

  const refused = await open.pay({ order_id: online.id, method: "cash" });
  const untold = await open.pay({ order_id: inCash.id });
  await open.shop.put("/v2/store", { payment_methods: { cash: { instructions: "12 Ring Road" } } });

  expect([refused.code, untold.code]).toEqual(Array(2).fill("payment_method_unavailable"));
  expect((await open.pay({ order_id: inCash.id })).status).toBe(201);
});
