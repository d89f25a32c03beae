// Refunds at Stripe: each is paid once, found again under its name, and told as the vendor tells it.

import { describe, expect, test } from "bun:test";

import type { GatewayAttempt, GatewayRefund, RefundOutcome } from "#payments/port/gateway.ts";

import { byToken, callTerms, openStripeGateway, type StripeGatewayRig } from "./adapter.ts";

const call = () => callTerms().terms;

/** 24.50 EUR that a card has paid. */
async function openPaid(token = "pm_card_visa") {
  const rig = await openStripeGateway({ startsAt: 0 });
  const called = callTerms();
  const attempt = byToken(token);
  await rig.gateway.initiate(attempt, called.terms);
  const intent = called.named[0]?.name ?? "";
  return { ...rig, attempt: { ...attempt, names: called.named }, intent };
}

type Paid = StripeGatewayRig & { readonly attempt: GatewayAttempt; readonly intent: string };

function refundOf({ attempt }: Paid, given: Partial<GatewayRefund> = {}): GatewayRefund {
  const refundId = "ref_01kf0000000000000000000001";
  const tried = {
    reference: refundId,
    gatewayRefundId: null,
    reason: "other",
    wasAsked: false,
    createdAt: 0,
  } as const;
  return { refundId, ...tried, amountMinor: 500, currency: "EUR", attempt, ...given };
}

test.each([
  ["duplicate", "duplicate"],
  ["fraud", "fraudulent"],
  ["goods_returned", "requested_by_customer"],
] as const)("a refund of the shop's reason %s tells Stripe %s", async (reason, told) => {
  await using paid = await openPaid();

  await paid.gateway.refund(refundOf(paid, { reason }), call());

  const body = paid.face.server.asked.findLast(({ path }) => path === "/v1/refunds")?.body;
  expect(new URLSearchParams(body).get("reason")).toBe(told);
});

const refusedAs = (gatewayCode: string): RefundOutcome => ({
  kind: "failed",
  gatewayCode,
  gatewayRefundId: null,
});

