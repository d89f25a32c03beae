// The shop's own settings, which its rules start from.

import { expect, test } from "bun:test";

import { openTestShop } from "../../support/shop.ts";

test("a new shop has settings to start from", async () => {
  await using shop = await openTestShop();

  const store = await shop.get("/v2/store");

  expect(store.status).toBe(200);
  expect(store.body).toMatchObject({ currency: "USD", timezone: "UTC", version: 1 });
});

test("the merchant changes some settings and the others stay", async () => {
  await using shop = await openTestShop();

  const changed = await shop.put("/v2/store", { name: "Adwoa's", currency: "GHS" });

  expect(changed.status).toBe(200);
  expect(changed.body).toMatchObject({ name: "Adwoa's", currency: "GHS", version: 2 });
  expect((await shop.get("/v2/store")).body).toMatchObject({ timezone: "UTC", currency: "GHS" });
});

test("a time zone that nobody knows is refused with its place", async () => {
  await using shop = await openTestShop();

  const refused = await shop.put("/v2/store", { timezone: "Africa/Acra" });

  expect(refused.status).toBe(422);
  expect(refused.faults).toEqual(["#/timezone invalid_choice"]);
});

test("settings that were changed by somebody else are not overwritten", async () => {
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

test("the test shop and the live shop are one store with settings of their own", async () => {
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
