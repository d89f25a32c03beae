// The rules of an order's money on plain data: the payment status, what is due, the shares of units, and the sale.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import type { TaxLine } from "#pricing/calculation/sale.ts";
import type { Breakdown } from "#pricing/quote/breakdown.ts";
import {
  becomesPaid,
  dueOf,
  isDone,
  overpaidOf,
  paymentStatusOf,
  saleRefundedMinor,
  unneededOf,
  writtenOffOf,
} from "#sales/rows/balance.ts";
import { paymentStatuses } from "#sales/rows/order-life.ts";
import type { OrderLine } from "#sales/rows/order.ts";
import { creditedOf, paidSaleOf, saleOf } from "#sales/rows/sale.ts";

import { plainLine, unpaidOrder } from "../changing/plain-orders.ts";

describe("an order of 100", () => {
  test.each([
    // what happened, payment status, due
    [{}, "unpaid", 100],
    [{ openAttempts: 1 }, "pending", 100],
    [{ paymentsInReview: 1, openAttempts: 1 }, "review", 100],
    [{ paidMinor: 40 }, "partially_paid", 60],
    [{ paidMinor: 40, openAttempts: 1 }, "partially_paid", 60],
    [{ paidMinor: 40, paymentsInReview: 1 }, "review", 60],
    [{ paidMinor: 40, refundingMinor: 40 }, "unpaid", 100],
    [{ paidMinor: 40, refundingMinor: 40, refundedMinor: 40 }, "unpaid", 100],
    [{ paidMinor: 100, paidAt: 1 }, "paid", 0],
    [{ paidMinor: 100, paidAt: 1, openAttempts: 2 }, "paid", 0],
    [{ paidMinor: 130, paidAt: 1 }, "overpaid", 0],
    [{ paidMinor: 130, refundingMinor: 30, paidAt: 1 }, "paid", 0],
    [{ paidMinor: 100, refundingMinor: 10, refundedMinor: 10, paidAt: 1 }, "partially_refunded", 0],
    [{ paidMinor: 100, refundingMinor: 100, refundedMinor: 100, paidAt: 1 }, "refunded", 0],
    [{ paidMinor: 100, refundingMinor: 100, paidAt: 1 }, "paid", 0],
    [{ paidMinor: 60, creditedMinor: 40, paidAt: 1 }, "paid", 0],
    [{ paidMinor: 60, creditedMinor: 50 }, "overpaid", 0],
    [{ paidMinor: 60, creditedMinor: 50, keptMinor: 10 }, "paid", 0],
    [{ writtenOffMinor: 100 }, "unpaid", 0],
    [{ status: "cancelled" }, "unpaid", 0],
    [{ status: "cancelled", openAttempts: 1 }, "unpaid", 0],
    [{ status: "cancelled", paymentsInReview: 1 }, "review", 0],
  ] as const)("with %j is %s with %p due", (given, status, due) => {
    const order = { ...unpaidOrder, ...given };

    expect([paymentStatusOf(order), dueOf(order)]).toEqual([status, due]);
  });
});

test("an order with a total of zero is paid, whatever attempts are open", () => {
  const free = { ...unpaidOrder, totalMinor: 0, subtotalMinor: 0 };

  expect(becomesPaid(free)).toBe(true);
  expect(paymentStatusOf({ ...free, paidAt: 1 })).toBe("paid");
  expect(paymentStatusOf({ ...free, paidAt: 1, openAttempts: 1 })).toBe("paid");
});

test("every payment status can be reached", () => {
  const orders = [0, 40, 100, 130].flatMap((paidMinor) =>
    [0, 10, paidMinor]
      .filter((refundedMinor) => refundedMinor <= paidMinor)
      .flatMap((refundedMinor) =>
        [0, 1].flatMap((openAttempts) =>
          [0, 1].map((paymentsInReview) => ({
            ...unpaidOrder,
            paidMinor,
            refundedMinor,
            refundingMinor: refundedMinor,
            openAttempts,
            paymentsInReview,
            paidAt: paidMinor >= 100 ? 1 : null,
          })),
        ),
      ),
  );

  const reached = orders.map((order) => paymentStatusOf(order));

  expect([...new Set(reached)].toSorted()).toEqual([...paymentStatuses].toSorted());
});

/** Any money of an order of a hundred, as its rows may hold it. */
const money = fc
  .record({
    creditedMinor: fc.nat(100),
    keptMinor: fc.nat(50),
    wantedMinor: fc.nat(150),
    paidMinor: fc.nat(200),
    refundShare: fc.nat(100),
    isPaid: fc.boolean(),
    status: fc.constantFrom("open", "cancelled" as const),
  })
  .map(({ wantedMinor, refundShare, isPaid, ...given }) => {
    const refundingMinor = Math.floor((given.paidMinor * refundShare) / 100);
    const order = { ...unpaidOrder, ...given, refundingMinor, paidAt: isPaid ? 1 : null };
    return { ...order, writtenOffMinor: writtenOffOf({ ...order, writtenOffMinor: wantedMinor }) };
  });

