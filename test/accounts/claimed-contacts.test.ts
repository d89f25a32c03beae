// Contacts that a stranger wrote beside those of another person: what they do not open to the stranger.

import { expect, test } from "bun:test";

import { withdrawConsent } from "#customers/consent/withdraw-consent.ts";

import { sendDue } from "../emails/mail-shop.ts";
import { ada, mug } from "../support/cast.ts";
import type { TestShop } from "../support/shop.ts";
import { as, EMAIL, MAGIC, openAccounts, orderOf, ordersSeen, PHONE, tokenOf } from "./sign-in.ts";

const STRANGER = "mallory@example.com";

/** Who was sent emails, and what. */
async function mailed(shop: TestShop): Promise<string> {
  await sendDue(shop, "test");
  return (await shop.get("/v2/test/inbox?name=mail")).text;
}

test("an email that a stranger wrote beside your phone gets none about your orders", async () => {
  await using opened = await openAccounts();
  const { shop, key } = opened;
  const { variantId } = await mug(shop);
  await shop.post("/v2/customers", { email: STRANGER, phone: PHONE }, { key });

  const guest = await shop.post("/v2/orders", orderOf(variantId, { phone: PHONE }), { key });
  const counter = await shop.post("/v2/orders", orderOf(variantId, { phone: PHONE, name: "Esi" }));
  await tokenOf(shop, { phone: PHONE });
  const signedIn = await shop.post("/v2/orders", orderOf(variantId, { phone: PHONE }));

  const placed = [guest, counter, signedIn].map(({ id }) => shop.get(`/v2/orders/${id}`));
  const emails = (await Promise.all(placed)).map((one) => one.at("/customer/email"));
  expect(emails).toEqual([null, null, null]);
  expect(await mailed(shop)).not.toContain(STRANGER);
});

test("an order by phone is mailed to the email that the merchant wrote, or that was verified", async () => {
  await using opened = await openAccounts();
  const { shop, key } = opened;
  const { variantId } = await mug(shop);
  const own = "+233551234981";
  await shop.post("/v2/customers", { email: EMAIL, phone: PHONE });
  await shop.post("/v2/customers", { email: STRANGER, phone: own }, { key });
  await tokenOf(shop, { email: STRANGER });

  await shop.post("/v2/orders", orderOf(variantId, { phone: PHONE }), { key });
  await shop.post("/v2/orders", orderOf(variantId, { phone: own }), { key });

  const text = await mailed(shop);
  expect([text.includes(EMAIL), text.includes(STRANGER)]).toEqual([true, true]);
});

test("a stranger who orders with your phone and an email of their own is not told your name", async () => {
  await using opened = await openAccounts();
  const { shop, key } = opened;
  const { variantId } = await mug(shop);
  await ada(shop);
  const customer = { email: STRANGER, phone: "+233201234567" };

  await shop.post("/v2/orders", orderOf(variantId, customer), { key });

  const text = await mailed(shop);
  expect(text).toContain(STRANGER);
  expect(text).not.toContain("Ada");
});

test("who signed in by the shop's word is signed out when someone proves the contact", async () => {
  await using opened = await openAccounts();
  const { shop, key } = opened;
  const { variantId } = await mug(shop);
  const { id } = await shop.post("/v2/customers", { phone: PHONE });
  const mint = async (body: object = {}) =>
    (await shop.post("/v2/customer-sessions", { customer_id: id, ...body })).string("/token");
  const isSignedIn = async (token: string) =>
    (await shop.get("/v2/me", { key, ...as(token) })).status === 200;
  await shop.post("/v2/orders", orderOf(variantId, { phone: PHONE }));

  const stranger = await mint();
  const other = await mint();
  await shop.post("/v2/customer-sessions/code", { phone: PHONE });
  await shop.put("/v2/me", { phone: PHONE, code: MAGIC }, { key, ...as(other) });

  expect([await isSignedIn(stranger), await isSignedIn(other)]).toEqual([false, true]);
  const owner = await tokenOf(shop, { phone: PHONE });
  expect([await isSignedIn(other), (await ordersSeen(shop, owner)).length]).toEqual([true, 1]);
  await shop.put(`/v2/customers/${id}`, { phone: "+233551234981" });
  await tokenOf(shop, { phone: "+233551234981" });
  expect(await isSignedIn(owner)).toBe(false);
});

test("consent for an email that was only claimed needs its code, since it lifts a withdrawal", async () => {
  await using opened = await openAccounts();
  const { shop, key } = opened;
  await shop.test.database.write((tx) => withdrawConsent(tx, EMAIL));
  await shop.post("/v2/customers", { email: EMAIL, phone: PHONE }, { key });
  const options = { key, ...as(await tokenOf(shop, { phone: PHONE })) };

  const claimed = await shop.put("/v2/me", { marketing_consent: true }, options);
  await shop.post("/v2/customer-sessions/code", { email: EMAIL });
  const proof = { email: EMAIL, code: MAGIC, marketing_consent: true };

  expect(claimed.faults).toEqual(["#/marketing_consent unverified_email"]);
  expect((await shop.put("/v2/me", proof, options)).at("/marketing_consent")).toBe(true);
});