describe("a refund", () => {
  test("is paid under the shop's name, which the vendor's list repeats", async () => {
    await using paid = await openPaid();

    const outcome = await paid.gateway.refund(refundOf(paid), call());

    const [row] = paid.face.account.refunds.all();
    expect(outcome).toEqual({ kind: "succeeded", gatewayRefundId: row?.id ?? "" });
    expect(row).toMatchObject({
      amountMinor: 500,
      metadata: { duka_refund: "ref_01kf0000000000000000000001" },
    });
    expect(await paid.gateway.findRefunds(paid.attempt, call())).toEqual({
      kind: "found",
      refunds: [
        {
          gatewayRefundId: row?.id ?? "",
          reference: "ref_01kf0000000000000000000001",
          amountMinor: 500,
          currency: "EUR",
          outcome,
          isMadeElsewhere: false,
        },
      ],
    });
  });

  test("that is asked for by two programs at once is paid once", async () => {
    await using paid = await openPaid();

    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => paid.gateway.refund(refundOf(paid), call())),
    );

    const kinds = new Set(outcomes.map(({ kind }) => kind));
    expect([...kinds].filter((kind) => kind !== "succeeded" && kind !== "unknown")).toEqual([]);
    expect(paid.face.account.refunds.all()).toHaveLength(1);
  });

  test("that is tried anew after it failed is another one at the vendor", async () => {
    await using paid = await openPaid("pm_test_refundFails");
    const first = await paid.gateway.refund(refundOf(paid), call());
    const again = await paid.gateway.refund(refundOf(paid, { reference: "ref-2" }), call());

    expect([first, again]).toMatchObject([
      { kind: "failed", gatewayCode: "declined" },
      { kind: "failed", gatewayCode: "declined" },
    ]);
    expect(paid.face.account.refunds.all()).toHaveLength(2);
  });

  test("for which the account has no money waits for the merchant, and is paid after that", async () => {
    await using paid = await openPaid("pm_test_refundNeedsAttention");

    const waiting = await paid.gateway.refund(refundOf(paid), call());
    const gatewayRefundId = paid.face.account.refunds.all()[0]?.id ?? "";
    paid.face.dashboard.topUp(gatewayRefundId);

    expect(waiting).toEqual({ kind: "needs_attention", gatewayRefundId });
    expect(await paid.gateway.verifyRefund(refundOf(paid, { gatewayRefundId }), call())).toEqual({
      kind: "succeeded",
      gatewayRefundId,
    });
  });

  test("that the customer's bank sends back fails after it succeeded", async () => {
    await using paid = await openPaid();
    await paid.gateway.refund(refundOf(paid), call());
    const gatewayRefundId = paid.face.account.refunds.all()[0]?.id ?? "";

    paid.face.dashboard.failRefund(gatewayRefundId);

    const failed = { kind: "failed", gatewayCode: "lost_or_stolen_card", gatewayRefundId };
    const found = await paid.gateway.findRefunds(paid.attempt, call());
    expect(found).toMatchObject({ refunds: [{ outcome: failed }] });
    expect(await paid.gateway.verify(paid.attempt, call())).toMatchObject({ returnedMinor: 0 });
    expect(paid.gateway.refundsFailLate).toBe(true);
  });

  test("of more than was paid fails, and says why", async () => {
    await using paid = await openPaid();

    const more = await paid.gateway.refund(refundOf(paid, { amountMinor: 2451 }), call());

    expect(more).toEqual(refusedAs("invalid_request_error"));
  });

  test("of money that went back already fails, or is the one that took it", async () => {
    await using paid = await openPaid();
    const whole = refundOf(paid, { amountMinor: 2450 });
    const first = await paid.gateway.refund(whole, call());
    // The vendor forgets keys after a day.
    paid.face.pass(86_400_000);

    const same = await paid.gateway.refund(whole, call());
    const other = await paid.gateway.refund(refundOf(paid, { reference: "ref-2" }), call());

    expect(same).toEqual(first);
    expect(other).toEqual(refusedAs("charge_already_refunded"));
  });

  test("of disputed money fails", async () => {
    await using paid = await openPaid();
    paid.face.dashboard.dispute(paid.intent);

    expect(await paid.gateway.refund(refundOf(paid), call())).toEqual(
      refusedAs("refund_disputed_payment"),
    );
  });
});

describe("the vendor's list", () => {
  test("has what was refunded in its dashboard, without a name of the shop's", async () => {
    await using paid = await openPaid();
    await paid.gateway.refund(refundOf(paid), call());
    paid.face.dashboard.refund(paid.intent, { amountMinor: 700 });

    const found = await paid.gateway.findRefunds(paid.attempt, call());

    expect(found).toMatchObject({
      kind: "found",
      refunds: [
        {
          isMadeElsewhere: true,
          reference: null,
          amountMinor: 700,
          outcome: { kind: "succeeded" },
        },
        { reference: "ref_01kf0000000000000000000001", amountMinor: 500 },
      ],
    });
    expect(await paid.gateway.verify(paid.attempt, call())).toMatchObject({ returnedMinor: 1200 });
  });

  test("is read page by page to its end", async () => {
    await using paid = await openPaid();
    for (let n = 0; n < 230; n += 1) paid.face.dashboard.refund(paid.intent, { amountMinor: 1 });

    const found = await paid.gateway.findRefunds(paid.attempt, call());

    const ids = found.kind === "found" ? found.refunds.map((one) => one.gatewayRefundId) : [];
    expect(new Set(ids).size).toBe(230);
    expect(ids).toHaveLength(230);
  });

  test("of which a page is missing is not known, rather than short", async () => {
    await using paid = await openPaid();
    for (let n = 0; n < 230; n += 1) paid.face.dashboard.refund(paid.intent, { amountMinor: 1 });
    paid.face.faults.plan({ moment: "before", fault: { kind: "broken" } }, { nth: 2 });

    expect(await paid.gateway.findRefunds(paid.attempt, call())).toEqual({ kind: "unknown" });
  });
});
