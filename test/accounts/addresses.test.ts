// The saved addresses of customers who are signed in: what they keep, and whose word shows in their account.

import { describe, expect, test } from "bun:test";

import { as, contactsIn, MAGIC, orderOf, sharedAccounts, signIn, tokenOf } from "./sign-in.ts";

const shared = sharedAccounts();

const home = { line1: "1 Ring Road", city: "Accra", country: "GH" };
const work = { name: "Ada at work", line1: "4 High Street", city: "Kumasi", country: "GH" };

/** A customer whose address the merchant wrote, signed in by the shop's own login: they have proved no contact. */
async function signInByShop() {
  const { shop, key } = shared;
  const { email, stranger } = contactsIn(shop);
  const made = await shop.post("/v2/customers", { email, addresses: [home] });
  const minted = await shop.post("/v2/customer-sessions", { customer_id: made.id });
  return { email, stranger, made, minted, options: { key, ...as(minted.string("/token")) } };
}

describe("a customer who is signed in", () => {
  test("keeps addresses, the first of which is the default, as the merchant reads them", async () => {
    const { shop, key } = shared;
    const { email, stranger } = contactsIn(shop);
    const signed = await signIn(shop, { email });
    const options = { key, ...as(signed.string("/token")) };
    const put = (addresses: readonly object[], ifMatch = "*") =>
      shop.put(
        "/v2/me",
        { addresses },
        { key, headers: { ...options.headers, "If-Match": ifMatch } },
      );

    const added = await put([home, work]);
    const version = `"${added.number("/version")}"`;
    const arranged = await put([work, home], version);
    const late = await put([home], version);

    expect(late).toMatchObject({ status: 412, code: "stale_version" });
    expect(arranged.at("/addresses")).toMatchObject([work, home]);
    const record = await shop.get(`/v2/customers/${signed.string("/customer/id")}`);
    expect(record.at("/addresses")).toEqual(arranged.at("/addresses"));
    expect((await shop.get("/v2/me", options)).at("/addresses")).toEqual(record.at("/addresses"));
    const other = { key, ...as(await tokenOf(shop, { email: stranger })) };
    expect((await shop.get("/v2/me", other)).at("/addresses")).toEqual([]);
    const events = (await shop.announced()).map(({ event }) => event);
    expect(events.filter((event) => event === "customer.updated")).toHaveLength(2);
  });

  test("sends the whole of what they read back, with another name", async () => {
    const { shop, key } = shared;
    const { email } = contactsIn(shop);
    const options = { key, ...as(await tokenOf(shop, { email })) };
    const before = await shop.get("/v2/me", options);

    const changed = await shop.put("/v2/me", { ...Object(before.body), name: "Ada" }, options);
    const late = await shop.put("/v2/me", { ...Object(before.body), name: "Eve" }, options);

    expect([changed.status, changed.at("/name"), changed.at("/email")]).toEqual([
      200,
      "Ada",
      email,
    ]);
    expect(late.faults).toEqual(["#/version unknown_field"]);
  });

  test("reads every fault of an address at once, and nothing is changed", async () => {
    const { shop, key } = shared;
    const { email } = contactsIn(shop);
    const options = { key, ...as(await tokenOf(shop, { email })) };
    await shop.put("/v2/me", { addresses: [home] }, options);

    const addresses = [{ ...home, country: "Ghana" }, {}, { phone: "12" }];
    const refused = await shop.put("/v2/me", { addresses }, options);
    const many = await shop.put(
      "/v2/me",
      { addresses: Array.from({ length: 51 }, () => home) },
      options,
    );

    expect(refused.faults).toEqual([
      "#/addresses/0/country invalid_format",
      "#/addresses/1 too_few",
      "#/addresses/2/phone invalid_format",
    ]);
    expect(many.faults).toEqual(["#/addresses too_many"]);
    expect((await shop.get("/v2/me", options)).at("/addresses")).toMatchObject([home]);
  });
});

describe("who proves a contact", () => {
  test("finds no address that a stranger wrote for it, and keeps their own", async () => {
    const { shop, key } = shared;
    const { email, phone, stranger } = contactsIn(shop);
    const planted = { email: stranger, phone, addresses: [work] };
    await shop.post("/v2/customers", planted, { key });

    const owner = await signIn(shop, { phone });
    const options = { key, ...as(owner.string("/token")) };
    await shop.put("/v2/me", { addresses: [home] }, options);
    await shop.post("/v2/customer-sessions/code", { email });
    const proved = await shop.put("/v2/me", { email, code: MAGIC }, options);

    expect(owner.at("/customer/addresses")).toEqual([]);
    expect(proved.body).toMatchObject({ email, addresses: [home] });
    expect((await signIn(shop, { email: stranger })).at("/customer/addresses")).toEqual([]);
  });

  test("finds no address of a stranger whose record the merchant's order names, where the merchant still sees it", async () => {
    const { shop, key } = shared;
    const { email } = contactsIn(shop);
    await shop.post("/v2/customers", { email, addresses: [work] }, { key });
    const mug = await shop.post("/v2/products", { name: "Mug", price: 3, stock: 2 });
    const who = { email, name: "Ada Mensah" };

    await shop.post("/v2/orders", orderOf(mug.string("/variants/0/id"), who));
    const known = await shop.get(`/v2/customers?email=${email}`);
    const owner = await signIn(shop, { email });

    expect(known.at("/data/0")).toMatchObject({ ...who, unverified: true, addresses: [work] });
    expect(owner.at("/customer")).toMatchObject({ ...who, addresses: [] });
  });

  test("finds the addresses that the merchant wrote, which no session shows before", async () => {
    const { shop } = shared;
    const { email, minted, options } = await signInByShop();

    const seen = await shop.get("/v2/me", options);
    const exported = await shop.get("/v2/me/export", options);
    const change = { addresses: [work], marketing_consent: true };
    const refused = await shop.put("/v2/me", change, options);
    await shop.post("/v2/customer-sessions/code", { email });
    const proved = await shop.put("/v2/me", { email, code: MAGIC }, options);

    expect([minted.at("/customer/addresses"), seen.at("/addresses")]).toEqual([[], []]);
    expect(exported.at("/customer/addresses")).toEqual([]);
    expect(refused.faults).toEqual([
      "#/addresses unverified_contact",
      "#/marketing_consent unverified_email",
    ]);
    expect(proved.at("/addresses")).toMatchObject([home]);
  });

  test("of which the record says nothing is refused where the merchant wrote addresses", async () => {
    const { shop } = shared;
    const { stranger, made, options } = await signInByShop();
    await shop.post("/v2/customer-sessions/code", { email: stranger });
    const claim = { email: stranger, code: MAGIC };

    const refused = await shop.put("/v2/me", claim, options);
    await shop.put(`/v2/customers/${made.id}`, { addresses: [] });
    const taken = await shop.put("/v2/me", claim, options);

    expect(refused.faults).toEqual(["#/email unverified_contact"]);
    expect(taken.body).toMatchObject({ email: stranger, addresses: [] });
  });
});
