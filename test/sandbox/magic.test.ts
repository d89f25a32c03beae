// Every magic value, end to end: initialized over HTTP, it ends as its row says.

import { beforeAll, describe, expect, test } from "bun:test";

import { magicValues } from "#sandbox/simulated-gateway/magic.ts";

import { pass } from "../payments/scripted-shop.ts";
import { type Answered, openTestShop, sharedShop, type TestShop } from "../support/shop.ts";
import { mugOrder, pay, standing } from "./paying.ts";

const HALF_AN_HOUR = 1_800;

const shop = sharedShop();

/** The state of the payment when it is read. */
async function standingOf(of: TestShop, reference: string): Promise<string> {
  return standing(await of.get(`/v2/payments/${reference}`));
}

// prettier-ignore
const cards: [token: string, atOnce: string, later: string][] = [
  ["pm_card_visa", "succeeded", "succeeded"],
  ["pm_card_mastercard", "succeeded", "succeeded"],
  ["tok_visa", "succeeded", "succeeded"],
  ["pm_card_visa_chargeDeclined", "failed declined", "failed declined"],
  ["pm_card_visa_chargeDeclinedInsufficientFunds", "failed insufficient_funds", "failed insufficient_funds"],
  ["pm_card_visa_chargeDeclinedLostCard", "failed declined", "failed declined"],
  ["pm_card_visa_chargeDeclinedStolenCard", "failed declined", "failed declined"],
  ["pm_card_visa_chargeDeclinedVelocityLimitExceeded", "failed payer_limit", "failed payer_limit"],
  ["pm_card_chargeDeclinedExpiredCard", "failed expired_card", "failed expired_card"],
  ["pm_card_chargeDeclinedIncorrectCvc", "failed declined", "failed declined"],
  ["pm_card_chargeDeclinedProcessingError", "failed provider_unavailable", "failed provider_unavailable"],
  ["pm_card_authenticationRequired", "requires_action", "requires_action"],
  ["pm_card_threeDSecure2Required", "requires_action", "requires_action"],
  ["pm_test_pendingThenSuccess", "processing", "succeeded"],
  ["pm_test_pendingThenFail", "processing", "failed declined"],
  ["pm_test_timeoutPaid", "pending", "succeeded"],
  ["pm_test_timeoutNotFound", "pending", "failed provider_unavailable"],
  ["pm_test_amountShort", "review", "review"],
  ["pm_test_wrongCurrency", "review", "review"],
  ["pm_test_refundFails", "succeeded", "succeeded"],
  ["pm_test_refundNeedsAttention", "succeeded", "succeeded"],
];

// prettier-ignore
const phones: [phone: string, atOnce: string, later: string][] = [
  ["+233551234980", "succeeded", "succeeded"],
  ["+233551234981", "requires_action", "failed insufficient_funds"],
  ["+233551234982", "requires_action", "failed not_approved"],
  ["+233551234983", "requires_action", "failed timeout"],
  ["+233551234984", "requires_action", "succeeded"],
  ["+233551234985", "requires_action", "expired"],
  ["+233551234987", "requires_action", "succeeded"],
  ["+233551234986", "pending", "failed provider_unavailable"],
  ["+233551234988", "pending", "succeeded"],
  ["+233551234989", "pending", "failed provider_unavailable"],
  ["+233551234990", "requires_action", "succeeded"],
  ["+233551234991", "requires_action", "review"],
  ["+233551234992", "requires_action", "review"],
  ["+233551234993", "requires_action", "succeeded"],
  ["+233551234994", "requires_action", "failed payer_not_found"],
  ["+233551234996", "requires_action", "expired"],
  ["+233551234997", "requires_action", "succeeded"],
  ["+233551234998", "requires_action", "succeeded"],
  ["+254710000081", "requires_action", "failed insufficient_funds"],
  ["+254710000000", "requires_action", "succeeded"],
  ["+2250700000000", "requires_action", "expired"],
  ["+233241112233", "requires_action", "succeeded"],
];

