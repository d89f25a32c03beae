// The audit log: who did what. Each act is in the commit of its change.

import { beforeEach, describe, expect, test } from "bun:test";

import { DAY_MS, MINUTE_MS } from "#kernel/time.ts";
import { dropNetworksJob } from "#shop/audit/jobs.ts";
import { auditEntries } from "#shop/audit/tables.ts";

import { kofi } from "../../support/cast.ts";
import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";
import { rowsOf } from "../../support/tables.ts";

const UNHEARD = "http://127.0.0.1:9/hooks";
const mug = { name: "Mug", price: "10.00", currency: "USD", stock: 6 };

const shop = sharedShop();
/** The entries before the test began. */
const earlier = new Set<unknown>();
beforeEach(async () => {
  for (const entry of await entries(shop)) earlier.add(Object(entry).id);
});

/** The entries of requests since the test began, newest first, without those of the test's own keys. */
async function entries(shop: TestShop, query = ""): Promise<unknown[]> {
  const { body } = await shop.get(`/v2/audit?limit=100${query}`);
  return listOf(body)
    .map((entry) => Object(entry))
    .filter(({ id, request_id }) => request_id !== null && !earlier.has(id));
}

function listOf(body: unknown): unknown[] {
  const { data } = Object(body);
  return Array.isArray(data) ? data : [];
}

const actions = (found: readonly unknown[]) => found.map((entry) => Object(entry).action);

describe("an entry", () => {
  test("says who did what to which record, from where and in which request", async () => {
    const keys = (await shop.get("/v2/keys?limit=100")).list("/data").map((key) => Object(key));
    const first = keys.find(({ name }) => name === "First key");
    const headers = { "X-Request-Id": "req-of-ama" };

    const product = await shop.post("/v2/products", mug, { headers });

    expect(await entries(shop)).toEqual([
      {
        id: expect.stringMatching(/^aud_/),
        actor: { type: "api_key", id: first?.id, name: "First key" },
        action: "createProduct",
        subject: { type: "product", id: product.id },
        changed_fields: [],
        before: null,
        after: null,
        request_id: "req-of-ama",
        client_network: "127.0.0.0/24",
        created_at: expect.any(String),
      },
    ]);
  });

  test("keeps the name that the key had", async () => {
    const till = await shop.post("/v2/keys", { name: "Till", scopes: ["full"] });
    await shop.post("/v2/products", mug, { key: till.string("/key") });
    await shop.put(`/v2/keys/${till.id}`, { name: "Old till" });

    const [entry] = await entries(shop, `&actor=${till.id}`);

    expect(Object(entry).actor).toEqual({ type: "api_key", id: till.id, name: "Till" });
  });

  test("names the network of the client, not the address", async () => {
    await using shop = await openTestShop({ settings: { DUKA_TRUSTED_PROXIES: "127.0.0.1" } });
    const from = (address: string) => ({ headers: { "X-Forwarded-For": address } });

    await shop.post("/v2/customers", { email: "a@example.com" }, from("203.0.113.77"));
    await shop.post("/v2/customers", { email: "b@example.com" }, from("2001:db8:1:2:3::4"));

    expect((await entries(shop)).map((entry) => Object(entry).client_network)).toEqual([
      "2001:db8:1::/48",
      "203.0.113.0/24",
    ]);
  });

  test("about a payment names it by its id, whatever reference the request has", async () => {
    const paid = { amount: 5, currency: "USD" };
    const terms = { ...paid, method: "bank_transfer", reference: "invoice-7" };
    const payment = await shop.post("/v2/payments/initialize", terms);
    await shop.post("/v2/payments/invoice-7/confirm", paid);
    await shop.post("/v2/payments/invoice-7/refunds", { amount: 1 });

    const found = await entries(shop, `&subject=${payment.id}`);

    expect(actions(found)).toEqual(["refundPayment", "confirmPayment"]);
  });

  test("of an export names the customer", async () => {
    const { id } = await shop.post("/v2/customers", { email: "ada@example.com" });
    await shop.get(`/v2/customers/${id}/export`);

    expect(actions(await entries(shop, `&subject=${id}`))).toEqual([
      "exportCustomer",
      "createCustomer",
    ]);
  });
});

