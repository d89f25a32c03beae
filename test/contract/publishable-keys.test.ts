// What a stranger with the key of a web page learns of the shop, and what of it they change: nothing that they
// did not send, that the catalog does not show, and that the shop did not compute for their own order.

import { beforeAll, expect, test } from "bun:test";

import { adaMensah, kanga, mug } from "../support/cast.ts";
import { type Answered, sharedShop } from "../support/shop.ts";

const same = { "X-Request-Id": "same" };

const shop = sharedShop({ asks: "nothing" });

/** The key of a web page. */
let key: string;

beforeAll(async () => {
  key = await shop.createKey({ scopes: ["storefront"] });
});

/** An answer without the time and the hash of its text. */
function seen({ status, text, headers }: Answered): unknown {
  const { date: _date, etag: _etag, ...others } = Object.fromEntries(headers);
  return [status, text, others];
}

test("a stranger who signs up is answered alike for a new contact and for one that is known", async () => {
  const { email: known } = await adaMensah(shop);
  const options = { key, headers: same };
  const unknown = known.replace("ada", "eve");

  const ofKnown = await shop.post("/v2/customers", { email: known, name: "Someone" }, options);
  const ofNew = await shop.post("/v2/customers", { email: unknown, name: "Someone" }, options);

  expect(ofNew.status).toBe(201);
  expect(seen(ofKnown)).toEqual(JSON.parse(JSON.stringify(seen(ofNew)).replaceAll(unknown, known)));
});

test("a stranger who signs up as a known customer changes nothing", async () => {
  const { id, email } = await adaMensah(shop);
  const before = await shop.get(`/v2/customers/${id}`);
  await shop.announced();

  const sent = { email, name: "Someone", marketing_consent: true };
  await shop.post("/v2/customers", sent, { key });

  expect((await shop.get(`/v2/customers/${id}`)).text).toBe(before.text);
  expect(await shop.announced()).toEqual([]);
});

test("a stranger who signs up with a new contact becomes an unverified customer", async () => {
  const sent = { phone: "+233500000000", marketing_consent: true };

  await shop.post("/v2/customers", sent, { key });

  const found = await shop.get("/v2/customers?phone=%2B233500000000");
  expect(found.at("/data/0")).toMatchObject({ ...sent, unverified: true });
});

test("a customer whom the merchant names is verified, and one who is tagged is not", async () => {
  await shop.post("/v2/customers", { email: "kofi@example.com" }, { key });
  const id = (await shop.get("/v2/customers?email=kofi@example.com")).string("/data/0/id");

  const tagged = await shop.put(`/v2/customers/${id}`, { tags: ["news"] });
  const named = await shop.put(`/v2/customers/${id}`, { name: "Kofi" });

  expect([tagged.at("/unverified"), named.at("/unverified")]).toEqual([true, false]);
});

test("the order of a known customer and that of a new one look alike to a stranger", async () => {
  const cup = await mug(shop);
  const known = await adaMensah(shop);
  const place = (email: string) =>
    shop.post(
      "/v2/orders",
      { line_items: [{ variant_id: cup.variantId, quantity: 1 }], customer: { email } },
      { key, headers: same },
    );

  const [ofKnown, ofNew] = [await place(known.email), await place("other@example.com")];

  const contact = { email: known.email, phone: null, name: null };
  expect(ofKnown.at("/customer")).toEqual({ id: "cus_00000000000000000000000000", ...contact });
  expect(ofKnown.at("/customer_id")).toBeNull();
  expect(ofNew.body).toMatchObject({
    customer_id: null,
    customer: { id: ofKnown.at("/customer/id") },
  });
  const links = [ofKnown, ofNew].map((order) => order.string("/status_url"));
  const pages = await Promise.all(links.map(async (link) => (await fetch(link)).text()));
  expect(pages.map((page) => /@example\.com|Mensah/.test(page))).toEqual([false, false]);
});

test("a stranger is told stock up to 20 units, and of metadata what is public", async () => {
  const metadata = { cost: 4, public_color: "blue" };
  const cup = await mug(shop, { stock: 996, metadata });
  const path = `/v2/products/${cup.productId}`;

  const toStranger = await shop.get(path, { key });
  const toMerchant = await shop.get(path);

  expect(toStranger.at("/variants/0")).toMatchObject({ available: 20, in_stock: true });
  expect(toStranger.at("/metadata")).toEqual({ public_color: "blue" });
  expect(toMerchant.at("/variants/0/available")).toBe(996);
  expect(toMerchant.at("/metadata")).toEqual(metadata);
});

