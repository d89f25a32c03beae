// The life tables of payments and refunds: every state and every action.

import { describe, expect, test } from "bun:test";

import { allowedActions, arrow } from "#kernel/machine.ts";
import { askedAtGateway } from "#payments/port/gateway-times.ts";
import {
  type PaymentAction,
  paymentLife,
  paymentStates,
  type PaymentStatus,
  refundLife,
  refundStates,
} from "#payments/rows/payment-life.ts";
import { approvalEndsAt, gatewayReferenceOf, nextPollAt } from "#payments/rows/payment.ts";

const actions: readonly PaymentAction[] = [
  "ask",
  "work",
  "succeed",
  "fail",
  "cancel",
  "expire",
  "doubt",
  "accept",
  "refund_part",
  "refund",
  "unrefund_part",
  "unrefund",
  "correct",
];

const refundActions = ["work", "succeed", "fail", "stop", "retry", "close", "cancel"] as const;

/** What the reference says of each state: where it may go. */
// prettier-ignore
const leavesBy: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  pending: ["requires_action", "processing", "succeeded", "failed", "cancelled", "expired", "review"],
  requires_action: ["requires_action", "processing", "succeeded", "failed", "cancelled", "expired", "review"],
  processing: ["requires_action", "succeeded", "failed", "expired", "review"],
  succeeded: ["partially_refunded", "refunded", "succeeded"],
  partially_refunded: ["partially_refunded", "partially_refunded", "partially_refunded", "refunded", "succeeded"],
  refunded: ["partially_refunded", "partially_refunded", "review", "succeeded"],
  failed: ["succeeded", "review"],
  cancelled: ["succeeded", "review"],
  expired: ["succeeded", "review"],
  review: ["succeeded", "refunded", "failed"],
};

describe("the life of a payment", () => {
  test("has these states and no others", () => {
    expect(Object.keys(paymentLife).toSorted()).toEqual([...paymentStates].toSorted());
  });

  test.each(paymentStates)("leaves %s as the reference says", (from) => {
    const reached: string[] = actions.flatMap(
      (action) => arrow(paymentLife, from, action)?.next ?? [],
    );

    expect(reached.toSorted()).toEqual(leavesBy[from].toSorted());
    expect(
      allowedActions(paymentLife, from).filter((one) => !actions.some((a) => a === one)),
    ).toEqual([]);
  });

  test.each(paymentStates)("emits the events of %s", (from) => {
    // A refund that came back has its own event.
    const silent = ["correct", "unrefund"];
    const others = actions.filter((action) => !silent.includes(action));
    const emitted = others.flatMap((action) => {
      const step = arrow(paymentLife, from, action);
      return step === null ? [] : [`${step.next} ${step.event}`];
    });

    const expected: Record<string, string> = {
      succeeded: "payment.succeeded",
      failed: "payment.failed",
      expired: "payment.failed",
      review: "payment.review",
    };
    expect(emitted).toEqual(
      emitted.map((one) => {
        const next = one.split(" ")[0] ?? "";
        return `${next} ${expected[next] ?? null}`;
      }),
    );
  });

  test.each(["succeeded", "partially_refunded", "refunded"] as const)(
    "announces that a %s one is corrected",
    (from) => {
      expect(arrow(paymentLife, from, "correct")?.event).toBe("payment.corrected");
    },
  );
});

