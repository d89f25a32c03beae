// Discounts over HTTP: what is answered and announced, and how they are listed, changed and deleted.

import { describe, expect, test } from "bun:test";

import { mug } from "../../support/cast.ts";
import { openTestShop, sharedShop } from "../../support/shop.ts";
import { buyWith, summer, summerCode } from "./promotions.ts";

const shop = sharedShop();

const HOUR_MS = 3_600_000;

describe("a new discount", () => {
  test("is answered with all its terms and announced", async () => {
    const cup = await mug(shop);
    await shop.announced();

    const made = await shop.post("/v2/discounts", {
      title: "Mugs",
      target: "lines",
      amounts: [
        { currency: "USD", amount: "2.50" },
        { currency: "KES", amount: 300 },
      ],
      per: "unit",
      scope: { product_ids: [cup.productId], tags: ["mug"] },
      minimum: { amounts: [{ currency: "USD", amount: 20 }], quantity: 2 },
      codes: [" mug-5 "],
      usage_limit: 100,
      per_customer_limit: 1,
      customer_tags: ["vip"],
      starts_at: "2026-01-01T00:00:00Z",
      ends_at: "2026-02-01T00:00:00Z",
      metadata: { campaign: "A" },
    });

    expect(made.status).toBe(201);
    expect(made.headers.get("location")).toBe(`/v2/discounts/${made.id}`);
    expect(made.body).toMatchObject({
      status: "active",
      percent: null,
      amounts: [
        { currency: "USD", amount: 2.5, amount_minor: 250 },
        { currency: "KES", amount: 300, amount_minor: 30_000 },
      ],
      per: "unit",
      buy_get: null,
      scope: { product_ids: [cup.productId], variant_ids: [], tags: ["mug"] },
      minimum: { amounts: [{ currency: "USD", amount_minor: 2000 }], quantity: 2 },
      automatic: false,
      code: "MUG-5",
      code_count: 1,
      stackable: false,
      usage_limit: 100,
      used_count: 0,
      per_customer_limit: 1,
      customer_tags: ["vip"],
      archived_at: null,
      version: 1,
    });
    expect(await shop.announced()).toEqual([{ event: "discount.created", data: made.body }]);
  });

  test("of two for three keeps what is bought and what is got", async () => {
    const buy_get = {
      buy: { quantity: 2, scope: null },
      get: {
        quantity: 1,
        scope: { product_ids: [], variant_ids: [], tags: ["tea"], collection_ids: [] },
        percent: 50.5,
      },
      times: 3,
    };

    const made = await summer(shop, { percent: null, buy_get });

    expect(made.at("/buy_get")).toEqual(buy_get);
  });

  test("without codes applies by itself", async () => {
    await using shop = await openTestShop();

    const made = await summer(shop, { codes: [] });

    expect(made.body).toMatchObject({ automatic: true, code: null, code_count: 0 });
  });

  test("of shipping is stackable unless the request says otherwise", async () => {
    const free = await summer(shop, { target: "shipping", percent: 100 });
    const alone = await summer(shop, { target: "shipping", stackable: false, codes: ["ALONE"] });

    expect([free.at("/stackable"), alone.at("/stackable")]).toEqual([true, false]);
  });

  test("may have fifty codes at once", async () => {
    const codes = Array.from({ length: 50 }, (_, index) => `CODE-${index}`);

    expect((await summer(shop, { codes })).at("/code_count")).toBe(50);
  });

  test("has the percentage that was sent, to four decimals", async () => {
    const made = await summer(shop, { percent: "9.9754" });

    expect(made.at("/percent")).toBe(9.9754);
  });
});

describe("the status of a discount", () => {
  test("follows the shop's time", async () => {
    await using shop = await openTestShop();
    const dates = { starts_at: "2026-01-05T09:00:00Z", ends_at: "2026-01-05T10:00:00Z" };
    const { id } = await summer(shop, dates);
    const status = async () => (await shop.get(`/v2/discounts/${id}`)).at("/status");

    const before = await status();
    shop.clock.advance(HOUR_MS);
    const during = await status();
    shop.clock.advance(HOUR_MS);

    expect([before, during, await status()]).toEqual(["scheduled", "active", "ended"]);
  });

  test("is exhausted once its last use is taken, which is announced once", async () => {
    const { id, code } = await summerCode(shop, { usage_limit: 1 });
    await shop.announced();

    await buyWith(shop, [code]);

    const found = await shop.get(`/v2/discounts/${id}`);
    expect(found.body).toMatchObject({ status: "exhausted", used_count: 1 });
    expect(await shop.announced()).toEqual([{ event: "discount.exhausted", data: found.body }]);
  });
});

