// What a customer who is signed in sees and changes, and what the word of others does not open to them.

import { expect, test } from "bun:test";

import { hasWithdrawn } from "#customers/consent/lookups.ts";
import { withdrawConsent } from "#customers/consent/withdraw-consent.ts";
import { pruneSessionsJob } from "#customers/sessions/jobs.ts";
import { customerCodes, customerSessions } from "#customers/sessions/tables.ts";
import { DAY_MS } from "#kernel/time.ts";

import { ada, mug } from "../support/cast.ts";
import { rowsOf } from "../support/tables.ts";
import {
  as,
  EMAIL,
  MAGIC,
  openAccounts,
  orderOf,
  ordersSeen,
  PHONE,
  signIn,
  tokenOf,
} from "./sign-in.ts";

const OTHER = "mallory@example.com";

test("an unknown contact becomes a verified customer, and a known one stays who they are", async () => {
  await using opened = await openAccounts();
  const { shop } = opened;
  const id = await ada(shop);

  const known = await signIn(shop, { email: EMAIL });
  const fresh = await signIn(shop, { phone: PHONE });

  expect(known.at("/customer")).toMatchObject({ id, name: "Ada Mensah", phone_verified_at: null });
  expect(known.string("/customer/email_verified_at")).toBe("2026-01-05T08:00:00.000Z");
  expect(fresh.at("/customer")).toMatchObject({ phone: PHONE, email: null });
  expect(fresh.string("/customer/phone_verified_at")).toBe("2026-01-05T08:00:00.000Z");
});

test("a customer sees the orders of a proved contact, whatever record they belong to", async () => {
  await using opened = await openAccounts();
  const { shop, key } = opened;
  const { variantId } = await mug(shop);
  const place = async (customer: object) =>
    (await shop.post("/v2/orders", orderOf(variantId, customer), { key })).id;
  const guest = await place({ email: "Ada@Example.com", phone: PHONE });
  const byPhone = await place({ phone: PHONE });
  await place({ email: OTHER });

  const emailToken = await tokenOf(shop, { email: EMAIL });
  const phoneToken = await tokenOf(shop, { phone: PHONE });

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
  expect((await shop.get(`/v2/me/orders/${guest}`, as(emailToken))).at("/email")).toBe(EMAIL);
  expect((await shop.get(`/v2/me/orders/${byPhone}`, as(emailToken))).code).toBe("order_not_found");
});

test("somebody who named your phone first sees none of your orders, and keeps it no longer than until you prove it", async () => {
  await using opened = await openAccounts();
  const { shop, key } = opened;
  const { variantId } = await mug(shop);
  await shop.post("/v2/customers", { email: OTHER, phone: PHONE, name: "Mallory" }, { key });
  const mallory = await tokenOf(shop, { email: OTHER });
  const body = { ...orderOf(variantId, { phone: PHONE }), shipping_address: { line1: "1 Home" } };
  const order = (await shop.post("/v2/orders", body, { key })).id;

  const before = await ordersSeen(shop, mallory);
  const victim = await signIn(shop, { phone: PHONE });

  expect(before).toEqual([]);
  expect(victim.at("/customer")).toMatchObject({ email: null, name: null, phone: PHONE });
  expect(await ordersSeen(shop, victim.string("/token"))).toEqual([order]);
  expect((await shop.get("/v2/me", as(mallory))).at("/phone")).toBeNull();
  expect(await ordersSeen(shop, mallory)).toEqual([]);
});

