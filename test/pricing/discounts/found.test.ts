// What a sale is offered: the discounts that may apply, why its other codes give none, and the form in which the
// calculation takes a discount.

import { describe, expect, test } from "bun:test";

import { isId } from "#kernel/id.ts";
import { candidateOf } from "#pricing/discount-uses/candidates.ts";
import type { DiscountSearch } from "#pricing/discount-uses/find-discounts.ts";

import { ada, kanga, mug } from "../../support/cast.ts";
import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";
import { buyWith, findNow, searchOf, summer, summerCode } from "./promotions.ts";

const shop = sharedShop();

async function found(shop: TestShop, search: DiscountSearch) {
  const { found: some, rejected } = await findNow(shop.test.database.read, search);
  const reasons = Object.fromEntries(rejected.map(({ code, reason }) => [code, reason]));
  return { codes: some.map(({ code }) => code), reasons };
}

function idOf(shop: TestShop, text: string) {
  if (!isId("customer", text)) throw new Error(`${text} is no customer of ${shop.url}.`);
  return text;
}

describe("a sale", () => {
  test("is offered automatic discounts and those of its codes, however they are typed", async () => {
    await using shop = await openTestShop();
    await summer(shop, { codes: [] });
    await summer(shop, { codes: [], starts_at: "2027-01-01T00:00:00Z" });
    await summer(shop);
    await summer(shop, { codes: ["TEA"] });

    const offered = await found(shop, searchOf(shop, [" summer", "SUMMER"]));

    expect(offered).toEqual({ codes: [null, "SUMMER"], reasons: {} });
  });

  test("is told of each code why it gives nothing", async () => {
    await summer(shop, { codes: ["LATER"], starts_at: "2027-01-01T00:00:00Z" });
    await summer(shop, { codes: ["OVER"], ends_at: "2026-01-01T00:00:00Z" });
    await summer(shop, { codes: ["GONE"], usage_limit: 1 });
    await buyWith(shop, ["GONE"]);
    const kes = [{ currency: "KES", amount: 100 }];
    await summer(shop, { codes: ["KENYA"], percent: null, amounts: kes });
    await summer(shop, { codes: ["MINIMUM"], minimum: { amounts: kes } });
    await summer(shop, { codes: ["VIP"], customer_tags: ["vip"] });
    await summer(shop, { codes: ["FIRST"], per_customer_limit: 1 });
    await summer(shop, { codes: ["ONE", "OTHER"] });
    const codes = ["NONE", "a b", "LATER", "OVER", "GONE", "KENYA", "MINIMUM", "VIP", "FIRST"];

    const offered = await found(shop, searchOf(shop, [...codes, "OTHER", "ONE"]));

    expect(offered).toEqual({
      codes: ["OTHER"],
      reasons: {
        NONE: "unknown",
        "a b": "unknown",
        LATER: "not_started",
        OVER: "ended",
        GONE: "exhausted",
        KENYA: "currency",
        MINIMUM: "currency",
        VIP: "customer_required",
        FIRST: "customer_required",
        ONE: "not_combinable",
      },
    });
  });

  test("has discounts for tags only where it is proved who buys", async () => {
    const { code } = await summerCode(shop, { customer_tags: ["vip", "staff"] });

    const other = await found(shop, searchOf(shop, [code], { tags: ["new"] }));
    const staff = await found(shop, searchOf(shop, [code], { tags: ["new", "staff"] }));

    expect(other.reasons).toEqual({ [code]: "customer_not_eligible" });
    expect(staff.codes).toEqual([code]);
  });

  test("of a public cart is not told what a customer used", async () => {
    const { code } = await summerCode(shop, { per_customer_limit: 1 });
    const id = idOf(shop, await ada(shop));
    await buyWith(shop, [code], id);

    const placed = await found(shop, searchOf(shop, [code], { id }));
    const inCart = await found(shop, searchOf(shop, [code], { id, hasLimits: false }));

    expect(placed.reasons).toEqual({ [code]: "used_by_customer" });
    expect(inCart.codes).toEqual([code]);
  });
});

describe("the calculation", () => {
  async function candidate(shop: TestShop, terms: Readonly<Record<string, unknown>>) {
    const cup = await mug(shop, { tags: ["kitchen"] });
    const cloth = await kanga(shop, { tags: ["cloth"] });
    const scopes = {
      scope: terms["scope"] === "mug" ? { variant_ids: [cup.variantId] } : terms["scope"],
    };
    const { code } = await summerCode(shop, { ...terms, ...scopes });
    const { found: some } = await findNow(shop.test.database.read, searchOf(shop, [code]));
    const lines = [
      { productId: null, variantId: null, tags: [] },
      { productId: cup.productId, variantId: cup.variantId, tags: ["kitchen"] },
      { productId: cloth.productId, variantId: cloth.variantId, tags: ["cloth"] },
    ].map(({ productId, variantId, tags }) => ({
      productId: productId !== null && isId("product", productId) ? productId : null,
      variantId: variantId !== null && isId("variant", variantId) ? variantId : null,
      tags,
    }));
    return some.map(({ discount }) => candidateOf(discount, lines, "USD"));
  }

  test.each([
    ["every line, also the merchant's own", null, [0, 1, 2]],
    ["the lines of a tag", { tags: ["cloth", "paper"] }, [2]],
    ["the lines of a variant", "mug", [1]],
    ["no line", { tags: ["paper"] }, []],
  ])("takes a percentage of %s", async (_, scope, lines) => {
    const [taken] = await candidate(shop, { scope });

    expect(taken).toMatchObject({
      target: "lines",
      isStackable: false,
      terms: { kind: "percent", millionths: 100_000 },
      lines,
      minimumSubtotalMinor: null,
      minimumQuantity: null,
    });
  });

  test("takes amounts and minimums in the currency of the sale", async () => {
    const amounts = (usd: number) => [
      { currency: "KES", amount: 1 },
      { currency: "USD", amount: usd },
    ];

    const [taken] = await candidate(shop, {
      percent: null,
      amounts: amounts(5),
      target: "order",
      minimum: { amounts: amounts(50), quantity: 3 },
    });

    expect(taken).toMatchObject({
      terms: { kind: "amount", amountMinor: 500, per: "basket" },
      minimumSubtotalMinor: 5000,
      minimumQuantity: 3,
    });
  });

  test("takes what is bought and what is got as lines, each eligible", async () => {
    const buy = { quantity: 2, scope: { tags: ["kitchen"] } };
    const get = { quantity: 1, scope: { tags: ["cloth"] }, percent: 100 };

    const [taken] = await candidate(shop, { percent: null, buy_get: { buy, get } });

    expect(taken).toMatchObject({
      terms: {
        kind: "buy_get",
        buy: { quantity: 2, lines: [1] },
        get: { quantity: 1, lines: [2], millionths: 1_000_000 },
        times: null,
      },
      lines: [1, 2],
    });
  });
});