describe("the list", () => {
  test("is filtered by status, by code and by whether a code is needed", async () => {
    await using shop = await openTestShop();
    const coded = await summer(shop);
    const automatic = await summer(shop, { codes: [] });
    const later = await summer(shop, { codes: ["LATER"], starts_at: "2027-01-01T00:00:00Z" });
    const ids = async (query: string) =>
      (await shop.get(`/v2/discounts${query}`)).list("/data").map((one) => Object(one).id);

    expect(await ids("")).toEqual([later.id, automatic.id, coded.id]);
    expect(await ids("?status=active")).toEqual([automatic.id, coded.id]);
    expect(await ids("?status=scheduled,ended")).toEqual([later.id]);
    expect(await ids("?automatic=true")).toEqual([automatic.id]);
    expect(await ids("?automatic=false&status=active")).toEqual([coded.id]);
    expect(await ids("?code=summer")).toEqual([coded.id]);
    expect(await ids("?code=nothing")).toEqual([]);
  });
});

describe("a change", () => {
  test("keeps what it does not name", async () => {
    const made = await summer(shop, { usage_limit: 5, minimum: { quantity: 2 } });
    await shop.announced();

    const changed = await shop.put(`/v2/discounts/${made.id}`, { title: "Winter" });

    expect(changed.body).toEqual({
      ...Object(made.body),
      title: "Winter",
      version: 2,
    });
    expect(await shop.announced()).toEqual([{ event: "discount.updated", data: changed.body }]);
  });

  test("to the same values writes and announces nothing", async () => {
    const made = await summer(shop);
    await shop.announced();
    const { title, target, percent, scope, minimum, automatic } = Object(made.body);
    const same = { title, target, percent, scope, minimum, automatic };

    const changed = await shop.put(`/v2/discounts/${made.id}`, same);

    expect(changed.at("/version")).toBe(1);
    expect(await shop.announced()).toEqual([]);
  });

  test("replaces a percentage by an amount", async () => {
    const { id } = await summer(shop);

    const changed = await shop.put(`/v2/discounts/${id}`, {
      amounts: [{ currency: "USD", amount: 5 }],
    });

    expect(changed.body).toMatchObject({ percent: null, per: "basket" });
    expect(changed.list("/amounts")).toHaveLength(1);
  });

  test("of another version than expected is refused", async () => {
    const { id } = await summer(shop);

    const stale = await shop.put(
      `/v2/discounts/${id}`,
      { title: "Winter" },
      { headers: { "If-Match": '"9"' } },
    );

    expect(stale.code).toBe("stale_version");
  });

  test("that sets a limit counts the uses that were made without one", async () => {
    const { id, code } = await summerCode(shop);
    await buyWith(shop, [code]);
    await buyWith(shop, [code]);

    const low = await shop.put(`/v2/discounts/${id}`, { usage_limit: 1 });
    const limited = await shop.put(`/v2/discounts/${id}`, { usage_limit: 2 });

    expect(low.faults).toEqual(["#/usage_limit out_of_range"]);
    expect(limited.body).toMatchObject({ used_count: 2, status: "exhausted" });
    expect(await buyWith(shop, [code])).toBe("exhausted");
  });

  test("archives a discount and restores it", async () => {
    const { id, code } = await summerCode(shop);
    await shop.announced();

    const archived = await shop.put(`/v2/discounts/${id}`, { archived: true });
    const refused = await buyWith(shop, [code]);
    const restored = await shop.put(`/v2/discounts/${id}`, { archived: false });

    expect(archived.at("/status")).toBe("archived");
    expect(refused).toBe("ended");
    expect(restored.body).toMatchObject({ status: "active", archived_at: null });
    const names = (await shop.announced()).map(({ event }) => event);
    expect(names).toEqual(["discount.archived", "discount.updated"]);
  });
});

describe("deleting", () => {
  test("an unused discount frees its codes", async () => {
    const { id, code } = await summerCode(shop);

    const deleted = await shop.delete(`/v2/discounts/${id}`);

    expect(deleted.status).toBe(204);
    expect((await shop.get(`/v2/discounts/${id}`)).code).toBe("discount_not_found");
    expect((await summer(shop, { codes: [code] })).status).toBe(201);
  });

  test("a discount that an order used is refused", async () => {
    const { id, code } = await summerCode(shop);
    await buyWith(shop, [code]);

    const refused = await shop.delete(`/v2/discounts/${id}`);

    expect([refused.status, refused.code]).toEqual([409, "discount_in_use"]);
    expect((await shop.get(`/v2/discounts/${id}`)).at("/used_count")).toBe(1);
  });
});