test.each([
  ["sold out", { on_hand: 0 }, { available: 0, in_stock: false }],
  ["on backorder", { on_hand: 0, backorder: "allow" }, { available: 0, in_stock: true }],
  ["untracked", { tracked: false }, { available: null, in_stock: true }],
])("a variant that is %s says whether it can be ordered", async (_, level, expected) => {
  const cup = await mug(shop);
  await shop.put(`/v2/inventory/${cup.variantId}`, level);

  const found = await shop.get(`/v2/products/${cup.productId}`, { key });

  expect(found.at("/variants/0")).toMatchObject(expected);
});

test("a stranger whose order is short of stock is told at most 20 units", async () => {
  const cup = await mug(shop, { stock: 96 });
  const line_items = [{ variant_id: cup.variantId, quantity: 97 }];

  const toStranger = await shop.post("/v2/orders", { line_items }, { key });
  const toMerchant = await shop.post("/v2/orders", { line_items });

  expect(toStranger.at("/items/0")).toMatchObject({ requested: 97, available: 20 });
  expect(toMerchant.at("/items/0")).toMatchObject({ requested: 97, available: 96 });
});

test("a stranger pays all that is due, and neither an amount nor a link of their own", async () => {
  const cup = await kanga(shop);
  const line_items = [{ variant_id: cup.variantId, quantity: 1 }];
  const order_id = (await shop.post("/v2/orders", { line_items })).id;
  const pay = (body: object) =>
    shop.post("/v2/payments/initialize", { method: "gateway", ...body }, { key });

  const part = await pay({ order_id, amount: 0.5 });
  const link = await pay({ amount: 5, currency: "USD" });
  const all = await pay({ order_id });

  expect(part.faults).toEqual(["#/amount amount_below_due"]);
  expect(link.faults).toEqual(["#/order_id required"]);
  expect([all.status, all.at("/amount")]).toEqual([201, 20]);
});

test("a stranger learns no payment by a reference, nor by the attempt that is in their way", async () => {
  const cup = await kanga(shop);
  const line_items = [{ variant_id: cup.variantId, quantity: 1 }];
  const order_id = (await shop.post("/v2/orders", { line_items })).id;
  const ours = { order_id, method: "gateway", amount: 5, reference: "ord-1001" };
  const made = await shop.post("/v2/payments/initialize", ours);
  const pay = (body: object) =>
    shop.post("/v2/payments/initialize", { order_id, ...body }, { key });

  const taken = await pay({ reference: "ord-1001" });
  const inTheWay = await pay({ method: "gateway" });

  expect(taken.faults).toEqual(["#/reference not_allowed_for_public_key"]);
  expect(inTheWay.code).toBe("attempt_open");
  expect([taken, inTheWay].filter(({ text }) => text.includes(made.id))).toEqual([]);
  expect(inTheWay.text).not.toContain("ord-1001");
});

test("an erased customer is redacted in the answers that a stranger may ask for again", async () => {
  const sent = { email: "yaw@example.com", name: "Yaw Boateng", phone: "+233500000001" };
  const again = (path: string, body: object) =>
    shop.post(path, body, { key, headers: { "Idempotency-Key": path } });
  const cup = await mug(shop);
  const order = { line_items: [{ variant_id: cup.variantId, quantity: 1 }], customer: sent };
  await again("/v2/customers", sent);
  const placed = await again("/v2/orders", order);
  const mobile = { order_id: placed.id, method: "mobile_money", phone: "+233501112222" };
  await again("/v2/payments/initialize", mobile);
  await shop.put(`/v2/orders/${placed.id}/cancel`, {});
  const id = (await shop.get("/v2/customers?email=yaw@example.com")).string("/data/0/id");

  expect((await shop.post(`/v2/customers/${id}/erase`)).status).toBe(200);

  const replayed = [
    await again("/v2/customers", sent),
    await again("/v2/orders", order),
    await again("/v2/payments/initialize", mobile),
  ];
  expect(replayed.map(({ headers }) => headers.get("idempotent-replayed"))).toEqual(
    replayed.map(() => "true"),
  );
  expect(replayed.map(({ text }) => text).join("\n")).not.toMatch(/yaw|Yaw|\+2335/);
});

test("a body of a publishable key has ten thousand names at most, and one of a secret key more", async () => {
  // Empty names in one another are the shortest: others are too many for 64 KiB before they are for the limit.
  const nested = `${'{"":'.repeat(25)}1${"}".repeat(25)}`;
  const text = `{"line_items":[${Array.from({ length: 400 }, () => nested).join()}]}`;
  const send = (by: string) => shop.send("POST", "/v2/carts", { text, key: by });

  const [refused, looked] = [await send(key), await send(shop.key)];

  expect([refused.status, refused.code]).toEqual([422, "too_many_fields"]);
  expect([looked.status, looked.code]).toEqual([422, "validation_failed"]);
});
