// The rules of an order's money on plain data: the payment status, what is due, the shares of units, and the sale.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import type { TaxLine } from "#pricing/calculation/sale.ts";
import type { Breakdown } from "#pricing/quote/breakdown.ts";
import {
  becomesPaid,
  coveredOf,
  dueOf,
  freedOf,
  isDone,
  overpaidOf,
  partsOfRefund,
  paymentStatusOf,
  unneededOf,
  writtenOffOf,
} from "#sales/rows/balance.ts";
import { paymentStatuses } from "#sales/rows/order-life.ts";
import type { OrderLine } from "#sales/rows/order.ts";
import { creditedOf, paidSaleOf, saleOf } from "#sales/rows/sale.ts";

import { plainLine, unpaidOrder } from "../changing/plain-orders.ts";

const sold = { paidAt: 1, saleTotalMinor: 100 };

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
    [{ ...sold, paidMinor: 100 }, "paid", 0],
    [{ ...sold, paidMinor: 100, openAttempts: 2 }, "paid", 0],
    [{ ...sold, paidMinor: 130 }, "overpaid", 0],
    [{ ...sold, paidMinor: 130, refundingMinor: 30 }, "paid", 0],
    [
      { ...sold, paidMinor: 100, refundingMinor: 10, saleRefundingMinor: 10, refundedMinor: 10 },
      "partially_refunded",
      0,
    ],
    [
      { ...sold, paidMinor: 100, refundingMinor: 100, saleRefundingMinor: 100, refundedMinor: 100 },
      "refunded",
      0,
    ],
    [{ ...sold, paidMinor: 100, refundingMinor: 100, saleRefundingMinor: 100 }, "paid", 0],
    [{ ...sold, saleTotalMinor: 60, paidMinor: 60, creditedMinor: 40 }, "paid", 0],
    [{ ...sold, paidMinor: 40 }, "partially_paid", 60],
    [{ ...sold, paidMinor: 40, status: "cancelled" }, "paid", 0],
    [{ paidMinor: 60, creditedMinor: 50 }, "overpaid", 0],
    [{ paidMinor: 60, creditedMinor: 50, keptMinor: 10, keptApartMinor: 10 }, "paid", 0],
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
            ...(paidMinor >= 100 ? sold : {}),
            saleRefundingMinor: paidMinor >= 100 ? Math.min(100, refundedMinor) : 0,
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
    isSold: fc.boolean(),
    status: fc.constantFrom("open", "cancelled" as const),
  })
  .map(({ wantedMinor, refundShare, isSold, ...given }) => {
    const refundingMinor = Math.floor((given.paidMinor * refundShare) / 100);
    const saleTotalMinor = 100 - given.creditedMinor;
    const saleRefundingMinor = Math.min(saleTotalMinor, refundingMinor);
    const sale = isSold ? { paidAt: 1, saleTotalMinor, saleRefundingMinor } : {};
    const keptApartMinor = isSold ? Math.floor(given.keptMinor / 2) : given.keptMinor;
    const order = { ...unpaidOrder, ...given, ...sale, keptApartMinor, refundingMinor };
    return { ...order, writtenOffMinor: writtenOffOf({ ...order, writtenOffMinor: wantedMinor }) };
  });

test("a write-off never makes an order overpaid, and never exceeds what would be due", () => {
  fc.assert(
    fc.property(money, (order) => {
      const without = { ...order, writtenOffMinor: 0 };

      expect(order.writtenOffMinor).toBeGreaterThanOrEqual(0);
      expect(overpaidOf(order)).toBe(overpaidOf(without));
      expect(order.writtenOffMinor).toBeLessThanOrEqual(dueOf({ ...without, status: "open" }));
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

      const unneededMinor = unneededOf(receivedMinor, after);

      expect(unneededMinor).toBeGreaterThanOrEqual(0);
      expect(unneededMinor).toBeLessThanOrEqual(receivedMinor);
      const kept = { ...after, refundingMinor: after.refundingMinor + unneededMinor };
      expect(overpaidOf(kept)).toBeLessThanOrEqual(overpaidOf(before));
      if (overpaidOf(before) > 0) expect(unneededMinor).toBe(receivedMinor);
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
      expect(becomesPaid({ ...order, ...sold })).toBe(false);
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
      const { lines: left, totals, breakdown } = saleOf(order, given);

      expect(totals.totalMinor + creditedOf(order, given)).toBe(totalMinor);
      expect(breakdown?.taxes[0]?.amountMinor).toBeLessThanOrEqual(totals.taxMinor);
      const paid = paidSaleOf(order, given);
      expect(paid.totals).toEqual(totals);
      expect(paid.breakdown?.taxes[0]?.amountMinor).toBe(totals.taxMinor);
      expect(totals.totalMinor).toBe(
        totals.subtotalMinor - totals.discountMinor + totals.shippingMinor + totals.taxMinor,
      );
      for (const one of left) {
        expect(one.subtotalMinor).toBe(one.unitPriceMinor * one.quantity);
        expect(one.totalMinor).toBe(one.subtotalMinor - one.discountMinor + one.taxMinor);
      }
    }),
  );
});

