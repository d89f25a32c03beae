// Units that are told apart by their metadata cost what they cost together: random carts of the seed, with its code, its
// discount of many units, its taxes and its deliveries.

import { afterAll, beforeAll, expect, test } from "bun:test";

import fc from "fast-check";

import { runs, seedOfRun } from "../../support/runs.ts";
import { type Answered, openTestShop, type TestShop } from "../../support/shop.ts";
import { basket } from "../carts/basket.ts";
import { accra, must, reasonsOf, taxesOf, totalsOf } from "./priced-shop.ts";

let shop: TestShop;
let variants: readonly string[];
let options: readonly object[];

beforeAll(async () => {
  shop = await openTestShop({ asks: "nothing" });
  variants = must(await shop.post("/v2/test/seed", {}), 200)
    .list("/variants/ids")
    .map(String);
  const cart = await basket(shop, [{ variant_id: variants[0], quantity: 1 }], {
    shipping_address: accra,
  });
  options = cart.list("/shipping_options").map((one) => {
    const { id, kind } = Object(one);
    return kind === "pickup" ? { pickup_location_id: id } : { rate_id: id };
  });
});
afterAll(() => shop[Symbol.asyncDispose]());

/** A variant by its place, with the units of each of its lines. */
const goods = fc.tuple(
  fc.nat(),
  fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 }),
);
const carts = fc.record({
  goods: fc.array(goods, { minLength: 1, maxLength: 5 }),
  codes: fc.subarray(["AKWAABA10"]),
  option: fc.option(fc.nat()),
});

/** All that the customer is told of the price, but for the lines. */
function costOf(cart: Answered) {
  const amountsOf = (list: string) =>
    cart.list(list).map((one) => {
      const { title, label, amount_minor } = Object(one);
      return [title, label, amount_minor];
    });
  return {
    ...totalsOf(cart),
    taxes: taxesOf(cart),
    discounts: amountsOf("/discounts"),
    options: amountsOf("/shipping_options"),
    rejected: reasonsOf(cart),
  };
}

for (const included of [false, true]) {
  test(`a line that is split by metadata costs the same, with taxes ${included ? "in the prices" : "on top"}`, async () => {
    must(await shop.put("/v2/store", { prices_include_tax: included }), 200);

    await fc.assert(
      fc.asyncProperty(carts, async ({ goods: chosen, codes, option }) => {
        const terms = {
          discount_codes: codes,
          shipping_address: accra,
          shipping: option === null ? null : options[option % options.length],
        };
        const byVariant = new Map(
          chosen.map(([place, parts]) => [variants[place % variants.length], parts]),
        );
        const together = [...byVariant].map(([variant_id, parts]) => ({
          variant_id,
          quantity: parts.reduce((sum, units) => sum + units, 0),
        }));
        const apart = [...byVariant].flatMap(([variant_id, parts]) =>
          parts.map((quantity, part) => ({
            variant_id,
            quantity,
            metadata: { public_note: `${part}` },
          })),
        );

        const whole = must(await basket(shop, together, terms), 201);
        const split = must(await basket(shop, apart, terms), 201);

        expect(costOf(split)).toEqual(costOf(whole));
      }),
      { numRuns: runs(13), seed: seedOfRun() },
    );
  });
}
