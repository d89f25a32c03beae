// A gateway that may have acted is read, never asked the same thing twice: only what its lists lack for long enough is
// asked for again.

import { describe, expect, test } from "bun:test";

import type { GatewayRefund, RefundOutcome } from "#payments/port/gateway.ts";

import { notSent } from "../support/scripted-gateway.ts";
import type { TestShop } from "../support/shop.ts";
import {
  initialize,
  notify,
  openScriptedShop,
  orderCounter,
  pass,
  settle,
} from "./scripted-shop.ts";

const byPhone = { method: "mobile_money", phone: "+233551234000" };

describe("an attempt whose first call has no answer", () => {
  test("is read when the customer tries again, and not initiated again", async () => {
    const { shop: scripted, gateway } = await openScriptedShop();
    await using shop = scripted;
    const { id } = await (await orderCounter(shop))();
    gateway.nextAnswer = async () => ({ kind: "unknown" });
    const body = { order_id: id, ...byPhone };
    const lost = await initialize(shop, body);
    gateway.pay(lost.id);
    shop.clock.advance(10_000);

    const again = await initialize(shop, body);

    expect([lost.status, lost.at("/status")]).toEqual([201, "pending"]);
    expect([again.id, again.at("/status")]).toEqual([lost.id, "succeeded"]);
    expect([gateway.initiations, gateway.polls]).toEqual([1, 1]);
  });

  test("fails ten minutes after it was asked for, if the gateway never knew it", async () => {
    const { shop: scripted, gateway } = await openScriptedShop();
    await using shop = scripted;
    const { id } = await (await orderCounter(shop))();
    const body = { order_id: id, ...byPhone };
    gateway.nextAnswer = async () => notSent;
    await initialize(shop, body, "basket-1");
    gateway.charges.clear();
    await pass(shop, 240);
    gateway.initiate = async () => ({ kind: "unknown" });
    await initialize(shop, body, "basket-1");
    const payment = (await shop.get("/v2/payments")).string("/data/0/id");
    const statusAfter = async (seconds: number) => {
      await pass(shop, seconds);
      return (await shop.get(`/v2/payments/${payment}`)).at("/status");
    };

    expect([await statusAfter(480), await statusAfter(480)]).toEqual(["pending", "failed"]);
  });
});

test("an attempt that was provably not sent is sent after the pause that the gateway wants", async () => {
  const { shop: scripted, gateway } = await openScriptedShop();
  await using shop = scripted;
  const link = { amount: 5, currency: "USD" };
  gateway.nextAnswer = async () => ({
    kind: "not_sent",
    trouble: "rate_limited",
    retryAfterMs: 29_500,
  });

  const refused = await initialize(shop, link, "link-1");
  const again = await initialize(shop, link, "link-1");

  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "30"]);
  expect([again.status, again.at("/status"), gateway.initiations]).toEqual([
    201,
    "requires_action",
    2,
  ]);
});

/** A paid order, and what the gateway is asked for each time; a test may have it act and not answer. */
async function openRefunding(answer: (sent: GatewayRefund) => RefundOutcome) {
  const scripted = await openScriptedShop();
  const placed = await (await orderCounter(scripted.shop))();
  const payment = await initialize(scripted.shop, { order_id: placed.id });
  scripted.gateway.pay(payment.id);
  await pass(scripted.shop, 15);
  const sent: boolean[] = [];
  scripted.gateway.refund = async (refund) => {
    sent.push(refund.wasAsked);
    return answer(refund);
  };
  const refund = await scripted.shop.post(`/v2/payments/${payment.id}/refunds`, {});
  return { ...scripted, payment, refund, sent };
}

async function statusOf(shop: TestShop, refund: string): Promise<unknown> {
  return (await shop.get(`/v2/refunds/${refund}`)).at("/status");
}

