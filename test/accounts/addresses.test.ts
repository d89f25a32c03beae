// The saved addresses of customers who are signed in: what they keep, and whose word shows in their account.

import { describe, expect, test } from "bun:test";

import { as, EMAIL, MAGIC, openAccounts, orderOf, PHONE, signIn, tokenOf } from "./sign-in.ts";

const STRANGER = "mallory@example.com";
const home = { line1: "1 Ring Road", city: "Accra", country: "GH" };
const work = { name: "Ada at work", line1: "4 High Street", city: "Kumasi", country: "GH" };

/** A customer whose address the merchant wrote, signed in by the shop's own login: they have proved no contact. */
async function signInByShop({ shop, key }: Awaited<ReturnType<typeof openAccounts>>) {
  const made = await shop.post("/v2/customers", { email: EMAIL, addresses: [home] });
  const minted = await shop.post("/v2/customer-sessions", { customer_id: made.id });
  return { made, minted, options: { key, ...as(minted.string("/token")) } };
}

describe("a customer who is signed in", () => {
  test("keeps addresses, the first of which is the default, as the merchant reads them", async () => {
    await using opened = await openAccounts();
    const { shop, key } = opened;
    const signed = await signIn(shop, { email: EMAIL });
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
    const other = { key, ...as(await tokenOf(shop, { email: STRANGER })) };
    expect((await shop.get("/v2/me", other)).at("/addresses")).toEqual([]);
    const events = (await shop.announced()).map(({ event }) => event);
    expect(events.filter((event) => event === "customer.updated")).toHaveLength(2);
  });

  test("reads every fault of an address at once, and nothing is changed", async () => {
    await using opened = await openAccounts();
    const { shop, key } = opened;
    const options = { key, ...as(await tokenOf(shop, { email: EMAIL })) };
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
    await using opened = await openAccounts();
    const { shop, key } = opened;
    const planted = { email: STRANGER, phone: PHONE, addresses: [work] };
    await shop.post("/v2/customers", planted, { key });

    const owner = await signIn(shop, { phone: PHONE });
    const options = { key, ...as(owner.string("/token")) };
    await shop.put("/v2/me", { addresses: [home] }, options);
    await shop.post("/v2/customer-sessions/code", { email: EMAIL });
    const proved = await shop.put("/v2/me", { email: EMAIL, code: MAGIC }, options);

    expect(owner.at("/customer/addresses")).toEqual([]);
    expect(proved.body).toMatchObject({ email: EMAIL, addresses: [home] });
    expect((await signIn(shop, { email: STRANGER })).at("/customer/addresses")).toEqual([]);
  });

  test("finds no address of a stranger whose record the merchant's order names, where the merchant still sees it", async () => {
    await using opened = await openAccounts();
    const { shop, key } = opened;
    await shop.post("/v2/customers", { email: EMAIL, addresses: [work] }, { key });
    const mug = await shop.post("/v2/products", { name: "Mug", price: 3, stock: 2 });
    const who = { email: EMAIL, name: "Ada Mensah" };

    await shop.post("/v2/orders", orderOf(mug.string("/variants/0/id"), who));
    const known = await shop.get(`/v2/customers?email=${EMAIL}`);
    const owner = await signIn(shop, { email: EMAIL });

    expect(known.at("/data/0")).toMatchObject({ ...who, unverified: true, addresses: [work] });
    expect(owner.at("/customer")).toMatchObject({ ...who, addresses: [] });
  });

  test("finds the addresses that the merchant wrote, which no session shows before", async () => {
    await using opened = await openAccounts();
    const { shop } = opened;
    const { minted, options } = await signInByShop(opened);

    const seen = await shop.get("/v2/me", options);
    const exported = await shop.get("/v2/me/export", options);
    const change = { addresses: [work], marketing_consent: true };
    const refused = await shop.put("/v2/me", change, options);
    await shop.post("/v2/customer-sessions/code", { email: EMAIL });
    const proved = await shop.put("/v2/me", { email: EMAIL, code: MAGIC }, options);

    expect([minted.at("/customer/addresses"), seen.at("/addresses")]).toEqual([[], []]);
    expect(exported.at("/customer/addresses")).toEqual([]);
    expect(refused.faults).toEqual([
      "#/addresses unverified_contact",
      "#/marketing_consent unverified_email",
    ]);
    expect(proved.at("/addresses")).toMatchObject([home]);
  });

  test("of which the record says nothing is refused where the merchant wrote addresses", async () => {
    await using opened = await openAccounts();
    const { shop } = opened;
    const { made, options } = await signInByShop(opened);
    await shop.post("/v2/customer-sessions/code", { email: STRANGER });
    const claim = { email: STRANGER, code: MAGIC };

    const refused = await shop.put("/v2/me", claim, options);
    await shop.put(`/v2/customers/${made.id}`, { addresses: [] });
    const taken = await shop.put("/v2/me", claim, options);

    expect(refused.faults).toEqual(["#/email unverified_contact"]);
    expect(taken.body).toMatchObject({ email: STRANGER, addresses: [] });
  });
});
