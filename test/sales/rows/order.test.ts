// The rules of an order on plain data: its life, its fulfillment status, its allowed
// actions, and that its totals are the sums of its lines.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import type { Id } from "#kernel/id.ts";
import { arrow } from "#kernel/machine.ts";
import { isPrepaid, paymentMethods } from "#kernel/payment-method.ts";
import { Faults, Refusal } from "#kernel/refusal.ts";
import { agreedSale } from "#pricing/quote/agreed-sale.ts";
import { sumsOf } from "#pricing/quote/breakdown.ts";
import { priceLines, type VariantOnOffer } from "#pricing/quote/price-order.ts";
import { orderLife, orderStatuses } from "#sales/rows/order-life.ts";
import { forbidden, fulfillmentStatusOf, unitsByVariant } from "#sales/rows/order.ts";

import { unpaidOrder as order } from "../changing/plain-orders.ts";

describe("an order's life", () => {
  test.each([
    ["open", "complete", { next: "completed", event: null }],
    ["open", "cancel", { next: "cancelled", event: "order.cancelled" }],
    ["completed", "complete", null],
    ["completed", "cancel", null],
    ["open", "resume", null],
    ["completed", "resume", { next: "open", event: null }],
    ["cancelled", "complete", null],
    ["cancelled", "cancel", null],
    ["cancelled", "resume", null],
  ] as const)("from %s by %s", (from, action, next) => {
    expect(arrow(orderLife, from, action)).toEqual(next);
  });

  test("has a row for each status and no other", () => {
    expect(Object.keys(orderLife)).toEqual([...orderStatuses]);
  });

  test("is never left once it is cancelled", () => {
    const walk = fc.array(fc.constantFrom("complete", "resume", "cancel" as const), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(walk, (actions) => {
        const states = actions.reduce<readonly (typeof orderStatuses)[number][]>(
          (past, action) => {
            const from = past.at(-1) ?? "open";
            return [...past, arrow(orderLife, from, action)?.next ?? from];
          },
          ["open"],
        );

        const end = states.indexOf("cancelled");
        const after = end === -1 ? [] : states.slice(end);
        expect(new Set(after).size).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe("lines", () => {
  test.each([
    [[[2, 0, 0]], "unfulfilled"],
    [[[2, 1, 0]], "partially_fulfilled"],
    [[[2, 2, 0]], "fulfilled"],
    [[[2, 1, 1]], "fulfilled"],
    [[[2, 0, 1]], "unfulfilled"],
    [[[2, 0, 2]], "unfulfilled"],
    [[[2, 2, 0], [1, 0, 0]], "partially_fulfilled"], // prettier-ignore
    [[[2, 2, 0], [1, 0, 1]], "fulfilled"], // prettier-ignore
    [[[2, 0, 0], [1, 0, 0]], "unfulfilled"], // prettier-ignore
    [[[2, 2, 0], [1, 1, 0]], "fulfilled"], // prettier-ignore
  ] as const)("of which [quantity, fulfilled, cancelled] are %j make it %s", (rows, status) => {
    const lines = rows.map(([quantity, fulfilledQuantity, cancelledQuantity]) => ({
      quantity,
      fulfilledQuantity,
      cancelledQuantity,
    }));

    expect(fulfillmentStatusOf(lines)).toBe(status);
  });

  test("of one variant are summed, in the order of first appearance", () => {
    const [mug, kanga]: Id<"variant">[] = ["var_b", "var_a"];
    const lines = [
      { variantId: mug ?? "var_", quantity: 2 },
      { variantId: kanga ?? "var_", quantity: 1 },
      { variantId: mug ?? "var_", quantity: 3 },
    ];

    expect(unitsByVariant(lines)).toEqual([
      { variantId: "var_b", quantity: 5 },
      { variantId: "var_a", quantity: 1 },
    ]);
  });
});

describe("the allowed actions of an order", () => {
  const everything = ["fulfill", "cancel", "change_lines"];

  test.each([
    ["open", "unfulfilled", "unpaid", everything],
    ["open", "unfulfilled", "pending", ["fulfill", "cancel"]],
    ["open", "unfulfilled", "partially_paid", ["fulfill", "cancel"]],
    ["open", "unfulfilled", "paid", ["fulfill", "cancel"]],
    ["open", "unfulfilled", "refunded", ["fulfill", "cancel"]],
    [
      "open",
      "partially_fulfilled",
      "unpaid",
      ["fulfill", "cancel", "return", "cancel_fulfillment"],
    ],
    ["open", "fulfilled", "unpaid", ["return", "cancel_fulfillment"]],
    ["completed", "fulfilled", "paid", ["return", "cancel_fulfillment"]],
    ["cancelled", "unfulfilled", "unpaid", []],
  ] as const)("%s, %s and %s", (...row) => {
    const [status, fulfillmentStatus, paymentStatus, actions] = row;
    const inState = { ...order, status, fulfillmentStatus, paymentStatus };

    expect(forbidden(inState, "any").details.members).toMatchObject({ allowed: [...actions] });
  });

  test("are listed in the refusal of any other", () => {
    const refusal = forbidden({ ...order, fulfillmentStatus: "fulfilled" }, "cancel");

    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal.definition.code).toBe("invalid_transition");
    expect(refusal.details.members).toEqual({
      from: "open",
      action: "cancel",
      allowed: ["return", "cancel_fulfillment"],
    });
  });
});

test("only mobile money, card and gateway are paid before shipping", () => {
  expect(paymentMethods.filter(isPrepaid)).toEqual(["mobile_money", "card", "gateway"]);
});

describe("totals", () => {
  const variant: Id<"variant"> = "var_a";
  const offer = (amountMinor: number): VariantOnOffer => ({
    variantId: variant,
    productId: "prod_a",
    sku: null,
    name: "Mug",
    isForSale: true,
    shown: null,
    prices: [{ currency: "USD", amountMinor, compareAtMinor: null }],
    tags: [],
    taxClass: "standard",
    weightGrams: null,
    requiresShipping: true,
  });
  const lines = fc.array(
    fc.record({
      amountMinor: fc.nat(399_000),
      quantity: fc.integer({ min: 1, max: 1_000_000 }),
    }),
    { minLength: 1, maxLength: 100 },
  );

  test("are the sums of the lines and of shipping, to the unit", () => {
    fc.assert(
      fc.property(lines, fc.nat(40_000_000), (requests, shippingMinor) => {
        const faults = new Faults();
        const priced = requests.flatMap(({ amountMinor, quantity }) =>
          priceLines([{ variantId: variant, quantity }], new Map([[variant, offer(amountMinor)]]), {
            currency: "USD",
            faults,
          }),
        );
        const shipping = { label: null, amountMinor: shippingMinor };
        const { lines: agreed, totals } = agreedSale(priced, { quote: null, shipping });

        const exact = requests.reduce(
          (sum, line) => sum + BigInt(line.amountMinor) * BigInt(line.quantity),
          0n,
        );
        expect(BigInt(totals.subtotalMinor)).toBe(exact);
        expect(BigInt(totals.totalMinor)).toBe(exact + BigInt(shippingMinor));
        expect(agreed.every((line) => line.totalMinor === line.subtotalMinor)).toBe(true);
        expect(Number.isSafeInteger(totals.totalMinor)).toBe(true);
      }),
    );
  });

  test("of as many lines as can be, of the largest amount, are exact", () => {
    const largest = 40_000_000_000_000;

    const totals = sumsOf({ subtotalMinor: 100 * largest, shippingMinor: largest }, null);

    expect(Number.isSafeInteger(totals.totalMinor)).toBe(true);
    expect(BigInt(totals.totalMinor)).toBe(101n * 40_000_000_000_000n);
  });
});
