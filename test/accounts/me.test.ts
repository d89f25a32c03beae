// What a customer who is signed in sees and changes, and what the word of others does not open to them.

import { expect, test } from "bun:test";

import { hasWithdrawn } from "#customers/consent/lookups.ts";
import { pruneSessionsJob } from "#customers/sessions/jobs.ts";
import { customerCodes, customerSessions } from "#customers/sessions/tables.ts";
import { withdrawConsent } from "#customers/update-customer.ts";
import { DAY_MS } from "#kernel/time.ts";

import { adaMensah, mug } from "../support/cast.ts";
import { rowsOf } from "../support/tables.ts";
import {
  as,
  contactsIn,
  MAGIC,
  openAccounts,
  orderOf,
  ordersSeen,
  sharedAccounts,
  signIn,
  tokenOf,
} from "./sign-in.ts";

const shared = sharedAccounts();

test("an unknown contact becomes a verified customer, and a known one stays who they are", async () => {
  const { shop } = shared;
  const { phone } = contactsIn(shop);
  const { id, name, email } = await adaMensah(shop);

  const known = await signIn(shop, { email });
  const fresh = await signIn(shop, { phone });

  expect(known.at("/customer")).toMatchObject({ id, name, phone_verified_at: null });
  expect(known.string("/customer/email_verified_at")).toBe("2026-01-05T08:00:00.000Z");
  expect(fresh.at("/customer")).toMatchObject({ phone, email: null });
  expect(fresh.string("/customer/phone_verified_at")).toBe("2026-01-05T08:00:00.000Z");
});

test("a customer sees the orders of a proved contact, whatever record they belong to", async () => {
  const { shop, key } = shared;
  const { email, phone, stranger } = contactsIn(shop);
  const { variantId } = await mug(shop);
  const place = async (customer: object) =>
    (await shop.post("/v2/orders", orderOf(variantId, customer), { key })).id;
  const guest = await place({ email: email.toUpperCase(), phone });
  const byPhone = await place({ phone });
  await place({ email: stranger });

  const emailToken = await tokenOf(shop, { email });
  const phoneToken = await tokenOf(shop, { phone });

  expect(await ordersSeen(shop, emailToken)).toEqual([guest]);
  expect(await ordersSeen(shop, phoneToken)).toEqual([byPhone, guest]);
  const page = await shop.get("/v2/me/orders?limit=1", as(phoneToken));
  const rest = await shop.get(
    `/v2/me/orders?limit=1&cursor=${page.string("/next_cursor")}`,
    as(phoneToken),
  );
  expect([page.at("/data/0/id"), rest.at("/data/0/id"), rest.at("/has_more")]).toEqual([
    byPhone,
    guest,
    false,
  ]);
  expect((await shop.get(`/v2/me/orders/${guest}`, as(emailToken))).at("/email")).toBe(email);
  expect((await shop.get(`/v2/me/orders/${byPhone}`, as(emailToken))).code).toBe("order_not_found");
});

test("somebody who named your phone first sees none of your orders, and keeps it no longer than until you prove it", async () => {
  const { shop, key } = shared;
  const { phone, stranger } = contactsIn(shop);
  const { variantId } = await mug(shop);
  await shop.post("/v2/customers", { email: stranger, phone, name: "Mallory" }, { key });
  const mallory = await tokenOf(shop, { email: stranger });
  const body = { ...orderOf(variantId, { phone }), shipping_address: { line1: "1 Home" } };
  const order = (await shop.post("/v2/orders", body, { key })).id;

  const before = await ordersSeen(shop, mallory);
  const victim = await signIn(shop, { phone });

  expect(before).toEqual([]);
  expect(victim.at("/customer")).toMatchObject({ email: null, name: null, phone });
  expect(await ordersSeen(shop, victim.string("/token"))).toEqual([order]);
  expect((await shop.get("/v2/me", as(mallory))).at("/phone")).toBeNull();
  expect(await ordersSeen(shop, mallory)).toEqual([]);
});

