// The rules of an order on plain data: its life, its payment and fulfillment status, its allowed
// actions, and that its totals are the sums of its lines.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import type { Id } from "#kernel/id.ts";
import { arrow } from "#kernel/machine.ts";
import { isPrepaid, paymentMethods } from "#kernel/payment-method.ts";
import { Faults, Refusal } from "#kernel/refusal.ts";
import { priceLines, totalsOf, type VariantOnOffer } from "#pricing/quote/price-order.ts";
import { orderLife, orderStatuses, paymentStatuses } from "#sales/orders/order-life.ts";
import {
  dueOf,
  forbidden,
  fulfillmentStatusOf,
  isDone,
  type Order,
  paymentStatusOf,
  saleRefundedMinor,
  unitsByVariant,
} from "#sales/orders/order.ts";

const order: Order = {
  id: "ord_01h455vb4pex5vsknk084sn02q",
  number: 1001,
  status: "open",
  paymentStatus: "unpaid",
  fulfillmentStatus: "unfulfilled",
  customerId: null,
  customer: null,
  paymentMethod: "gateway",
  currency: "USD",
  channel: "online_store",
  externalId: null,
  cartId: null,
  shippingAddress: null,
  billingAddress: null,
  notes: null,
  metadata: {},
  shippingLabel: null,
  cancelReason: null,
  cancelNote: null,
  subtotalMinor: 100,
  discountMinor: 0,
  shippingMinor: 0,
  taxMinor: 0,
  totalMinor: 100,
  paidMinor: 0,
  refundedMinor: 0,
  openAttempts: 0,
  paidAt: null,
  fulfilledAt: null,
  cancelledAt: null,
  expiresAt: null,
  version: 1,
  createdAt: 0,
  updatedAt: 0,
};

describe("an order's life", () => {
  test.each([
    ["open", "complete", { next: "completed", event: null }],
    ["open", "cancel", { next: "cancelled", event: "order.cancelled" }],
    ["completed", "complete", null],
    ["completed", "cancel", null],
    ["cancelled", "complete", null],
    ["cancelled", "cancel", null],
  ] as const)("from %s by %s", (from, action, next) => {
    expect(arrow(orderLife, from, action)).toEqual(next);
  });

  test("has a row for each status and no other", () => {
    expect(Object.keys(orderLife)).toEqual([...orderStatuses]);
  });

  test("never leaves a final state", () => {
    const walk = fc.array(fc.constantFrom("complete", "cancel" as const), { maxLength: 8 });
    fc.assert(
      fc.property(walk, (actions) => {
        const states = actions.reduce<readonly (typeof orderStatuses)[number][]>(
          (past, action) => {
            const from = past.at(-1) ?? "open";
            return [...past, arrow(orderLife, from, action)?.next ?? from];
          },
          ["open"],
        );

        expect(new Set(states).size).toBe(actions.length === 0 ? 1 : 2);
      }),
    );
  });
});

describe("an order of 100", () => {
  test.each([
    // paid, refunded, open attempts, payment status
    [0, 0, 0, "unpaid"],
    [0, 0, 1, "pending"],
    [40, 0, 0, "partially_paid"],
    [40, 0, 1, "partially_paid"],
    [100, 0, 0, "paid"],
    [100, 0, 2, "paid"],
    [130, 0, 0, "overpaid"],
    [130, 30, 0, "paid"],
    [130, 10, 0, "overpaid"],
    [130, 60, 0, "partially_refunded"],
    [100, 1, 0, "partially_refunded"],
    [40, 10, 0, "partially_refunded"],
    [100, 100, 0, "refunded"],
    [40, 40, 0, "refunded"],
    [40, 40, 1, "refunded"],
  ] as const)("with %p paid, %p refunded, %p attempts open is %s", (...row) => {
    const [paidMinor, refundedMinor, openAttempts, status] = row;

    expect(paymentStatusOf({ totalMinor: 100, paidMinor, refundedMinor, openAttempts })).toBe(
      status,
    );
  });

  test.each([
    [0, 100],
    [40, 60],
    [100, 0],
    [130, 0],
  ])("with %p paid has %p due", (paidMinor, due) => {
    expect(dueOf({ totalMinor: 100, paidMinor })).toBe(due);
  });
});

test("an order with a total of zero is paid, whatever attempts are open", () => {
  const nothing = { totalMinor: 0, paidMinor: 0, refundedMinor: 0 };

  expect(paymentStatusOf({ ...nothing, openAttempts: 0 })).toBe("paid");
  expect(paymentStatusOf({ ...nothing, openAttempts: 1 })).toBe("paid");
});

test("a refund does not raise the amount due", () => {
  const amounts = fc.record({ totalMinor: fc.nat(), paidMinor: fc.nat() });
  fc.assert(
    fc.property(amounts, fc.nat(), (amount, refundedMinor) => {
      const refunded = { ...amount, refundedMinor };

      expect(dueOf(refunded)).toBe(dueOf(amount));
    }),
  );
});

