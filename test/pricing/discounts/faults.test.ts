// Requests for discounts that cannot be: each is refused with every fault at once, and changes nothing.

import { describe, expect, test } from "bun:test";

import { atOnce, statuses } from "../../support/at-once.ts";
import { openTestShop, sharedShop } from "../../support/shop.ts";
import { summer } from "./promotions.ts";

const shop = sharedShop();

const usd = (amount: number | string) => ({ currency: "USD", amount });
const noProduct = "prod_01h455vb4pex5vsknk084sn02q";
const noVariant = "var_01h455vb4pex5vsknk084sn02q";
const got = (percent: number) => ({
  buy: { quantity: 1, scope: {} },
  get: { quantity: 1, scope: null, percent },
});

describe("a discount is refused", () => {
  test.each([
    ["above 100 percent", { percent: 100.1 }, ["#/percent percent_invalid"]],
    ["below zero", { percent: -1 }, ["#/percent percent_invalid"]],
    ["of nothing", { percent: 0 }, ["#/percent percent_invalid"]],
    ["with five decimals", { percent: "7.12345" }, ["#/percent rate_precision"]],
    ["without terms", { percent: null }, ["#/percent required"]],
    ["with two kinds of terms", { amounts: [usd(5)] }, ["#/amounts conflicting_fields"]],
    ["per unit without amounts", { per: "unit" }, ["#/per conflicting_fields"]],
    [
      "per unit of the order",
      { percent: null, amounts: [usd(5)], per: "unit", target: "order" },
      ["#/per conflicting_fields"],
    ],
    [
      "with two amounts of one currency",
      { percent: null, amounts: [usd(5), usd(6)] },
      ["#/amounts/1/currency duplicate"],
    ],
    [
      "with an amount of zero",
      { percent: null, amounts: [usd(0)] },
      ["#/amounts/0/amount amount_too_small"],
    ],
    [
      "with more digits than the currency has",
      { percent: null, amounts: [usd("0.001")] },
      ["#/amounts/0/amount amount_precision"],
    ],
    [
      "that gives goods off the order",
      { percent: null, target: "order", buy_get: { ...got(50), buy: { quantity: 1 } } },
      ["#/target conflicting_fields"],
    ],
    ["with an empty scope", { scope: { tags: [] } }, ["#/scope scope_empty"]],
    [
      "of goods that do not exist",
      { scope: { product_ids: [noProduct], variant_ids: [noVariant] } },
      ["#/scope/product_ids/0 unknown_product", "#/scope/variant_ids/0 unknown_variant"],
    ],
    [
      "that ends before it starts",
      { starts_at: "2026-02-01T00:00:00Z", ends_at: "2026-02-01T00:00:00Z" },
      ["#/ends_at dates_backwards"],
    ],
    ["with a code twice", { codes: ["TEA", " tea"] }, ["#/codes/1 duplicate"]],
    ["with a code that is none", { codes: ["T%A"] }, ["#/codes/0 invalid_format"]],
    ["that is automatic and has a code", { automatic: true }, ["#/automatic conflicting_fields"]],
    [
      "with many faults, which are all named",
      {
        percent: null,
        buy_get: got(101),
        minimum: { amounts: [usd(0)] },
        starts_at: "2026-02-01T00:00:00Z",
        ends_at: "2026-01-01T00:00:00Z",
        codes: ["TEA", "tea"],
      },
      [
        "#/codes/1 duplicate",
        "#/buy_get/get/percent percent_invalid",
        "#/buy_get/buy/scope scope_empty",
        "#/minimum/amounts/0/amount amount_too_small",
        "#/ends_at dates_backwards",
      ],
    ],
  ])("%s", async (_, terms, faults) => {
    const before = await shop.get("/v2/discounts");

    const refused = await summer(shop, terms);

    expect([refused.status, refused.code]).toEqual([422, "validation_failed"]);
    expect(refused.faults).toEqual(faults);
    expect((await shop.get("/v2/discounts")).body).toEqual(before.body);
    expect(await shop.announced()).toEqual([]);
  });
});

describe("a change is refused", () => {
  test("that leaves fields which do not go together", async () => {
    const { id } = await summer(shop, { scope: { tags: ["tea"] } });

    const refused = await shop.put(`/v2/discounts/${id}`, {
      percent: null,
      buy_get: { ...got(50), buy: { quantity: 1 } },
    });

    expect(refused.faults).toEqual(["#/scope conflicting_fields"]);
    expect((await shop.get(`/v2/discounts/${id}`)).body).toMatchObject({
      target: "lines",
      version: 1,
    });
  });

  test("that makes a discount with codes automatic", async () => {
    const { id } = await summer(shop);

    const refused = await shop.put(`/v2/discounts/${id}`, { automatic: true });

    expect(refused.faults).toEqual(["#/automatic conflicting_fields"]);
  });
});

describe("of automatic discounts", () => {
  test("a shop has at most twenty that have not ended, also of many at once", async () => {
    await using shop = await openTestShop();

    const answers = await atOnce(22, () => summer(shop, { codes: [] }));

    expect(statuses(answers)).toEqual([...Array.from({ length: 20 }, () => 201), 422, 422]);
    const refused = answers.find(({ status }) => status === 422);
    expect(refused?.faults).toEqual(["#/automatic too_many_automatic"]);
  });

  test("an archived one makes room and comes back only where there is room", async () => {
    await using shop = await openTestShop();
    const answers = await atOnce(20, () => summer(shop, { codes: [] }));
    const path = `/v2/discounts/${answers[0]?.id}`;

    const archived = await shop.put(path, { archived: true });
    const other = await summer(shop, { codes: [] });
    const restored = await shop.put(path, { archived: false });

    expect([archived.status, other.status]).toEqual([200, 201]);
    expect(restored.faults).toEqual(["#/automatic too_many_automatic"]);
  });
});
