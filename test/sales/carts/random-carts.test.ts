// Random requests for a cart: after each of them its total is the sum of its lines, its status
// follows the life table, and it is abandoned at most once for each checkout.

import { expect, test } from "bun:test";

import fc from "fast-check";

import { cartLife, type CartStatus, cartStatuses } from "#sales/rows/order-life.ts";

import { type Goods, kanga, mug } from "../../support/cast.ts";
import { runs } from "../../support/runs.ts";
import { type Answered, openTestShop, type TestShop } from "../../support/shop.ts";
import { of } from "../orders/counter.ts";
import { basket, change, checkout, complete, DAY_MS, HOUR_MS, later, readCart } from "./basket.ts";

type Step = (shop: TestShop, cart: Answered, goods: readonly [Goods, Goods]) => Promise<unknown>;

const quantities = fc.array(fc.nat({ max: 3 }), { minLength: 2, maxLength: 2 });
const steps: fc.Arbitrary<Step> = fc.oneof(
  quantities.map(([cups = 0, cloths = 0]): Step => (shop, cart, [cup, cloth]) => {
    const lines = [of(cup, cups), of(cloth, cloths)].filter(({ quantity }) => quantity > 0);
    return change(shop, cart, { line_items: lines });
  }),
  fc.constant<Step>((shop, cart) => checkout(shop, cart)),
  fc.constant<Step>((shop, cart) => complete(shop, cart, { payment_method: "bank_transfer" })),
  fc.constantFrom(HOUR_MS / 2, HOUR_MS, 31 * DAY_MS).map(
    (milliseconds): Step =>
      (shop) =>
        later(shop, milliseconds),
  ),
  fc.integer({ min: 0, max: 99_999 }).map((cents): Step => (shop, _, [cup]) => {
    const prices = [{ currency: "USD", amount: (cents / 100).toFixed(2) }];
    return shop.put(`/v2/products/${cup.productId}/variants/${cup.variantId}`, { prices });
  }),
);

test("a cart keeps its sums and its life under random requests", async () => {
  await using shop = await openTestShop();
  const goods = [
    await mug(shop, { stock: 100_000 }),
    await kanga(shop, { stock: 100_000 }),
  ] as const;

  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 15 }), async (walk) => {
      const cart = await basket(shop, [of(goods[0])]);
      await shop.announced();
      let status: CartStatus = "active";
      for (const step of walk) {
        await step(shop, cart, goods);
        const found = await readCart(shop, cart);
        expect(sumOfLines(found)).toBe(BigInt(found.number("/total_minor")));
        expect(reachable(status, found.string("/status"))).toBeTrue();
        status = cartStatuses.find((one) => one === found.at("/status")) ?? status;
      }

      const announced = await shop.announced();
      const names = announced
        .filter(({ data }) => Object(data).cart_id === cart.id)
        .map(({ event }) => event);
      const abandoned = names.filter((name) => name === "cart.abandoned").length;
      const checkouts = names.filter((name) =>
        /^(checkout.started|cart.recovered)$/.test(name),
      ).length;
      expect(abandoned).toBeLessThanOrEqual(checkouts);
    }),
    { numRuns: runs(5) },
  );
});

/** The exact sum in minor units, from the unit price and quantity of each line. */
function sumOfLines(cart: Answered): bigint {
  return cart.list("/line_items").reduce<bigint>((sum, _, index) => {
    const unitMinor = cart.at(`/line_items/${index}/unit_price_minor`);
    if (typeof unitMinor !== "number") return sum;
    return sum + BigInt(unitMinor) * BigInt(cart.number(`/line_items/${index}/quantity`));
  }, 0n);
}

/** Whether the table leads to the state in any number of steps: a month runs several timers. */
function reachable(from: CartStatus, to: string, seen: readonly string[] = []): boolean {
  if (from === to) return true;
  const next = Object.values<readonly [CartStatus, string | null]>(cartLife[from]);
  return next.some(([one]) => !seen.includes(one) && reachable(one, to, [...seen, from]));
}