describe("there is no entry", () => {
  test("of an order, a cart or a payment that is begun", async () => {
    const product = await shop.post("/v2/products", mug);
    const lines = { line_items: [{ variant_id: product.string("/variants/0/id"), quantity: 1 }] };
    const order = await shop.post("/v2/orders", lines);
    await shop.post("/v2/payments/initialize", { order_id: order.id, method: "bank_transfer" });
    const cart = await shop.post("/v2/carts", lines);
    await shop.put(`/v2/carts/${cart.id}`, { email: "ada@example.com" });
    await shop.post(`/v2/carts/${cart.id}/complete`, {});

    expect(actions(await entries(shop))).toEqual(["createProduct"]);
  });

  test("of a refused request, even where its refusal is stored", async () => {
    const headers = { "Idempotency-Key": "once" };
    await shop.put("/v2/store", { timezone: "Mars/Olympus" });
    await shop.put("/v2/store", { timezone: "Mars/Olympus" }, { headers });
    await shop.put("/v2/store", { name: "Other" }, { headers: { "If-Match": '"99"' } });
    await shop.post("/v2/payments/pay_01h455vb4pex5vsknk084sn02q/refunds", {}, { headers });

    expect(await entries(shop)).toEqual([]);
  });

  test("of a stored answer that is given again", async () => {
    const headers = { "Idempotency-Key": "again" };
    await shop.post("/v2/products", mug, { headers });
    const again = await shop.post("/v2/products", mug, { headers });

    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(actions(await entries(shop))).toEqual(["createProduct"]);
  });

  test("of a change that was undone", async () => {
    const failing = { ...mug, variants: [{ sku: "A" }, { sku: "A" }] };

    const refused = await shop.post("/v2/products", failing);

    expect(refused.status).toBe(422);
    expect(await entries(shop)).toEqual([]);
  });

  test("of reading", async () => {
    await shop.get("/v2/products");
    await shop.get("/v2/events");
    await shop.get("/v2/audit");

    expect(await entries(shop)).toEqual([]);
  });
});

describe("what changed", () => {
  test("of the shop's settings is kept with its values", async () => {
    await using shop = await openTestShop();
    await shop.put("/v2/store", { name: "Duka Market", timezone: "Africa/Nairobi" });

    const [entry] = await entries(shop, "&action=updateStore");

    expect(entry).toMatchObject({
      changed_fields: ["name", "timezone"],
      after: { name: "Duka Market", timezone: "Africa/Nairobi" },
    });
    expect(Object.keys(Object(entry).before)).toEqual(["name", "timezone"]);
  });

  test("of a price is kept with every digit", async () => {
    await using shop = await openTestShop();
    const product = await shop.post("/v2/products", mug);
    const path = `/v2/products/${product.id}/variants/${product.string("/variants/0/id")}`;
    await shop.put(path, { prices: [{ currency: "USD", amount: "12.50" }] });

    const { text } = await shop.get("/v2/audit?action=updateVariant");

    expect(text).toMatch(/"before":\{[^}]*"amount":10\.00/);
    expect(text).toMatch(/"after":\{[^}]*"amount":12\.50/);
  });

  test("of a price that a product sets for its only variant is kept", async () => {
    await using shop = await openTestShop();
    const product = await shop.post("/v2/products", mug);
    await shop.put(`/v2/products/${product.id}`, { name: "Cup", price: "12.50" });

    const { text } = await shop.get("/v2/audit?action=updateProduct");

    expect(text).toMatch(/"changed_fields":\["name","variants"\]/);
    expect(text).toMatch(/"before":\{"variants":[^}]*"amount":10\.00/);
    expect(text).toMatch(/"after":\{"variants":[^}]*"amount":12\.50/);
  });

  test("of a key is its name", async () => {
    const till = await shop.post("/v2/keys", { name: "Till" });
    await shop.put(`/v2/keys/${till.id}`, { name: "Counter" });

    const [entry] = await entries(shop, "&action=updateKey");

    expect(entry).toMatchObject({
      changed_fields: ["name"],
      before: { name: "Till" },
      after: { name: "Counter" },
    });
  });

  test("of a webhook shows where its events went, without the secret parts of the URL", async () => {
    const webhook = await shop.post("/v2/webhooks", { url: `${UNHEARD}?token=hush` });
    await shop.put(`/v2/webhooks/${webhook.id}`, { url: "http://127.0.0.1:8/taken" });
    await shop.delete(`/v2/webhooks/${webhook.id}`);

    const [deleted, updated] = await entries(shop, `&subject=${webhook.id}`);

    expect(updated).toMatchObject({
      changed_fields: ["url"],
      before: { url: "http://127.0.0.1:9" },
      after: { url: "http://127.0.0.1:8" },
    });
    expect(deleted).toMatchObject({
      before: { url: "http://127.0.0.1:8", events: ["*"], status: "enabled" },
      after: { url: null, events: null, status: null },
    });
  });

  test("of a customer, an order and a product are only the names of fields", async () => {
    const { id } = await shop.post("/v2/customers", { email: kofi(shop).email });
    await shop.put(`/v2/customers/${id}`, { first_name: "Ada", tags: ["hush"] });
    const product = await shop.post("/v2/products", mug);
    await shop.put(`/v2/products/${product.id}`, { tags: ["cup"] });
    const variant = product.string("/variants/0/id");
    const order = await shop.post("/v2/orders", {
      line_items: [{ variant_id: variant, quantity: 1 }],
    });
    await shop.put(`/v2/orders/${order.id}`, { notes: "Ring twice." });

    const found = await entries(shop);

    expect(
      found
        .filter((entry) => Object(entry).action.startsWith("update"))
        .map((entry) => {
          const { changed_fields, before, after } = Object(entry);
          return { changed_fields, before, after };
        }),
    ).toEqual([
      { changed_fields: ["notes"], before: null, after: null },
      { changed_fields: ["tags"], before: null, after: null },
      { changed_fields: ["name", "first_name", "tags"], before: null, after: null },
    ]);
  });
});