test("a customer changes what is theirs, and another contact only with its code", async () => {
  const { shop, key } = shared;
  const { email, phone } = contactsIn(shop);
  const token = await tokenOf(shop, { email });
  const options = { key, ...as(token) };
  const addresses = [{ line1: "1 Ring Road", city: "Accra", country: "GH" }];

  const named = await shop.put("/v2/me", { name: "Ada", addresses, email }, options);
  const unproved = await shop.put("/v2/me", { phone }, options);
  const wrong = await shop.put("/v2/me", { phone, code: "111111" }, options);
  await shop.post("/v2/customer-sessions/code", { phone }, { key });
  const proved = await shop.put("/v2/me", { phone, code: MAGIC }, options);

  expect(named.body).toMatchObject({ name: "Ada", addresses: [{ city: "Accra" }], email });
  expect(unproved.faults).toEqual(["#/code required"]);
  expect(wrong.code).toBe("code_invalid");
  expect(proved.body).toMatchObject({ email, phone });
  expect(proved.string("/phone_verified_at")).toBe("2026-01-05T08:00:00.000Z");
  expect((await signIn(shop, { phone })).at("/customer/id")).toBe(named.id);
});

test("a code never makes two customers one", async () => {
  const { shop, key } = shared;
  const { email, phone } = contactsIn(shop);
  await tokenOf(shop, { phone });
  const token = await tokenOf(shop, { email });
  await shop.post("/v2/customer-sessions/code", { phone });

  const refused = await shop.put("/v2/me", { phone, code: MAGIC }, { key, ...as(token) });

  expect(refused).toMatchObject({ status: 409, code: "customer_exists" });
  expect(refused.at("/existing_id")).toBeUndefined();
});

test("a contact that the merchant replaces is verified no more", async () => {
  const { shop } = shared;
  const { email, stranger } = contactsIn(shop);
  const { variantId } = await mug(shop);
  await shop.post("/v2/orders", orderOf(variantId, { email }));
  const signed = await signIn(shop, { email });
  const id = signed.string("/customer/id");

  await shop.put(`/v2/customers/${id}`, { email: stranger });

  const me = await shop.get("/v2/me", as(signed.string("/token")));
  expect(me.body).toMatchObject({ email: stranger, email_verified_at: null });
  expect(await ordersSeen(shop, signed.string("/token"))).toEqual([]);
});

test("a shop with a login of its own signs a customer in, and says what it has proved", async () => {
  const { shop } = shared;
  const { stranger } = contactsIn(shop);
  const { variantId } = await mug(shop);
  const { id, email } = await adaMensah(shop);
  const order = await shop.post("/v2/orders", orderOf(variantId, { email }));
  const mint = (body: object) => shop.post("/v2/customer-sessions", { customer_id: id, ...body });

  const unproved = await mint({});
  const proved = await mint({ email });

  expect(await ordersSeen(shop, proved.string("/token"))).toEqual([order.id]);
  expect((await shop.get("/v2/me", as(unproved.string("/token")))).status).toBe(401);
  expect(proved.string("/customer/email_verified_at")).toBe("2026-01-05T08:00:00.000Z");
  expect((await mint({ email: stranger })).faults).toEqual(["#/email unknown_customer"]);
  const reader = await shop.createKey({ scopes: ["customers:login"] });
  const body = { customer_id: id };
  expect((await shop.post("/v2/customer-sessions", body, { key: reader })).status).not.toBe(201);
});

test("a session ends when the customer signs out, when the merchant says so, and with the customer", async () => {
  await using opened = await openAccounts();
  const { shop, key } = opened;
  const { email } = contactsIn(shop);
  const first = await signIn(shop, { email });
  const id = first.string("/customer/id");
  const codeOf = async (token: string) =>
    (await shop.get("/v2/me", { key, ...as(token) })).at("/code");

  const out = first.string("/token");
  await shop.delete("/v2/customer-sessions/current", { key, ...as(out) });
  expect(await codeOf(out)).toBe("customer_session_invalid");
  const second = await tokenOf(shop, { email });
  await shop.delete(`/v2/customers/${id}/sessions`);
  expect(await codeOf(second)).toBe("customer_session_invalid");
  const third = await tokenOf(shop, { email });
  const exported = await shop.get(`/v2/customers/${id}/export`);
  expect(exported.at("/sessions")).toEqual([
    { created_at: "2026-01-05T08:00:00.000Z", expires_at: "2026-02-04T08:00:00.000Z" },
  ]);
  await shop.post("/v2/customer-sessions/code", { email });
  await shop.post(`/v2/customers/${id}/erase`);
  expect(await codeOf(third)).toBe("customer_session_invalid");
  expect(await codeOf("cst_nonsense")).toBe("customer_session_invalid");
  expect(await rowsOf(shop.test.database.read, customerSessions)).toEqual([]);
  expect(await rowsOf(shop.test.database.read, customerCodes)).toEqual([]);
});