describe("a refund whose call has no answer", () => {
  test("is found in the gateway's list, and not sent again", async () => {
    const {
      shop: scripted,
      gateway,
      refund,
      sent,
    } = await openRefunding(() => ({ kind: "unknown" }));
    await using shop = scripted;
    const [made] = gateway.charges.values();
    if (made === undefined) throw new Error("There is no charge.");
    const terms = { amountMinor: 1250, currency: "USD", wasAsked: false, createdAt: 0 } as const;
    const reference = refund.id;
    const id = {
      refundId: "ref_01kf0000000000000000000001",
      gatewayRefundId: null,
      reason: "other",
    } as const;
    gateway.refunds.set(reference, { ...id, ...terms, reference, attempt: made.attempt });

    await pass(shop, 300);

    expect(await statusOf(shop, refund.id)).toBe("succeeded");
    await pass(shop, 86_400);
    expect(sent).toEqual([false]);
  });

  test("is sent again fifteen minutes later, when two lists lacked it", async () => {
    const opened = await openRefunding(({ wasAsked, reference }) =>
      wasAsked ? { kind: "succeeded", gatewayRefundId: `r-${reference}` } : { kind: "unknown" },
    );
    await using shop = opened.shop;

    await pass(shop, 899);
    const before = [...opened.sent];
    await pass(shop, 1);

    expect([before, opened.sent]).toEqual([[false], [false, true]]);
    expect(await statusOf(shop, opened.refund.id)).toBe("succeeded");
  });

  test("is not sent again while the gateway's list cannot be read", async () => {
    const opened = await openRefunding(() => ({ kind: "unknown" }));
    await using shop = opened.shop;
    opened.gateway.findRefunds = async () => ({ kind: "unknown" });

    await pass(shop, 31 * 86_400);

    expect(opened.sent).toEqual([false]);
    const refund = await shop.get(`/v2/refunds/${opened.refund.id}`);
    expect([refund.at("/status"), refund.at("/attention")]).toEqual([
      "needs_attention",
      "no_outcome",
    ]);
  });

  test("is not sent again while the list has one of its amount that may be it", async () => {
    const opened = await openRefunding(() => ({ kind: "unknown" }));
    await using shop = opened.shop;
    opened.gateway.refundElsewhere(opened.payment.id, 1250);

    await pass(shop, 86_400);

    expect(opened.sent).toEqual([false]);
    expect(await statusOf(shop, opened.refund.id)).toBe("pending");
  });

  test("is not sent by a notice", async () => {
    const { shop: scripted, gateway, payment, sent } = await openRefunding(() => notSent);
    await using shop = scripted;

    await settle(shop);
    const [calls, { polls }] = [sent.length, gateway];

    for (const id of ["one", "two"]) {
      await notify(shop, gateway, { payment: payment.id, id, topic: "refund" });
      await pass(shop, 10);
    }

    expect(sent).toHaveLength(calls);
    expect(gateway.polls).toBe(polls + 2);
  });
});

describe("a refund that its gateway has", () => {
  test("is not sent again because it could not be read", async () => {
    const made = { kind: "pending", gatewayRefundId: "r-1" } as const;
    const { shop: scripted, gateway, refund, sent } = await openRefunding(() => made);
    await using shop = scripted;
    gateway.verifyRefund = async () => notSent;

    await pass(shop, 3 * 86_400);

    expect(sent).toEqual([false]);
    expect(await statusOf(shop, refund.id)).toBe("pending");
  });
});

describe("a refund that was provably not sent", () => {
  test("is sent again within minutes, as for the first time", async () => {
    let isDown = true;
    const opened = await openRefunding(({ reference }) =>
      isDown ? notSent : { kind: "succeeded", gatewayRefundId: `r-${reference}` },
    );
    await using shop = opened.shop;
    isDown = false;

    await pass(shop, 300);

    expect(opened.sent).not.toContain(true);
    expect(await statusOf(shop, opened.refund.id)).toBe("succeeded");
  });

  test("waits as long as the gateway wants", async () => {
    const opened = await openRefunding(() => ({
      kind: "not_sent",
      trouble: "rate_limited",
      retryAfterMs: 7_200_000,
    }));
    await using shop = opened.shop;

    await pass(shop, 60);
    const first = opened.sent.length;
    await pass(shop, 7_100);
    const before = opened.sent.length;
    await pass(shop, 100);

    expect([before, opened.sent.length]).toEqual([first, first + 1]);
  });

  test("needs a person who gives the money back at the end of its plan, and says so", async () => {
    const opened = await openRefunding(() => notSent);
    await using shop = opened.shop;

    await pass(shop, 31 * 86_400);

    const refund = await shop.get(`/v2/refunds/${opened.refund.id}`);
    expect([refund.at("/status"), refund.at("/attention")]).toEqual(["needs_attention", "by_hand"]);
    expect(await shop.announcedNames()).toContain("refund.needs_attention");
  });
});