test("a write-off never makes an order overpaid, and never exceeds what would be due", () => {
  fc.assert(
    fc.property(money, (order) => {
      const without = { ...order, writtenOffMinor: 0 };

      expect(order.writtenOffMinor).toBeGreaterThanOrEqual(0);
      expect(overpaidOf(order)).toBe(overpaidOf(without));
      expect(order.writtenOffMinor).toBeLessThanOrEqual(
        dueOf({ ...without, status: "open", paidAt: null }),
      );
    }),
  );
});

test("an order is never overpaid while something is due", () => {
  fc.assert(
    fc.property(money, (order) => {
      expect(Math.min(dueOf(order), overpaidOf(order))).toBe(0);
    }),
  );
});

test("money that comes is needed, takes a write-off back, or is returned, and what is due stays filled", () => {
  fc.assert(
    fc.property(money, fc.integer({ min: 1, max: 200 }), (before, receivedMinor) => {
      const paid = { ...before, paidMinor: before.paidMinor + receivedMinor };
      const after = { ...paid, writtenOffMinor: writtenOffOf(paid) };

      const unneededMinor = unneededOf(receivedMinor, { before, after });

      expect(unneededMinor).toBeGreaterThanOrEqual(0);
      expect(unneededMinor).toBeLessThanOrEqual(receivedMinor);
      const kept = { ...after, refundingMinor: after.refundingMinor + unneededMinor };
      if (before.paidAt === null) expect(overpaidOf(kept)).toBeLessThanOrEqual(overpaidOf(before));
      if (dueOf(before) === 0 && before.writtenOffMinor === 0) {
        expect(unneededMinor).toBe(receivedMinor);
      }
      expect(dueOf(kept)).toBe(Math.max(0, dueOf(before) - receivedMinor));
    }),
  );
});

test("an order becomes paid with money only, or for nothing, and only once", () => {
  fc.assert(
    fc.property(money, (order) => {
      if (!becomesPaid(order)) return;
      expect(dueOf(order)).toBe(0);
      expect(order.paidMinor - order.refundingMinor).toBeGreaterThan(0);
      expect(becomesPaid({ ...order, paidAt: 1 })).toBe(false);
      expect(becomesPaid({ ...order, status: "cancelled" })).toBe(false);
    }),
  );
});

describe("an order is done", () => {
  test.each([
    ["fulfilled", { paidMinor: 100 }, true],
    ["fulfilled", { paidMinor: 130 }, true],
    ["fulfilled", { paidMinor: 99 }, false],
    ["fulfilled", { paidMinor: 99, writtenOffMinor: 1 }, true],
    ["fulfilled", { creditedMinor: 100 }, true],
    ["partially_fulfilled", { paidMinor: 100 }, false],
    ["unfulfilled", { paidMinor: 100 }, false],
  ] as const)("%s with %j: %p", (fulfillmentStatus, given, expected) => {
    expect(isDone({ ...unpaidOrder, fulfillmentStatus, ...given })).toBe(expected);
  });
});

/** A line with discount and tax, of which some units are credited. */
const line = fc
  .record({
    quantity: fc.integer({ min: 1, max: 7 }),
    unitPriceMinor: fc.nat(1_000),
    discountShare: fc.nat(100),
    taxMinor: fc.nat(300),
    cancelledShare: fc.nat(100),
    returnedShare: fc.nat(100),
    shippedShare: fc.nat(100),
  })
  .map(({ quantity, unitPriceMinor, discountShare, taxMinor, ...shares }) => {
    const cancelledQuantity = Math.floor((quantity * shares.cancelledShare) / 100);
    const fulfilledQuantity = Math.floor(
      ((quantity - cancelledQuantity) * shares.shippedShare) / 100,
    );
    return plainLine({
      quantity,
      unitPriceMinor,
      discountMinor: Math.floor((quantity * unitPriceMinor * discountShare) / 100),
      taxMinor,
      cancelledQuantity,
      fulfilledQuantity,
      returnedQuantity: Math.floor((fulfilledQuantity * shares.returnedShare) / 100),
    });
  });
const lines = fc
  .array(line, { minLength: 1, maxLength: 4 })
  .map((given) => given.map((one, position) => ({ ...one, position })));

/** One rate on top, of which each line has the tax that it has. */
function taxedAs(given: readonly OrderLine[]): Breakdown {
  const byLine = given.map((one) => ({
    taxableMinor: one.subtotalMinor - one.discountMinor,
    amountMinor: one.taxMinor,
  }));
  const tax: TaxLine = {
    rate: { name: "VAT", country: "GH", region: null, millionths: 150_000 },
    taxClass: "standard",
    isIncluded: false,
    taxableMinor: byLine.reduce((sum, share) => sum + share.taxableMinor, 0),
    amountMinor: byLine.reduce((sum, share) => sum + share.amountMinor, 0),
    byLine,
    shipping: { taxableMinor: 0, amountMinor: 0 },
  };
  return {
    codes: [],
    discounts: [],
    taxes: [tax],
    taxTerms: {
      isIncluded: false,
      shippingTax: "none",
      exemption: "none",
      country: "GH",
      region: null,
      rates: [],
    },
    taxClasses: given.map(() => "standard"),
    shipping: { optionId: null, discountMinor: 0, taxMinor: 0, includedTaxMinor: 0 },
    sold: null,
  };
}

