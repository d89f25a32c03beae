// Customers who are signed in buy as themselves, and what their session opens to no one else.

import { describe, expect, test } from "bun:test";

import { DAY_MS } from "#kernel/time.ts";

import { mug } from "../support/cast.ts";
import type { TestShop } from "../support/shop.ts";
import {
  as,
  contactsIn,
  openAccounts,
  ordersSeen,
  sharedAccounts,
  signIn,
  tokenOf,
} from "./sign-in.ts";

const shared = sharedAccounts();

/** The shop takes a fifth off for its friends, of whom Ada, who is signed in, is one. */
async function friendsIn({ shop, key }: typeof shared) {
  const contacts = contactsIn(shop);
  const { email } = contacts;
  const { variantId } = await mug(shop);
  const friends = { percent: "20", customer_tags: [email] };
  await shop.post("/v2/discounts", { title: "Friends", target: "order", ...friends });
  const made = await shop.post("/v2/customers", { email, name: "Ada", tags: [email] });
  const token = await tokenOf(shop, { email });
  const line_items = [{ variant_id: variantId, quantity: 1 }];
  const web = (customerToken: string | null, named: Readonly<Record<string, string>> = {}) => ({
    key,
    headers: { ...named, ...(customerToken !== null && { "Customer-Token": customerToken }) },
  });
  return { shop, key, ...contacts, adaId: made.id, token, line_items, web };
}

/** The order as the merchant reads it. */
const read = (shop: TestShop, id: string) => shop.get(`/v2/orders/${id}`);

describe("a customer who is signed in", () => {
  test("orders as themselves, with their contact and their discount, and sees the order", async () => {
    const { shop, adaId, token, line_items, web, email } = await friendsIn(shared);

    const preview = await shop.post("/v2/orders/preview", { line_items }, as(token));
    const placed = await shop.post("/v2/orders", { line_items }, web(token));

    expect(preview.at("/total")).toBe(10);
    expect(placed.at("/customer")).toMatchObject({ email, name: "Ada" });
    expect((await read(shop, placed.id)).body).toMatchObject({
      customer_id: adaId,
      customer: { id: adaId, email, name: "Ada" },
      total: 10,
    });
    expect(await ordersSeen(shop, token)).toEqual([placed.id]);
  });

  test("names another contact for one order, which changes no record and belongs to them", async () => {
    const { shop, key, adaId, token, line_items, web, phone, stranger } = await friendsIn(shared);
    await shop.post("/v2/customers", { email: stranger, name: "Mallory" }, { key });
    const customer = { email: stranger, phone, name: "Someone" };
    const secret = { headers: { "Customer-Token": token } };

    const ids = [
      (await shop.post("/v2/orders", { line_items, customer }, web(token))).id,
      (await shop.post("/v2/orders", { line_items, customer }, secret)).id,
    ];

    for (const id of ids) {
      expect((await read(shop, id)).body).toMatchObject({
        customer_id: adaId,
        customer: { id: adaId, ...customer },
        total: 10,
      });
    }
    expect((await shop.get(`/v2/customers/${adaId}`)).body).toMatchObject({ phone: null });
    expect(await ordersSeen(shop, token)).toEqual([]);
    expect(await ordersSeen(shop, await tokenOf(shop, { email: stranger }))).toEqual(
      ids.toReversed(),
    );
  });

  test("gives an order for them a name alone, and keeps their contact", async () => {
    const { shop, token, line_items, web, email } = await friendsIn(shared);

    const body = { line_items, customer: { name: "Ada at work" } };
    const cart = await shop.post("/v2/carts", body, web(token));
    const ids = [
      (await shop.post("/v2/orders", body, web(token))).id,
      (await shop.post(`/v2/carts/${cart.id}/complete`, {}, web(token))).id,
    ];

    const contact = { email, name: "Ada at work" };
    expect(cart.at("/customer")).toMatchObject(contact);
    for (const id of ids) expect((await read(shop, id)).at("/customer")).toMatchObject(contact);
  });

  test("fills a cart that knows them, at the prices of the order that it becomes", async () => {
    const { shop, adaId, token, line_items, web, email } = await friendsIn(shared);

    const cart = await shop.post("/v2/carts", { line_items }, web(token));
    await shop.post(`/v2/carts/${cart.id}/checkout`, {}, web(token));
    const terms = { expected_total: cart.at("/total") };
    const order = await shop.post(`/v2/carts/${cart.id}/complete`, terms, web(token));

    expect(cart.body).toMatchObject({ email, customer: { name: "Ada" }, total: 10 });
    expect((await shop.get(`/v2/carts/${cart.id}`)).at("/customer_id")).toBe(adaId);
    expect((await read(shop, order.id)).body).toMatchObject({ customer_id: adaId, total: 10 });
    expect(await shop.announced()).toContainEqual(
      expect.objectContaining({
        event: "checkout.started",
        data: expect.objectContaining({
          customer: expect.objectContaining({ id: adaId, email }),
        }),
      }),
    );
  });

  test("takes a cart along that they filled before, with what they had typed", async () => {
    const { shop, adaId, token, line_items, web, phone } = await friendsIn(shared);
    const typed = { email: "ada.work@example.com", phone, name: "Ada M." };
    const cart = await shop.post("/v2/carts", { line_items, customer: typed }, web(null));

    const { id } = await shop.post(`/v2/carts/${cart.id}/complete`, {}, web(token));

    expect((await read(shop, id)).body).toMatchObject({
      customer_id: adaId,
      customer: { id: adaId, ...typed },
      total: 10,
    });
  });

  test("uses a discount as often as one customer may, whatever contact they type", async () => {
    const { shop, token, line_items, web, email, stranger } = await friendsIn(shared);
    const once = { codes: ["ONCE"], per_customer_limit: 1 };
    await shop.post("/v2/discounts", { title: "Once", target: "order", percent: "50", ...once });
    const buy = (customer: object) =>
      shop.post("/v2/orders", { line_items, customer, discount_codes: ["ONCE"] }, web(token));

    const first = await buy({ email });
    const second = await buy({ email: stranger });

    expect(first.status).toBe(201);
    expect(second.code).toBe("discount_not_applicable");
  });
});