describe("a payment", () => {
  const paying = sharedShop();
  const begun = new Map<string, Answered>();

  // All are under way at once, so that time is moved once.
  beforeAll(async () => {
    const ways = [...cards.map(([card]) => ({ card })), ...phones.map(([phone]) => ({ phone }))];
    for (const by of ways) {
      const value = "card" in by ? by.card : by.phone;
      begun.set(value, await pay(paying, await mugOrder(paying), by));
    }
    await pass(paying, HALF_AN_HOUR);
  });

  /** The status of the first answer, its standing, and that of half an hour later. */
  async function courseOf(value: string): Promise<unknown[]> {
    const payment = begun.get(value);
    if (payment === undefined) throw new Error(`Nothing was paid by ${value}.`);
    const found = await standingOf(paying, payment.string("/reference"));
    return [payment.status, standing(payment), found];
  }

  test.each(cards)("by %s is %s, and later %s", async (card, atOnce, later) => {
    expect(await courseOf(card)).toEqual([201, atOnce, later]);
  });

  test.each(phones)("by %s is %s, and later %s", async (phone, atOnce, later) => {
    expect(await courseOf(phone)).toEqual([201, atOnce, later]);
  });

  test("whose notice arrives before the response is paid", async () => {
    await using own = await openTestShop();
    const payment = await pay(own, await mugOrder(own), { phone: "+233551234995" });

    await pass(own, 1);

    expect(await standingOf(own, payment.string("/reference"))).toBe("succeeded");
  });

  test("that could not be sent is made by a retry with the same key", async () => {
    const orderId = await mugOrder(shop);
    const terms = { card: "pm_test_gatewayError", headers: { "Idempotency-Key": "basket-7" } };

    const first = await pay(shop, orderId, terms);
    const second = await pay(shop, orderId, terms);

    expect([first.status, first.code]).toEqual([503, "gateway_unavailable"]);
    expect([second.status, standing(second)]).toEqual([201, "succeeded"]);
  });

  test("by a token that is not in the table is refused", async () => {
    const payment = await pay(shop, await mugOrder(shop), { card: "pm_card_unheardOf" });

    expect([payment.status, payment.faults]).toEqual([422, ["#/card_token card_token_unknown"]]);
  });
});

describe("a payment emits its event once, however often it is pushed", () => {
  test.each(["+233551234987", "+233551234993", "+233551234995"])("by %s", async (phone) => {
    await using own = await openTestShop();
    await pay(own, await mugOrder(own), { phone });

    await pass(own, HALF_AN_HOUR);

    const names = await own.announcedNames();
    expect(names.filter((name) => name === "payment.succeeded")).toHaveLength(1);
    expect(names.filter((name) => name === "order.paid")).toHaveLength(1);
  });
});

describe("a pushed outcome is known 5 seconds later, any other by polling only", () => {
  // prettier-ignore
  const early: [phone: string, after: string][] = [
    ["+233551234987", "payment.succeeded"],
    ["+233551234981", "payment.failed"],
    ["+233551234984", ""],
  ];

  test.each(early)("%s emits %p", async (phone, announced) => {
    await using own = await openTestShop();
    const orderId = await mugOrder(own);
    await pay(own, orderId, { phone });
    await own.announced();

    await pass(own, 5);

    const names = await own.announcedNames();
    expect(names.filter((name) => name.startsWith("payment.")).join()).toBe(announced);
  });
});

describe("a code", () => {
  // prettier-ignore
  const codes: [phone: string, otp: string, standing: string][] = [
    ["+233551234985", "123456", "succeeded"],
    ["+233551234985", "654321", "requires_action"],
    ["+2250700000000", "1234", "succeeded"],
  ];

  test.each(codes)("required by %s and answered with %s: %s", async (phone, otp, expected) => {
    const payment = await pay(shop, await mugOrder(shop), { phone });

    const answered = await shop.post(`/v2/payments/${payment.string("/reference")}/otp`, { otp });

    expect([payment.at("/next_action/type"), standing(answered)]).toEqual(["otp", expected]);
  });
});

describe("a refund", () => {
  // prettier-ignore
  const refunds: [token: string, status: string][] = [
    ["pm_card_visa", "succeeded"],
    ["pm_test_refundFails", "failed"],
    ["pm_test_refundNeedsAttention", "needs_attention"],
  ];

  test.each(refunds)("of %s is %s in the same call", async (card, status) => {
    const paid = await pay(shop, await mugOrder(shop), { card });

    await shop.post(`/v2/payments/${paid.string("/reference")}/refunds`, {});

    const payment = await shop.get(`/v2/payments/${paid.string("/reference")}`);
    expect(payment.at("/refunds/0/status")).toBe(status);
  });
});