test("what is sold and what is credited add up to the order, and the sale's totals to its own", () => {
  fc.assert(
    fc.property(lines, fc.nat(500), (given, shippingMinor) => {
      const totalMinor = given.reduce((sum, one) => sum + one.totalMinor, shippingMinor);
      const order = { shippingMinor, breakdown: taxedAs(given) };
      const { lines: sold, totals, breakdown } = saleOf(order, given);

      expect(totals.totalMinor + creditedOf(order, given)).toBe(totalMinor);
      expect(breakdown?.taxes[0]?.amountMinor).toBeLessThanOrEqual(totals.taxMinor);
      const paid = paidSaleOf(order, given);
      expect(paid.totals).toEqual(totals);
      expect(paid.breakdown?.taxes[0]?.amountMinor).toBe(totals.taxMinor);
      expect(totals.totalMinor).toBe(
        totals.subtotalMinor - totals.discountMinor + totals.shippingMinor + totals.taxMinor,
      );
      for (const one of sold) {
        expect(one.subtotalMinor).toBe(one.unitPriceMinor * one.quantity);
        expect(one.totalMinor).toBe(one.subtotalMinor - one.discountMinor + one.taxMinor);
      }
    }),
  );
});

test("shipping is credited with the last unit of an order that never shipped, and not after", () => {
  const cancelled = plainLine({ quantity: 2, cancelledQuantity: 2 });
  const returned = plainLine({ quantity: 2, fulfilledQuantity: 2, returnedQuantity: 2 });

  const order = { shippingMinor: 30, breakdown: null };

  expect(creditedOf(order, [cancelled])).toBe(230);
  expect(creditedOf(order, [{ ...cancelled, cancelledQuantity: 1 }])).toBe(100);
  expect(creditedOf(order, [returned])).toBe(200);
});

describe("the refunded part of a sale", () => {
  const sale = { ...unpaidOrder, saleTotalMinor: 100, paidMinor: 100 };
  const nothing = { returningMinor: 0, returnedMinor: 0, namedReturnedMinor: 0 };

  test.each([
    ["zero for a paid order", sale, nothing, 0],
    ["the part refunded", { ...sale, refundedMinor: 30 }, nothing, 30],
    ["the whole sale", { ...sale, refundedMinor: 100 }, nothing, 100],
    [
      "zero before the order was paid",
      { ...sale, refundedMinor: 30, saleTotalMinor: null },
      nothing,
      0,
    ],
    [
      "zero while an overpayment is refunded",
      { ...sale, paidMinor: 130, refundedMinor: 30 },
      nothing,
      0,
    ],
    [
      "the refund beyond an overpayment",
      { ...sale, paidMinor: 130, refundedMinor: 50 },
      nothing,
      20,
    ],
    [
      "zero once a second payment is refunded",
      { ...sale, paidMinor: 200, refundedMinor: 100 },
      { ...nothing, returningMinor: 100, returnedMinor: 100 },
      0,
    ],
    [
      "the whole sale once both payments are refunded",
      { ...sale, paidMinor: 200, refundedMinor: 200 },
      { ...nothing, returningMinor: 100, returnedMinor: 100 },
      100,
    ],
    [
      "the part refunded while the refund of a second payment is pending",
      { ...sale, paidMinor: 200, refundedMinor: 30 },
      { ...nothing, returningMinor: 100 },
      30,
    ],
    [
      "what was named of it, though an overpayment is not refunded",
      { ...sale, paidMinor: 130, refundedMinor: 40 },
      { ...nothing, namedReturnedMinor: 40 },
      40,
    ],
    [
      "what was named of it beside a refund of a part of an overpayment",
      { ...sale, paidMinor: 130, refundedMinor: 60 },
      { ...nothing, namedReturnedMinor: 40 },
      40,
    ],
    [
      "what was named of it and the refund beyond an overpayment",
      { ...sale, paidMinor: 130, refundedMinor: 75 },
      { ...nothing, namedReturnedMinor: 40 },
      45,
    ],
    [
      "the whole sale once an overpayment is refunded with all that was named",
      { ...sale, paidMinor: 130, refundedMinor: 130 },
      { ...nothing, namedReturnedMinor: 40 },
      100,
    ],
  ])("is %s", (_, ...[paid, surplus, expected]) => {
    expect(saleRefundedMinor(paid, surplus)).toBe(expected);
  });
});
