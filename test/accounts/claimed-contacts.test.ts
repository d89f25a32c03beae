// Contacts that a stranger wrote beside those of another person: what they do not open to the stranger.

import { expect, test } from "bun:test";

import { withdrawConsent } from "#customers/update-customer.ts";

import { sendDue } from "../emails/mail-shop.ts";
import { adaMensah, mug } from "../support/cast.ts";
import type { TestShop } from "../support/shop.ts";
import { as, contactsIn, MAGIC, orderOf, ordersSeen, sharedAccounts, tokenOf } from "./sign-in.ts";

const shared = sharedAccounts();

/** Who was sent emails, and what. */
async function mailed(shop: TestShop): Promise<string> {
  await sendDue(shop, "test");
  return (await shop.get("/v2/test/inbox?name=mail")).text;
}

test("an email that a stranger wrote beside your phone gets none about your orders", async () => {
  const { shop, key } = shared;
  const { phone, stranger } = contactsIn(shop);
  const { variantId } = await mug(shop);
  await shop.post("/v2/customers", { email: stranger, phone }, { key });

  const guest = await shop.post("/v2/orders", orderOf(variantId, { phone }), { key });
  const counter = await shop.post("/v2/orders", orderOf(variantId, { phone, name: "Esi" }));
  await tokenOf(shop, { phone });
  const signedIn = await shop.post("/v2/orders", orderOf(variantId, { phone }));

  const placed = [guest, counter, signedIn].map(({ id }) => shop.get(`/v2/orders/${id}`));
  const emails = (await Promise.all(placed)).map((one) => one.at("/customer/email"));
  expect(emails).toEqual([null, null, null]);
  expect(await mailed(shop)).not.toContain(stranger);
});

test("an order by phone is mailed to the email that the merchant wrote, or that was verified", async () => {
  const { shop, key } = shared;
  const { email, phone, stranger } = contactsIn(shop);
  const { variantId } = await mug(shop);
  const { phone: own } = contactsIn(shop);
  await shop.post("/v2/customers", { email, phone });
  await shop.post("/v2/customers", { email: stranger, phone: own }, { key });
  await tokenOf(shop, { email: stranger });

  await shop.post("/v2/orders", orderOf(variantId, { phone }), { key });
  await shop.post("/v2/orders", orderOf(variantId, { phone: own }), { key });

  const text = await mailed(shop);
  expect([text.includes(email), text.includes(stranger)]).toEqual([true, true]);
});

test("a stranger who orders with your phone and an email of their own is not told your name", async () => {
  const { shop, key } = shared;
  const { stranger } = contactsIn(shop);
  const { variantId } = await mug(shop);
  const { phone } = await adaMensah(shop);
  const customer = { email: stranger, phone };

  await shop.post("/v2/orders", orderOf(variantId, customer), { key });

  const text = await mailed(shop);
  expect(text).toContain(stranger);
  expect(text).not.toContain("Ada");
});

test("who signed in by the shop's word is signed out when someone proves the contact", async () => {
  const { shop, key } = shared;
  const { phone } = contactsIn(shop);
  const { phone: moved } = contactsIn(shop);
  const { variantId } = await mug(shop);
  const { id } = await shop.post("/v2/customers", { phone });
  const mint = async (body: object = {}) =>
    (await shop.post("/v2/customer-sessions", { customer_id: id, ...body })).string("/token");
  const isSignedIn = async (token: string) =>
    (await shop.get("/v2/me", { key, ...as(token) })).status === 200;
  await shop.post("/v2/orders", orderOf(variantId, { phone }));

  const stranger = await mint();
  const other = await mint();
  await shop.post("/v2/customer-sessions/code", { phone });
  await shop.put("/v2/me", { phone, code: MAGIC }, { key, ...as(other) });

  expect([await isSignedIn(stranger), await isSignedIn(other)]).toEqual([false, true]);
  const owner = await tokenOf(shop, { phone });
  expect([await isSignedIn(other), (await ordersSeen(shop, owner)).length]).toEqual([true, 1]);
  await shop.put(`/v2/customers/${id}`, { phone: moved });
  await tokenOf(shop, { phone: moved });
  expect(await isSignedIn(owner)).toBe(false);
});

test("consent for an email that was only claimed needs its code, since it lifts a withdrawal", async () => {
  const { shop, key } = shared;
  const { email, phone } = contactsIn(shop);
  await shop.test.database.write((tx) => withdrawConsent(tx, email));
  await shop.post("/v2/customers", { email, phone }, { key });
  const options = { key, ...as(await tokenOf(shop, { phone })) };

  const claimed = await shop.put("/v2/me", { marketing_consent: true }, options);
  await shop.post("/v2/customer-sessions/code", { email });
  const proof = { email, code: MAGIC, marketing_consent: true };

  expect(claimed.faults).toEqual(["#/marketing_consent unverified_email"]);
  expect((await shop.put("/v2/me", proof, options)).at("/marketing_consent")).toBe(true);
});