describe("the life of a refund", () => {
  test.each([
    ["pending", ["failed", "needs_attention", "processing", "succeeded"]],
    ["processing", ["failed", "needs_attention", "succeeded"]],
    ["needs_attention", ["cancelled", "closed", "failed", "processing", "succeeded"]],
    ["succeeded", ["failed"]],
    ["failed", ["cancelled", "closed", "pending", "processing"]],
    ["cancelled", ["processing"]],
    ["closed", ["closed"]],
  ] as const)("leaves %s for %j", (from, expected) => {
    const reached = refundActions.flatMap((action) => arrow(refundLife, from, action)?.next ?? []);

    expect(Object.keys(refundLife).toSorted()).toEqual([...refundStates].toSorted());
    expect(reached.toSorted()).toEqual([...expected]);
  });

  test.each(refundStates)("emits the events of %s", (from) => {
    const steps = refundActions.map((action) => arrow(refundLife, from, action));
    const emitted = steps.flatMap((step) => (step === null ? [] : [[step.next, step.event]]));

    const events: Record<string, string> = {
      succeeded: "order.refunded",
      closed: from === "closed" ? "refund.needs_attention" : "order.refunded",
      failed: "refund.failed",
      cancelled: "refund.cancelled",
      needs_attention: "refund.needs_attention",
    };
    expect(emitted).toEqual(emitted.map(([next]) => [next ?? "", events[next ?? ""] ?? null]));
  });
});

const MINUTE_MS = 60_000;

/** The shop's clock begins at 0, and the gateway's a day later. */
test.each([
  ["with it", 0, { attemptNumber: 1, askedAt: 0, endsAfter: 60 }],
  [
    "and may have been before its answer was noted",
    0,
    { attemptNumber: 1, askedAt: null, endsAfter: 60 },
  ],
  ["some minutes later", 9, { attemptNumber: 1, askedAt: 9, endsAfter: 60 }],
  ["for another page, whose time is shorter", 20, { attemptNumber: 2, askedAt: 20, endsAfter: 60 }],
  [
    "for another page, whose time is the shortest",
    50,
    { attemptNumber: 2, askedAt: 50, endsAfter: 85 },
  ],
] as const)(
  "an attempt that was made at 0 is asked for %s: minute %p of its gateway",
  (_, minute, { attemptNumber, askedAt, endsAfter }) => {
    const asked = askedAt === null ? null : askedAt * MINUTE_MS;
    const payment = { expiresAt: 60 * MINUTE_MS, createdAt: 0, askedAt: asked, attemptNumber };
    const day = 1_440 * MINUTE_MS;

    expect(askedAtGateway(payment, day + endsAfter * MINUTE_MS)).toBe(day + minute * MINUTE_MS);
  },
);

describe("polls", () => {
  const open = { createdAt: 0, status: "requires_action", gatewayCode: null } as const;

  function minutesOf(payment: Parameters<typeof nextPollAt>[0]): number[] {
    const minutes: number[] = [];
    for (let at = nextPollAt(payment, 0); at !== null; at = nextPollAt(payment, at)) {
      minutes.push(at / 60_000);
    }
    return minutes;
  }

  test("follow the plan and end after three days", () => {
    expect(minutesOf({ ...open, notFoundLooks: 0 })).toEqual(
      [0.25, 1, 190 / 60].concat([5, 15, 60, 180, 360, 720, 1440, 2880, 4320]),
    );
  });

  test.each([
    ["that is processing", { status: "processing" }],
    ["that is closed, and on which the gateway works", { status: "expired", isWorking: true }],
  ] as const)("of an attempt %s go on daily for two weeks", (_, how) => {
    const days = minutesOf({ ...open, notFoundLooks: 0, ...how }).map((one) => one / 1440);

    expect(days.slice(-12)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
  });

  test("of an unknown attempt include the moment at which it counts as lost", () => {
    expect(nextPollAt({ ...open, notFoundLooks: 4 }, 300_000)).toBe(600_000);
  });
});

test("an attempt expires before its order", () => {
  expect(approvalEndsAt("mobile_money", 0, null)).toBe(300_000);
  expect(approvalEndsAt("gateway", 0, 86_400_000)).toBe(3_600_000);
  expect(approvalEndsAt("gateway", 0, 60_000)).toBeLessThan(60_000);
});

test("a gateway's reference has no underscore", () => {
  expect(gatewayReferenceOf("pay_01h455vb4pex5vsknk084sn02q", 2)).toBe(
    "pay-01h455vb4pex5vsknk084sn02q-2",
  );
});