test("a stored answer that has a token is emptied with its customer", async () => {
  const { shop, key } = shared;
  const { email } = contactsIn(shop);
  await shop.post("/v2/customer-sessions/code", { email }, { key });
  const give = () =>
    shop.post(
      "/v2/customer-sessions",
      { email, code: MAGIC },
      { key, headers: { "Idempotency-Key": "in" } },
    );
  const id = (await give()).string("/customer/id");

  await shop.post(`/v2/customers/${id}/erase`);

  expect((await give()).at("/customer")).toMatchObject({ email: null, name: null });
});

test("one customer is never answered what another one was", async () => {
  const { shop, key } = shared;
  const { email, stranger } = contactsIn(shop);
  const one = await tokenOf(shop, { email });
  const other = await tokenOf(shop, { email: stranger });
  const put = (token: string) =>
    shop.put(
      "/v2/me",
      { marketing_consent: true },
      { key, headers: { "Customer-Token": token, "Idempotency-Key": "same" } },
    );

  expect((await put(one)).at("/email")).toBe(email);
  expect((await put(one)).at("/email")).toBe(email);
  expect((await put(other)).code).toBe("idempotency_key_reused");
});

test("consent that was withdrawn for an email is given again only by who proved the email", async () => {
  const { shop, key } = shared;
  const { email, phone } = contactsIn(shop);
  const { variantId } = await mug(shop);
  await shop.test.database.write((tx) => withdrawConsent(tx, email));
  await shop.post("/v2/orders", orderOf(variantId, { email, phone }), { key });
  const agree = (token: string) =>
    shop.put("/v2/me", { marketing_consent: true }, { key, ...as(token) });

  const byPhone = await agree(await tokenOf(shop, { phone }));
  const isHeld = await hasWithdrawn(shop.test.database.read, email);
  const byEmail = await agree(await tokenOf(shop, { email }));

  expect(byPhone.faults).toEqual(["#/marketing_consent unverified_email"]);
  expect(isHeld).toBe(true);
  expect(byEmail.at("/marketing_consent")).toBe(true);
  expect(await hasWithdrawn(shop.test.database.read, email)).toBe(false);
});

test("a customer exports what is theirs with the key of a web page", async () => {
  const { shop, key } = shared;
  const { email } = contactsIn(shop);
  const { variantId } = await mug(shop);
  const body = { ...orderOf(variantId, { email }), metadata: { margin: "4" } };
  const order = await shop.post("/v2/orders", body);
  await shop.put(`/v2/orders/${order.id}/fulfill`, { tracking: { number: "RR123" } });
  const token = await tokenOf(shop, { email });

  const exported = await shop.get("/v2/me/export", { key, ...as(token) });

  expect(exported.at("/customer/email")).toBe(email);
  expect(exported.at("/orders/0")).toMatchObject({
    number: order.at("/number"),
    fulfillments: [{ tracking: { number: "RR123" } }],
  });
  expect(exported.text).not.toContain("margin");
  expect(exported.list("/sessions")).toHaveLength(1);
});

test("sessions and codes that have ended are deleted", async () => {
  await using opened = await openAccounts();
  const { shop } = opened;
  const { email, stranger } = contactsIn(shop);
  await tokenOf(shop, { email });
  shop.clock.advance(31 * DAY_MS);
  await tokenOf(shop, { email: stranger });

  await pruneSessionsJob([shop.test]).run();

  expect(await rowsOf(shop.test.database.read, customerSessions)).toHaveLength(1);
  expect(await rowsOf(shop.test.database.read, customerCodes)).toHaveLength(1);
});
