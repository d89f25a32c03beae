// The shop's settings over HTTP.

import { expect, test } from "bun:test";

import { openTestShop, sharedShop } from "../../support/shop.ts";

const shop = sharedShop();

test("a new shop has default settings", async () => {
  const store = await shop.get("/v2/store");

  expect(store.status).toBe(200);
  expect(store.body).toMatchObject({ currency: "USD", timezone: "UTC", version: 1 });
});

test("a change of some settings keeps the others", async () => {
  await using shop = await openTestShop();

  const changed = await shop.put("/v2/store", { name: "Adwoa's", currency: "GHS" });

  expect(changed.status).toBe(200);
  expect(changed.body).toMatchObject({ name: "Adwoa's", currency: "GHS", version: 2 });
  expect((await shop.get("/v2/store")).body).toMatchObject({ timezone: "UTC", currency: "GHS" });
});

test.each([["Africa/Acra"], ["+01:00"], ["-00:07"]])(
  "%s is no time zone and is refused at its pointer",
  async (timezone) => {
    const refused = await shop.put("/v2/store", { timezone });

    expect(refused.status).toBe(422);
    expect(refused.faults).toEqual(["#/timezone invalid_choice"]);
  },
);

test.each([["ZZ"], ["XX"], ["UK"], ["EU"], ["SU"]])(
  "the unknown country %s is refused at its pointer",
  async (country) => {
    const refused = await shop.put("/v2/store", { country });

    expect([refused.status, refused.faults]).toEqual([422, ["#/country invalid_choice"]]);
  },
);

test("phones are read as people of the store's country write them", async () => {
  await using shop = await openTestShop();
  const written = { phone: "055 123 4987" };
  const before = await shop.post("/v2/customers", written);

  await shop.put("/v2/store", { country: "GH" });

  const made = await shop.post("/v2/customers", { ...written, addresses: [written] });
  expect([before.status, before.faults]).toEqual([422, ["#/phone invalid_format"]]);
  expect([made.at("/phone"), made.at("/addresses/0/phone")]).toEqual([
    "+233551234987",
    "+233551234987",
  ]);
});

test("an email keeps its domain in ASCII, and finds its customer however it is written", async () => {
  const made = await shop.post("/v2/customers", { email: "ä@müller.de" });

  const again = await shop.post("/v2/customers", { email: "Ä@xn--mller-kva.de" });
  expect([made.status, made.at("/email")]).toEqual([201, "ä@xn--mller-kva.de"]);
  expect([again.status, again.at("/existing_id")]).toEqual([409, made.id]);
});

test("a change of an outdated version of the settings is refused", async () => {
  await using shop = await openTestShop();
  const before = await shop.get("/v2/store");
  await shop.put("/v2/store", { name: "First" });

  const refused = await shop.put(
    "/v2/store",
    { name: "Second" },
    {
      headers: { "If-Match": before.headers.get("etag") ?? "" },
    },
  );

  expect(refused.status).toBe(412);
  expect(refused.body).toMatchObject({ code: "stale_version", current_version: 2 });
});

test("test mode and live mode share the store's id and have separate settings", async () => {
  await using shop = await openTestShop();
  const live = await shop.createKey({ mode: "live" });
  await shop.put("/v2/store", { name: "Sandbox" });

  const [ofTest, ofLive] = [
    await shop.get("/v2/store"),
    await shop.get("/v2/store", { key: live }),
  ];

  expect(ofLive.id).toBe(ofTest.id);
  expect(ofLive.at("/name")).toBe("My shop");
});

test("a new shop asks for all of an order at once, and has a week for money in review", async () => {
  expect((await shop.get("/v2/store")).body).toMatchObject({
    deposit_percent: 100,
    review_days: 7,
  });
});

test.each([
  [{ deposit_percent: 0 }, "#/deposit_percent too_small"],
  [{ deposit_percent: 101 }, "#/deposit_percent too_large"],
  [{ review_days: 0 }, "#/review_days too_small"],
  [{ review_days: 61 }, "#/review_days too_large"],
])("settings of %j are refused", async (body, fault) => {
  const refused = await shop.put("/v2/store", body);

  expect([refused.status, refused.faults]).toEqual([422, [fault]]);
});

test.each([
  ["logo_url", "http://pictures.example/logo.png"],
  ["logo_url", "https://pictures.example/folder/"],
  ["logo_url", "javascript:alert(1)"],
  ["brand_color", "red"],
  ["brand_color", "#12345"],
  ["locale", "not a locale"],
  ["locale", "xx-GH"],
  ["website_url", "javascript:alert(1)"],
  ["contact_email", "help"],
  ["contact_phone", "1"],
])("a %s such as %s is refused at its pointer", async (field, value) => {
  const refused = await shop.put("/v2/store", { [field]: value });

  expect([refused.status, refused.faults.map((fault) => fault.split(" ")[0])]).toEqual([
    422,
    [`#/${field}`],
  ]);
  expect((await shop.get("/v2/store")).number("/version")).toBe(1);
});