describe("a session", () => {
  test("that has ended, or never was, is refused, and nothing is written", async () => {
    await using opened = await openAccounts();
    const { shop, token, line_items, web } = await friendsIn(opened);
    shop.clock.advance(31 * DAY_MS);
    const cart = await shop.post("/v2/carts", { line_items }, web(null));

    const answers = [
      await shop.post("/v2/orders", { line_items }, web(token)),
      await shop.post("/v2/orders", { line_items }, web(`cst_${"x".repeat(43)}`)),
      await shop.post("/v2/orders", { line_items }, web("none")),
      await shop.post("/v2/carts", { line_items }, web(token)),
      await shop.get(`/v2/carts/${cart.id}`, web(token)),
      await shop.put(`/v2/carts/${cart.id}`, { notes: "x" }, web(token)),
      await shop.post(`/v2/carts/${cart.id}/checkout`, {}, web(token)),
      await shop.post(`/v2/carts/${cart.id}/complete`, {}, web(token)),
    ];

    expect(answers.map(({ status, code }) => `${status} ${code}`)).toEqual(
      Array(8).fill("401 customer_session_invalid"),
    );
    expect((await shop.get(`/v2/carts/${cart.id}`)).body).toMatchObject({ version: 1 });
    expect((await shop.get("/v2/carts")).list("/data")).toHaveLength(1);
    expect((await shop.get("/v2/orders")).list("/data")).toEqual([]);
  });

  test("is of one customer: a body that names another is refused", async () => {
    const { shop, adaId, line_items, stranger } = await friendsIn(shared);
    const other = as(await tokenOf(shop, { email: stranger }));
    const body = { line_items, customer_id: adaId };
    const cart = await shop.post("/v2/carts", { line_items }, other);

    const answers = [
      await shop.post("/v2/orders", body, other),
      await shop.post("/v2/carts", body, other),
      await shop.put(`/v2/carts/${cart.id}`, { customer_id: null }, other),
    ];

    expect(answers.flatMap(({ faults }) => faults)).toEqual(
      Array(3).fill("#/customer_id conflicting_fields"),
    );
  });

  test("gives whoever else has the cart nothing of its customer", async () => {
    const { shop, token, line_items, web, email, stranger } = await friendsIn(shared);
    const other = await tokenOf(shop, { email: stranger });
    const { id } = await shop.post("/v2/carts", { line_items }, web(token));
    const path = `/v2/carts/${id}`;

    const seen = [
      await shop.get(path, web(token)),
      await shop.get(path, web(null)),
      await shop.get(path, web(other)),
    ];
    const order = await shop.post(`${path}/complete`, {}, web(null));
    const changed = await shop.put(path, {}, web(null));

    const ofGuest = { email: null, customer: null, discounts: [], total: 12.5 };
    expect(seen.map(({ body }) => body)).toMatchObject([
      { email, customer: { name: "Ada" }, total: 10 },
      ofGuest,
      ofGuest,
    ]);
    expect([order.status, order.code]).toEqual([401, "customer_session_invalid"]);
    expect(changed.body).toMatchObject({ email: null, customer: null, total: 12.5 });
    expect((await shop.get(path)).body).toMatchObject({ customer_id: null, order_id: null });
  });

  test("has its completed cart, whose order is told to others without the contact", async () => {
    const { shop, token, line_items, web, email, phone, stranger } = await friendsIn(shared);
    const customer = { email, phone, name: "Ada" };
    const cart = await shop.post("/v2/carts", { line_items, customer }, web(token));
    const path = `/v2/carts/${cart.id}`;
    const order = await shop.post(`${path}/complete`, {}, web(token));
    const other = await tokenOf(shop, { email: stranger });

    const [own, ...others] = [
      await shop.post(`${path}/complete`, {}, web(token)),
      await shop.post(`${path}/complete`, {}, web(null)),
      await shop.post(`${path}/complete`, {}, web(other)),
    ];

    expect(own?.at("/status_url")).toBe(order.at("/status_url"));
    for (const answer of others) {
      expect(answer.code).toBe("cart_completed");
      expect(answer.at("/status_url")).not.toBe(order.at("/status_url"));
    }
    expect((await shop.get(path, web(null))).body).toMatchObject({ email: null, customer: null });
  });

  test("takes over the cart of another one without their contact and their discount", async () => {
    const { shop, token, line_items, web, phone } = await friendsIn(shared);
    const { id } = await shop.post("/v2/carts", { line_items }, web(token));
    const other = await signIn(shop, { phone });

    const order = await shop.post(`/v2/carts/${id}/complete`, {}, web(other.string("/token")));

    expect((await read(shop, order.id)).body).toMatchObject({
      customer: { id: other.string("/customer/id"), email: null, phone, name: null },
      total: 12.5,
    });
  });

  test("is part of a request that is repeated: the key is of one customer, or of none", async () => {
    const { shop, token, line_items, web, stranger } = await friendsIn(shared);
    const other = await tokenOf(shop, { email: stranger });
    const before = (await shop.get("/v2/orders?limit=100")).list("/data").length;
    const send = (customerToken: string | null, key: string) =>
      shop.post("/v2/orders", { line_items }, web(customerToken, { "Idempotency-Key": key }));

    const first = await send(token, "one");
    const again = await send(token, "one");
    const answers = [await send(null, "one"), await send(other, "one")];
    const refused = await send("none", "two");
    const corrected = await send(token, "two");

    expect([again.id, again.headers.get("Idempotent-Replayed")]).toEqual([first.id, "true"]);
    expect(answers.map(({ code }) => code)).toEqual(Array(2).fill("idempotency_key_reused"));
    // A refused session is not kept under the key.
    expect([refused.status, corrected.status]).toEqual([401, 201]);
    expect((await shop.get("/v2/orders?limit=100")).list("/data")).toHaveLength(before + 2);
  });

  test("that a shop's own login opened buys with the contact on the record", async () => {
    const { shop, line_items, web, phone } = await friendsIn(shared);
    const id = (await shop.post("/v2/customers", { phone, name: "Kofi" })).id;
    const session = await shop.post("/v2/customer-sessions", { customer_id: id });

    const order = await shop.post("/v2/orders", { line_items }, web(session.string("/token")));

    expect((await read(shop, order.id)).body).toMatchObject({ customer: { id, phone } });
  });
});

test("a customer who was erased is signed in no more, and their cart is a guest's", async () => {
  const { shop, adaId, token, line_items, web } = await friendsIn(shared);
  const { id } = await shop.post("/v2/carts", { line_items }, web(token));
  await shop.post(`/v2/customers/${adaId}/erase`);

  const refused = await shop.post(`/v2/carts/${id}/complete`, {}, web(token));
  expect((await shop.get(`/v2/carts/${id}`)).at("/customer_id")).toBeNull();
  const order = await shop.post(`/v2/carts/${id}/complete`, {}, web(null));

  expect(refused.code).toBe("customer_session_invalid");
  expect((await read(shop, order.id)).body).toMatchObject({ customer_id: null, total: 12.5 });
});
