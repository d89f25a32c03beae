// The deposit of an order as a rule on plain data: when it is reached, what is missing to it, and what it stops.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { awaitsPayment, depositDueOf, dueOf, netOf, owedOf } from "#sales/rows/balance.ts";

import { unpaidOrder } from "./plain-orders.ts";

const amount = fc.nat({ max: Number.MAX_SAFE_INTEGER });

/** Any open order of which nothing has shipped, with any money. */
const anyOrder = fc
  .record({
    totalMinor: amount,
    creditedShare: fc.nat({ max: 100 }),
    writtenOffShare: fc.nat({ max: 100 }),
    paidMinor: amount,
    refundingMinor: amount,
    depositPercent: fc.integer({ min: 1, max: 100 }),
  })
  .map(({ creditedShare, writtenOffShare, ...given }) => {
    const creditedMinor = Math.floor(given.totalMinor / 100) * creditedShare;
    const leftMinor = given.totalMinor - creditedMinor;
    return {
      ...unpaidOrder,
      ...given,
      creditedMinor,
      writtenOffMinor: Math.floor(leftMinor / 100) * writtenOffShare,
      refundingMinor: Math.min(given.refundingMinor, given.paidMinor),
    };
  });

describe("the deposit of an order", () => {
  test("is reached when the percent of what is owed is paid, in whole numbers", () => {
    fc.assert(
      fc.property(anyOrder, (order) => {
        const isReached =
          BigInt(netOf(order)) * 100n >= BigInt(owedOf(order)) * BigInt(order.depositPercent);
        const isMissing = dueOf(order) > 0 && !isReached;

        expect(depositDueOf(order) > 0).toBe(isMissing);
        expect(awaitsPayment(order)).toBe(isMissing);
      }),
    );
  });

  test("is reached by exactly what is missing to it, and by nothing less", () => {
    fc.assert(
      fc.property(anyOrder, (order) => {
        const missingMinor = depositDueOf(order);
        fc.pre(missingMinor > 0 && Number.isSafeInteger(order.paidMinor + missingMinor));
        const paying = (minor: number) => ({ ...order, paidMinor: order.paidMinor + minor });

        expect(depositDueOf(paying(missingMinor))).toBe(0);
        expect(depositDueOf(paying(missingMinor - 1))).toBe(1);
      }),
    );
  });

  test("is never more than what is due, and all of it in a shop that asks for all", () => {
    fc.assert(
      fc.property(anyOrder, (order) => {
        expect(depositDueOf(order)).toBeLessThanOrEqual(dueOf(order));
        expect(depositDueOf({ ...order, depositPercent: 100 })).toBe(dueOf(order));
      }),
    );
  });

  test.each([
    // total, percent, what is missing
    [1000, 30, 300],
    [1001, 30, 301],
    [1, 1, 1],
    [0, 30, 0],
  ])("of %p at %p percent is %p, rounded up", (totalMinor, depositPercent, depositMinor) => {
    const order = { ...unpaidOrder, totalMinor, depositPercent };

    expect(depositDueOf(order)).toBe(depositMinor);
  });

  test.each([[{ status: "cancelled" }], [{ paidAt: 1 }], [{ writtenOffMinor: 100 }]] as const)(
    "is not due on an order with %j",
    (given) => {
      expect(depositDueOf({ ...unpaidOrder, depositPercent: 30, ...given })).toBe(0);
    },
  );
});