test("a customer changes what is theirs, and another contact only with its code", async () => {
  await using opened = await openAccounts();
  const { shop, key } = opened;
  const token = await tokenOf(shop, { email: EMAIL });
  const options = { key, ...as(token) };
  const addresses = [{ line1: "1 Ring Road", city: "Accra", country: "GH" }];

  const named = await shop.put("/v2/me", { name: "Ada", addresses, email: EMAIL }, options);
  const unproved = await shop.put("/v2/me", { phone: PHONE }, options);
  const wrong = await shop.put("/v2/me", { phone: PHONE, code: "111111" }, options);
  await shop.post("/v2/customer-sessions/code", { phone: PHONE }, { key });
  const proved = await shop.put("/v2/me", { phone: PHONE, code: MAGIC }, options);

  expect(named.body).toMatchObject({ name: "Ada", addresses: [{ city: "Accra" }], email: EMAIL });
  expect(unproved.faults).toEqual(["#/code required"]);
  expect(wrong.code).toBe("code_invalid");
  expect(proved.body).toMatchObject({ email: EMAIL, phone: PHONE });
  expect(proved.string("/phone_verified_at")).toBe("2026-01-05T08:00:00.000Z");
  expect((await signIn(shop, { phone: PHONE })).at("/customer/id")).toBe(named.id);
});

test("a code never makes two customers one", async () => {
  await using opened = await openAccounts();
  const { shop, key } = opened;
  await tokenOf(shop, { phone: PHONE });
  const token = await tokenOf(shop, { email: EMAIL });
  await shop.post("/v2/customer-sessions/code", { phone: PHONE });

  const refused = await shop.put("/v2/me", { phone: PHONE, code: MAGIC }, { key, ...as(token) });

  expect(refused).toMatchObject({ status: 409, code: "customer_exists" });
  expect(refused.at("/existing_id")).toBeUndefined();
});

test("a contact that the merchant replaces is verified no more", async () => {
  await using opened = await openAccounts();
  const { shop } = opened;
  const { variantId } = await mug(shop);
  await shop.post("/v2/orders", orderOf(variantId, { email: EMAIL }));
  const signed = await signIn(shop, { email: EMAIL });
  const id = signed.string("/customer/id");

  await shop.put(`/v2/customers/${id}`, { email: OTHER });

  const me = await shop.get("/v2/me", as(signed.string("/token")));
  expect(me.body).toMatchObject({ email: OTHER, email_verified_at: null });
  expect(await ordersSeen(shop, signed.string("/token"))).toEqual([]);
});

test("a shop with a login of its own signs a customer in, and says what it has proved", async () => {
  await using opened = await openAccounts();
  const { shop } = opened;
  const { variantId } = await mug(shop);
  const id = await ada(shop);
  const order = await shop.post("/v2/orders", orderOf(variantId, { email: EMAIL }));
  const mint = (body: object) => shop.post("/v2/customer-sessions", { customer_id: id, ...body });

  const unproved = await mint({});
  const proved = await mint({ email: EMAIL });

  expect(await ordersSeen(shop, proved.string("/token"))).toEqual([order.id]);
  expect((await shop.get("/v2/me", as(unproved.string("/token")))).status).toBe(401);
  expect(proved.string("/customer/email_verified_at")).toBe("2026-01-05T08:00:00.000Z");
  expect((await mint({ email: OTHER })).faults).toEqual(["#/email unknown_customer"]);
  const reader = await shop.createKey({ scopes: ["customers:login"] });
  const body = { customer_id: id };
  expect((await shop.post("/v2/customer-sessions", body, { key: reader })).status).not.toBe(201);
});

test("a session ends when the customer signs out, when the merchant says so, and with the customer", async () => {
  await using opened = await openAccounts();
  const { shop, key } = opened;
  const first = await signIn(shop, { email: EMAIL });
  const id = first.string("/customer/id");
  const codeOf = async (token: string) =>
    (await shop.get("/v2/me", { key, ...as(token) })).at("/code");

  const out = first.string("/token");
  await shop.delete("/v2/customer-sessions/current", { key, ...as(out) });
  expect(await codeOf(out)).toBe("customer_session_invalid");
  const second = await tokenOf(shop, { email: EMAIL });
  await shop.delete(`/v2/customers/${id}/sessions`);
  expect(await codeOf(second)).toBe("customer_session_invalid");
  const third = await tokenOf(shop, { email: EMAIL });
  const exported = await shop.get(`/v2/customers/${id}/export`);
  expect(exported.at("/sessions")).toEqual([
    { created_at: "2026-01-05T08:00:00.000Z", expires_at: "2026-02-04T08:00:00.000Z" },
  ]);
  await shop.post("/v2/customer-sessions/code", { email: EMAIL });
  await shop.post(`/v2/customers/${id}/erase`);
  expect(await codeOf(third)).toBe("customer_session_invalid");
  expect(await codeOf("cst_nonsense")).toBe("customer_session_invalid");
  expect(await rowsOf(shop.test.database.read, customerSessions)).toEqual([]);
  expect(await rowsOf(shop.test.database.read, customerCodes)).toEqual([]);
});