test("a sale has no line of which every unit was cancelled", () => {
  const left = plainLine({ quantity: 2 });
  const cancelled = plainLine({ quantity: 2, cancelledQuantity: 2 });

  const sale = saleOf({ shippingMinor: 0, breakdown: null }, [left, cancelled]);

  expect(sale.lines).toEqual([left]);
});

test("shipping is credited with the last unit of an order that never shipped, and not after", () => {
  const cancelled = plainLine({ quantity: 2, cancelledQuantity: 2 });
  const returned = plainLine({ quantity: 2, fulfilledQuantity: 2, returnedQuantity: 2 });

  const order = { shippingMinor: 30, breakdown: null };

  expect(creditedOf(order, [cancelled])).toBe(230);
  expect(creditedOf(order, [{ ...cancelled, cancelledQuantity: 1 }])).toBe(100);
  expect(creditedOf(order, [returned])).toBe(200);
});

describe("a refund of an order that was sold for 100", () => {
  const paid = { ...unpaidOrder, ...sold, paidMinor: 100 };
  const overpaid = { ...paid, paidMinor: 130 };
  const kept = { ...overpaid, keptMinor: 20, keptApartMinor: 20 };

  test.each([
    ["is of the sale", paid, { amountMinor: 30 }, { saleMinor: 30, keptMinor: 0 }],
    ["is of what was overpaid", overpaid, { amountMinor: 30 }, { saleMinor: 0, keptMinor: 0 }],
    ["is of the sale beyond it", overpaid, { amountMinor: 50 }, { saleMinor: 20, keptMinor: 0 }],
    [
      "is of what was kept before the sale comes",
      kept,
      { amountMinor: 50 },
      { saleMinor: 20, keptMinor: 20 },
    ],
    [
      "is of the sale where it was named, though more was paid",
      overpaid,
      { amountMinor: 40, namedMinor: 40 },
      { saleMinor: 40, keptMinor: 0 },
    ],
    [
      "is of the sale as far as it was named, and then of what was overpaid",
      overpaid,
      { amountMinor: 60, namedMinor: 40 },
      { saleMinor: 40, keptMinor: 0 },
    ],
    [
      "is of the sale as far as it is left",
      { ...overpaid, refundingMinor: 80, saleRefundingMinor: 80 },
      { amountMinor: 50, namedMinor: 40 },
      { saleMinor: 20, keptMinor: 0 },
    ],
    [
      "is of no sale before there is one",
      { ...paid, saleTotalMinor: null, paidAt: null },
      { amountMinor: 30 },
      { saleMinor: 0, keptMinor: 0 },
    ],
  ] as const)("%s", (_, ...[order, refund, parts]) => {
    expect(partsOfRefund(order, { namedMinor: 0, ...refund })).toEqual(parts);
  });
});

test("a refund opens no debt once an order is sold, and takes what is overpaid first", () => {
  fc.assert(
    fc.property(money, fc.nat(200), fc.nat(200), (order, wantedMinor, namedMinor) => {
      if (order.saleTotalMinor === null) return;
      const amountMinor = Math.min(wantedMinor, order.paidMinor - order.refundingMinor);
      const parts = partsOfRefund(order, { amountMinor, namedMinor });

      const after = {
        ...order,
        refundingMinor: order.refundingMinor + amountMinor,
        saleRefundingMinor: order.saleRefundingMinor + parts.saleMinor,
        keptRefundingMinor: order.keptRefundingMinor + parts.keptMinor,
      };

      expect(dueOf(after)).toBe(dueOf(order));
      const takenMinor = overpaidOf(order) - overpaidOf(after);
      expect(takenMinor).toBe(amountMinor - parts.saleMinor - parts.keptMinor);
    }),
  );
});

test("money for credited units is not paid, or may go back, and what is due falls by the former", () => {
  fc.assert(
    fc.property(money, fc.nat(100), (order, moreMinor) => {
      const creditedMinor = Math.min(100, order.creditedMinor + moreMinor);
      const { unpaidMinor, paidMinor } = freedOf(order, creditedMinor);

      expect(Math.min(unpaidMinor, paidMinor)).toBeGreaterThanOrEqual(0);
      expect(unpaidMinor + paidMinor).toBeLessThanOrEqual(creditedMinor - order.creditedMinor);
      const owing = dueOf({ ...order, status: "open", writtenOffMinor: 0 });
      expect(unpaidMinor).toBeLessThanOrEqual(owing);
      if (paidMinor > 0) expect(unpaidMinor).toBe(owing);
    }),
  );
});

test("a cancelled order that lacks money keeps less, is sold for less, and has as much as it owes", () => {
  fc.assert(
    fc.property(money, (given) => {
      const order = { ...given, status: "cancelled", creditedMinor: 100 } as const;

      const covered = { ...order, ...coveredOf(order) };

      expect(dueOf({ ...covered, status: "open" })).toBe(0);
      expect(overpaidOf(covered)).toBe(overpaidOf(order));
      expect(covered.keptApartMinor).toBeGreaterThanOrEqual(0);
      expect(covered.keptMinor).toBeGreaterThanOrEqual(covered.keptApartMinor);
    }),
  );
});
