// The doors of test mode that need no key: they close once the shop sells.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { openTestShop, type TestShop } from "../support/shop.ts";
import { until } from "../support/until.ts";
import { endpoint, inbox, send, signed } from "./sending.ts";

/** Uses a live key, which is revoked afterwards. */
async function sell(shop: TestShop): Promise<void> {
  const key = await shop.createKey({ mode: "live" });
  await shop.get("/v2/products", { key });
  await until(async () => {
    const { data } = Object((await shop.get("/v2/keys", { key })).body);
    return data.some(({ last_used_at: at }: { last_used_at: unknown }) => at !== null);
  }, "the use of the key was not saved");
  const keys = await shop.get("/v2/keys", { key });
  await shop.delete(`/v2/keys/${keys.string("/data/0/id")}`, { key });
}

async function doorsOf(shop: TestShop) {
  const publishable = await shop.createKey({ scopes: ["storefront"] });
  const page = await fetch(`${shop.url}/v2/products`, {
    headers: { Origin: "null", Authorization: `Bearer ${publishable}` },
  });
  return {
    store: (await fetch(`${shop.url}/test/store`)).status,
    shop: (await fetch(`${shop.url}/test/shop`)).status,
    inbox: (await send(shop, "shop")).status,
    "pages of no origin": page.headers.get("access-control-allow-origin"),
  };
}

const open = { store: 200, shop: 200, inbox: 200, "pages of no origin": "null" };
const closed = { store: 404, shop: 404, inbox: 404, "pages of no origin": null };

test("a live key that was only made leaves the doors of test mode open", async () => {
  await using shop = await openTestShop();
  await shop.createKey({ mode: "live" });

  expect(await doorsOf(shop)).toEqual(open);
});

test("an operator can keep the doors of test mode open in a shop that sells", async () => {
  await using shop = await openTestShop({ settings: { DUKA_TEST_DOORS: "1" } });
  await sell(shop);

  expect(await doorsOf(shop)).toEqual(open);
});

describe("once a live key was used", () => {
  let shop: TestShop;
  let first: Awaited<ReturnType<typeof endpoint>>;

  beforeAll(async () => {
    shop = await openTestShop();
    first = await endpoint(shop);
    await sell(shop);
  });
  afterAll(() => shop[Symbol.asyncDispose]());

  test("the doors of test mode are closed, also after the key was revoked", async () => {
    expect(await doorsOf(shop)).toEqual(closed);
  });

  test("messages that a webhook of the shop signed still come in, and forged ones do not", async () => {
    const ours = await send(shop, "shop", { headers: signed(first.secret, { id: "evt_7" }) });
    const forged = await send(shop, "shop", { headers: signed("whsec_Zm9yZ2Vk", { id: "evt_8" }) });

    expect([ours.status, forged.status]).toEqual([200, 404]);
    expect((await inbox(shop)).list("/data")).toMatchObject([{ event_id: "evt_7" }]);
  });

  test("test keys work as before", async () => {
    expect((await shop.get("/v2/products")).status).toBe(200);
  });
});