describe("decided by API key", () => {
  test("a payment is approved", async () => {
    const payment = await pay(shop, await mugOrder(shop));

    const approved = await shop.post(`/v2/test/payments/${payment.string("/reference")}/approve`);

    expect([approved.status, standing(approved)]).toEqual([200, "succeeded"]);
    expect(await shop.announcedNames()).toContain("order.paid");
  });

  // prettier-ignore
  const declines: [body: object | undefined, standing: string][] = [
    [undefined, "failed declined"],
    [{ failure_code: "fraud_suspected" }, "failed fraud_suspected"],
  ];

  test.each(declines)("a payment is declined with %p", async (body, expected) => {
    const payment = await pay(shop, await mugOrder(shop));
    const path = `/v2/test/payments/${payment.string("/reference")}/decline`;

    const declined = await shop.post(path, body);

    expect([declined.status, standing(declined)]).toEqual([200, expected]);
  });

  test("a repeated approval returns the same", async () => {
    const payment = await pay(shop, await mugOrder(shop));
    const path = `/v2/test/payments/${payment.string("/reference")}/approve`;
    await shop.post(path);

    const again = await shop.post(path);

    expect([again.status, standing(again)]).toEqual([200, "succeeded"]);
  });

  test("a paid payment cannot be declined", async () => {
    const payment = await pay(shop, await mugOrder(shop), { card: "pm_card_visa" });

    const declined = await shop.post(`/v2/test/payments/${payment.string("/reference")}/decline`);

    expect([declined.status, declined.code]).toEqual([409, "invalid_transition"]);
    expect(declined.at("/action")).toBe("decline");
  });

  test("an expired payment can still be approved at the gateway", async () => {
    await using own = await openTestShop();
    const payment = await pay(own, await mugOrder(own), { phone: "+233551234996" });
    const reference = payment.string("/reference");
    await pass(own, HALF_AN_HOUR);

    const approved = await own.post(`/v2/test/payments/${reference}/approve`);

    expect(standing(approved)).toBe("succeeded");
  });

  test("an unknown failure code is refused", async () => {
    const payment = await pay(shop, await mugOrder(shop));
    const path = `/v2/test/payments/${payment.string("/reference")}/decline`;

    const declined = await shop.post(path, { failure_code: "bad_mood" });

    expect([declined.status, declined.code]).toEqual([422, "validation_failed"]);
  });

  test("an unknown payment is not found", async () => {
    const approved = await shop.post("/v2/test/payments/invoice-7/approve");

    expect([approved.status, approved.code]).toEqual([404, "payment_not_found"]);
  });
});

describe("with a live key", () => {
  // prettier-ignore
  const paths: [method: string, path: string][] = [
    ["GET", "/v2/test/magic"],
    ["POST", "/v2/test/payments/invoice-7/approve"],
    ["POST", "/v2/test/payments/invoice-7/decline"],
  ];

  test.each(paths)("%s %s is not there", async (method, path) => {
    const key = await shop.createKey({ mode: "live" });

    const answer = await shop.send(method, path, { key });

    expect(answer.status).toBe(404);
    expect(answer.code).toBe("not_found");
  });
});

test("the whole table is listed", async () => {
  const shown = await shop.get("/v2/test/magic");

  const values = shown.list("/data").map((_, index) => shown.string(`/data/${index}/value`));
  expect(values).toEqual(magicValues.map(({ value }) => value));
  expect(values).toEqual(
    expect.arrayContaining([...cards, ...phones].slice(0, -1).map(([v]) => v)),
  );
  expect(shown.at("/data/4")).toEqual({
    value: "pm_card_visa_chargeDeclinedInsufficientFunds",
    kind: "card",
    stands_for: "4000000000009995",
    meaning: "Declined: insufficient funds.",
    outcome: "failed",
    failure_code: "insufficient_funds",
    otp: null,
    steps: [{ after_seconds: 0, what: "failed" }],
  });
});