test("a stored answer that has a token is emptied with its customer", async () => {
  await using opened = await openAccounts();
  const { shop, key } = opened;
  await shop.post("/v2/customer-sessions/code", { email: EMAIL }, { key });
  const give = () =>
    shop.post(
      "/v2/customer-sessions",
      { email: EMAIL, code: MAGIC },
      { key, headers: { "Idempotency-Key": "in" } },
    );
  const id = (await give()).string("/customer/id");

  await shop.post(`/v2/customers/${id}/erase`);

  expect((await give()).at("/customer")).toMatchObject({ email: null, name: null });
});

test("one customer is never answered what another one was", async () => {
  await using opened = await openAccounts();
  const { shop, key } = opened;
  const one = await tokenOf(shop, { email: EMAIL });
  const other = await tokenOf(shop, { email: OTHER });
  const put = (token: string) =>
    shop.put(
      "/v2/me",
      { marketing_consent: true },
      { key, headers: { "Customer-Token": token, "Idempotency-Key": "same" } },
    );

  expect((await put(one)).at("/email")).toBe(EMAIL);
  expect((await put(one)).at("/email")).toBe(EMAIL);
  expect((await put(other)).code).toBe("idempotency_key_reused");
});

test("consent that was withdrawn for an email is given again only by who proved the email", async () => {
  await using opened = await openAccounts();
  const { shop, key } = opened;
  const { variantId } = await mug(shop);
  await shop.test.database.write((tx) => withdrawConsent(tx, EMAIL));
  await shop.post("/v2/orders", orderOf(variantId, { email: EMAIL, phone: PHONE }), { key });
  const agree = (token: string) =>
    shop.put("/v2/me", { marketing_consent: true }, { key, ...as(token) });

  const byPhone = await agree(await tokenOf(shop, { phone: PHONE }));
  const isHeld = await hasWithdrawn(shop.test.database.read, EMAIL);
  const byEmail = await agree(await tokenOf(shop, { email: EMAIL }));

  expect(byPhone.faults).toEqual(["#/marketing_consent unverified_email"]);
  expect(isHeld).toBe(true);
  expect(byEmail.at("/marketing_consent")).toBe(true);
  expect(await hasWithdrawn(shop.test.database.read, EMAIL)).toBe(false);
});

test("a customer exports what is theirs with the key of a web page", async () => {
  await using opened = await openAccounts();
  const { shop, key } = opened;
  const { variantId } = await mug(shop);
  const body = { ...orderOf(variantId, { email: EMAIL }), metadata: { margin: "4" } };
  const order = await shop.post("/v2/orders", body);
  await shop.put(`/v2/orders/${order.id}/fulfill`, { tracking: { number: "RR123" } });
  const token = await tokenOf(shop, { email: EMAIL });

  const exported = await shop.get("/v2/me/export", { key, ...as(token) });

  expect(exported.at("/customer/email")).toBe(EMAIL);
  expect(exported.at("/orders/0")).toMatchObject({
    number: 1001,
    fulfillments: [{ tracking: { number: "RR123" } }],
  });
  expect(exported.text).not.toContain("margin");
  expect(exported.list("/sessions")).toHaveLength(1);
});

test("sessions and codes that have ended are deleted", async () => {
  await using opened = await openAccounts();
  const { shop } = opened;
  await tokenOf(shop, { email: EMAIL });
  shop.clock.advance(31 * DAY_MS);
  await tokenOf(shop, { email: OTHER });

  await pruneSessionsJob([shop.test]).run();

  expect(await rowsOf(shop.test.database.read, customerSessions)).toHaveLength(1);
  expect(await rowsOf(shop.test.database.read, customerCodes)).toHaveLength(1);
});