describe("lines", () => {
  test.each([
    [[[2, 0]], "unfulfilled"],
    [[[2, 1]], "partially_fulfilled"],
    [[[2, 2]], "fulfilled"],
    [[[2, 2], [1, 0]], "partially_fulfilled"], // prettier-ignore
    [[[2, 0], [1, 0]], "unfulfilled"], // prettier-ignore
    [[[2, 2], [1, 1]], "fulfilled"], // prettier-ignore
  ] as const)("of which [quantity, fulfilled] are %j make it %s", (rows, status) => {
    const lines = rows.map(([quantity, fulfilledQuantity]) => ({ quantity, fulfilledQuantity }));

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
    ["open", "partially_fulfilled", "unpaid", ["fulfill"]],
    ["open", "fulfilled", "unpaid", []],
    ["completed", "fulfilled", "paid", []],
    ["cancelled", "unfulfilled", "unpaid", []],
  ] as const)("%s, %s and %s", (...row) => {
    const [status, fulfillmentStatus, paymentStatus, actions] = row;
    const inState = { ...order, status, fulfillmentStatus, paymentStatus };

    expect(forbidden(inState, "any").details.members).toMatchObject({ allowed: [...actions] });
  });

  test("are listed in the refusal of any other", () => {
    const refusal = forbidden({ ...order, fulfillmentStatus: "partially_fulfilled" }, "cancel");

    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal.definition.code).toBe("invalid_transition");
    expect(refusal.details.members).toEqual({
      from: "open",
      action: "cancel",
      allowed: ["fulfill"],
    });
  });
});

describe("an order is done", () => {
  test.each([
    ["fulfilled", 100, true],
    ["fulfilled", 130, true],
    ["fulfilled", 99, false],
    ["partially_fulfilled", 100, false],
    ["unfulfilled", 100, false],
  ] as const)("%s with %p of 100 paid: %p", (fulfillmentStatus, paidMinor, expected) => {
    expect(isDone({ fulfillmentStatus, paidMinor, totalMinor: 100 })).toBe(expected);
  });
});

test("only mobile money, card and gateway are paid before shipping", () => {
  expect(paymentMethods.filter(isPrepaid)).toEqual(["mobile_money", "card", "gateway"]);
});

test("every payment status can be reached", () => {
  const paid = [0, 40, 100, 130].flatMap((paidMinor) =>
    [0, 10, paidMinor].map((refundedMinor) => ({ totalMinor: 100, paidMinor, refundedMinor })),
  );

  const reached = paid.flatMap((sums) =>
    [0, 1].map((openAttempts) => paymentStatusOf({ ...sums, openAttempts })),
  );

  expect([...new Set(reached)].toSorted()).toEqual([...paymentStatuses].toSorted());
});

describe("totals", () => {
  const variant: Id<"variant"> = "var_a";
  const offer = (amountMinor: number): VariantOnOffer => ({
    variantId: variant,
    productId: "prod_a",
    sku: null,
    name: "Mug",
    isForSale: true,
    prices: [{ currency: "USD", amountMinor, compareAtMinor: null }],
  });
  const lines = fc.array(
    fc.record({
      amountMinor: fc.nat(40_000_000),
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
        const totals = totalsOf(priced, shippingMinor);

        const exact = requests.reduce(
          (sum, line) => sum + BigInt(line.amountMinor) * BigInt(line.quantity),
          0n,
        );
        expect(BigInt(totals.subtotalMinor)).toBe(exact);
        expect(BigInt(totals.totalMinor)).toBe(exact + BigInt(shippingMinor));
        expect(priced.every((line) => line.totalMinor === line.subtotalMinor)).toBe(true);
        expect(Number.isSafeInteger(totals.totalMinor)).toBe(true);
      }),
    );
  });

  test("of the largest order allowed are exact", () => {
    const largest = { subtotalMinor: 40_000_000_000_000, discountMinor: 0, taxMinor: 0 };

    const totals = totalsOf(
      Array.from({ length: 100 }, () => largest),
      40_000_000_000_000,
    );

    expect(Number.isSafeInteger(totals.totalMinor)).toBe(true);
    expect(BigInt(totals.totalMinor)).toBe(101n * 40_000_000_000_000n);
  });
});

describe("the refunded part of a sale", () => {
  const sale = { totalMinor: 100, paidMinor: 100, refundedMinor: 0, paidAt: 1 };
  const nothing = { returningMinor: 0, returnedMinor: 0 };

  test.each([
    ["zero for a paid order", sale, nothing, 0],
    ["the part refunded", { ...sale, refundedMinor: 30 }, nothing, 30],
    ["the whole sale", { ...sale, refundedMinor: 100 }, nothing, 100],
    ["zero before the order was paid", { ...sale, refundedMinor: 30, paidAt: null }, nothing, 0],
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
      { returningMinor: 100, returnedMinor: 100 },
      0,
    ],
    [
      "the whole sale once both payments are refunded",
      { ...sale, paidMinor: 200, refundedMinor: 200 },
      { returningMinor: 100, returnedMinor: 100 },
      100,
    ],
    [
      "the part refunded while the refund of a second payment is pending",
      { ...sale, paidMinor: 200, refundedMinor: 30 },
      { returningMinor: 100, returnedMinor: 0 },
      30,
    ],
  ])("is %s", (_, ...[paid, surplus, expected]) => {
    expect(saleRefundedMinor(paid, surplus)).toBe(expected);
  });
});
