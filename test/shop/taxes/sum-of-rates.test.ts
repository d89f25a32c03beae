// The rates of one place and class together: a sale is never taxed more than it is worth, so no total grows beyond
// what a number holds exactly.

import { describe, expect, test } from "bun:test";

import { openTestShop, type TestShop } from "../../support/shop.ts";

const create = (shop: TestShop, fields: object) =>
  shop.post("/v2/tax-rates", { country: "GH", ...fields });

async function openInAccra(): Promise<TestShop> {
  const shop = await openTestShop();
  await shop.put("/v2/store", { country: "GH", timezone: "Africa/Accra" });
  return shop;
}

describe("the rates of a place and class", () => {
  test("come to a hundred percent at most", async () => {
    await using shop = await openInAccra();
    await create(shop, { name: "VAT", rate: 60 });

    const above = await create(shop, { name: "Levy", rate: "40.0001" });
    const whole = await create(shop, { name: "Levy", rate: 40 });

    expect([above.status, above.faults]).toEqual([422, ["#/rate out_of_range"]]);
    expect(whole.status).toBe(201);
    expect((await shop.get("/v2/tax-rates")).list("/data")).toHaveLength(2);
  });

  test("are not summed with those of another region or class", async () => {
    await using shop = await openInAccra();
    await create(shop, { name: "VAT", rate: 60 });

    const region = await create(shop, { name: "VAT", rate: 60, region: "Ashanti" });
    const food = await create(shop, { name: "Levy", rate: 60, tax_class: "food" });

    expect([region.status, food.status]).toEqual([201, 201]);
  });

  test("may each be high where one follows the other", async () => {
    await using shop = await openInAccra();
    const vat = await create(shop, { name: "VAT", rate: 60 });
    await shop.put(`/v2/tax-rates/${vat.id}`, { valid_until: "2026-02-01" });

    const next = await create(shop, { name: "Levy", rate: 60, valid_from: "2026-02-01" });
    const endless = await shop.put(`/v2/tax-rates/${vat.id}`, { valid_until: null });

    expect(next.status).toBe(201);
    expect([endless.status, endless.faults]).toEqual([422, ["#/valid_until out_of_range"]]);
    const [ended] = (await shop.get("/v2/tax-rates?active_at=2026-01-06")).list("/data");
    expect(ended).toMatchObject({ valid_until: "2026-02-01T00:00:00.000Z" });
  });

  test("count with a rate that begins later", async () => {
    await using shop = await openInAccra();
    await create(shop, { name: "Levy", rate: 60, valid_from: "2026-02-01" });

    const early = await create(shop, { name: "VAT", rate: 60 });

    expect(early.faults).toEqual(["#/rate out_of_range"]);
  });

  test("leave no room for a preset that would come on top", async () => {
    await using shop = await openInAccra();
    await create(shop, { name: "Duty", rate: 81, valid_from: "2026-01-01" });

    const refused = await shop.post("/v2/tax-rates/presets", { country: "GH" });

    expect([refused.status, refused.faults]).toEqual([422, ["#/country out_of_range"]]);
    expect((await shop.get("/v2/tax-rates")).list("/data")).toHaveLength(1);
  });
});