test("no secret and nothing of a customer is in the log", async () => {
  const key = await shop.post("/v2/keys", { name: "Till" });
  const rotated = await shop.post(`/v2/keys/${key.id}/rotate`, { overlap_hours: 1 });
  const webhook = await shop.post("/v2/webhooks", { url: `${UNHEARD}/hush?token=hush` });
  const again = await shop.post(`/v2/webhooks/${webhook.id}/rotate-secret`);
  await shop.put(`/v2/webhooks/${webhook.id}`, { url: `${UNHEARD}/hush/more` });
  const ada = { email: "ada.lovelace@example.com", first_name: "Lovelace", phone: "+254733000455" };
  const customer = await shop.post("/v2/customers", ada);
  await shop.put(`/v2/customers/${customer.id}`, { last_name: "Byron" });
  await shop.post(`/v2/customers/${customer.id}/erase`);

  const text = JSON.stringify(await rowsOf(shop.test.database.read, auditEntries));

  const secrets = [key.string("/key"), rotated.string("/key"), shop.key];
  secrets.push(webhook.string("/secret"), again.string("/secret"));
  const words = [...secrets, "hush", "lovelace", "Lovelace", "Byron", "733000455"];
  expect(words.filter((word) => text.includes(word))).toEqual([]);
  expect(text).toContain("eraseCustomer");
});

describe("the list", () => {
  test("is for keys that may read it, which those for reports may not", async () => {
    const key = await shop.createKey({ scopes: ["read_only"] });
    const auditor = await shop.createKey({ scopes: ["audit:read"] });

    const [refused, read] = [
      await shop.get("/v2/audit", { key }),
      await shop.get("/v2/audit", { key: auditor }),
    ];

    expect([refused.code, read.status]).toEqual(["scope_missing", 200]);
  });

  test("filters by actor, subject, action and time", async () => {
    await using shop = await openTestShop();
    const product = await shop.post("/v2/products", mug);
    await shop.put("/v2/store", { name: "Duka Market" });
    const later = new Date(Date.now() + 60_000).toISOString();

    expect(actions(await entries(shop, `&subject=${product.id}`))).toEqual(["createProduct"]);
    expect(actions(await entries(shop, "&action=updateStore"))).toEqual(["updateStore"]);
    expect(await entries(shop, `&created_at[gte]=${later}`)).toEqual([]);
    expect(await entries(shop, `&created_at[lt]=${later}`)).toHaveLength(2);
    const { body } = await shop.get("/v2/audit?actor=system");
    expect(actions(listOf(body))).toEqual(["createFirstKey"]);
  });

  test("survives the reset of a test shop, which it names", async () => {
    await using shop = await openTestShop();
    await shop.post("/v2/products", mug);
    await shop.post("/v2/test/reset");

    expect(actions(await entries(shop))).toEqual(["resetTestShop", "createProduct"]);
  });
});

test("the network of a client is kept for 400 days, the entry for good", async () => {
  await using shop = await openTestShop();
  await shop.post("/v2/products", mug);
  const { database } = shop.test;
  const networkAfter = async (days: number) => {
    const clock = { now: () => Date.now() + days * DAY_MS };
    await dropNetworksJob([database], clock).run();
    const [entry] = await entries(shop);
    return Object(entry).client_network;
  };

  expect(await networkAfter(399)).toBe("127.0.0.0/24");
  expect(await networkAfter(401)).toBeNull();
});

test("a timeline names who acted", async () => {
  await using shop = await openTestShop();
  const product = await shop.post("/v2/products", mug);
  const lines = { line_items: [{ variant_id: product.string("/variants/0/id"), quantity: 1 }] };
  await shop.put("/v2/store", { order_expiry_minutes: 30 });
  const till = await shop.createKey({ name: "Till" });
  const order = await shop.post("/v2/orders", lines, { key: till });
  await shop.put(`/v2/orders/${order.id}`, { notes: "Ring twice." });
  shop.clock.advance(31 * MINUTE_MS);
  await shop.fireDue();

  const { body } = await shop.get(`/v2/orders/${order.id}/events`);

  expect(
    listOf(body).map((event) => [
      Object(event).event,
      Object(event).actor.type,
      Object(event).actor.name,
    ]),
  ).toEqual([
    ["order.placed", "api_key", "Till"],
    ["order.updated", "api_key", "First key"],
    ["order.cancelled", "system", null],
  ]);
});
