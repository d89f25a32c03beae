// The gateway at Paystack against its face: what it takes, what a payer has to do, what money is read as, and refunds.

import { describe, expect, test } from "bun:test";

import type { CurrencyCode } from "#kernel/currency.ts";
import { VendorServer } from "#mocks/vendor-server.ts";
import { Fields } from "#payments/gateways/answers/fields.ts";
import { failureOf, outcomeOf } from "#payments/gateways/paystack/outcomes.ts";
import { openPaystack } from "#payments/gateways/paystack/paystack.ts";
import type { Provider } from "#payments/rows/payment-life.ts";

import { byPhone, call, onPage, openPaystackGateway, refundOf, termsOf } from "./rig.ts";

const offeredTerms = {
  mode: "test",
  clock: { now: () => 0 },
  secret: "sk_test_1",
  webhookSecrets: [],
  address: "http://127.0.0.1:1",
} as const;
const offered = openPaystack(offeredTerms);

describe("it takes", () => {
  test.each([
    ["GHS", "mobile_money", "mtn", 10],
    ["GHS", "mobile_money", "telecel", 10],
    ["GHS", "card", null, 10],
    ["KES", "mobile_money", "mpesa", 300],
    ["XOF", "mobile_money", "wave", 1],
    ["XOF", "gateway", null, 1],
    ["NGN", "gateway", null, 5_000],
    ["ZAR", "gateway", null, 100],
    ["USD", "gateway", null, 200],
  ] as const)("%s by %s of %s, from %p minor units on", (...row) => {
    const [currency, method, provider, minimumMinor] = row;

    expect(offered.takes({ currency, method, provider })).toEqual({
      multipleMinor: 1,
      minimumMinor,
      maximumMinor: null,
    });
  });

  test.each([
    ["NGN", "mobile_money", null],
    ["GHS", "mobile_money", "mpesa"],
    ["KES", "mobile_money", "mtn"],
    ["EUR", "gateway", null],
    ["XAF", "mobile_money", "orange"],
  ] as const)("no %s by %s of %s", (currency, method, provider) => {
    expect(offered.takes({ currency, method, provider })).toBeNull();
  });

  test("phones of the country of the currency, and no others", () => {
    const takes = (phone: string) =>
      offered.takes({ currency: "KES", method: "mobile_money", provider: "mpesa", phone }) !== null;

    expect(["+254710000000", "+233551234987"].map(takes)).toEqual([true, false]);
  });
});

describe("a phone", () => {
  test.each([
    ["GHS", "+233551234987", "telecel", { phone: "0551234987", provider: "vod" }],
    ["GHS", "+233271234987", "airteltigo", { phone: "0271234987", provider: "atl" }],
    ["KES", "+254710000000", "mpesa", { phone: "+254710000000", provider: "mpesa" }],
    ["XOF", "+2250700000000", "orange", { phone: "0700000000", provider: "orange" }],
  ] as const)("of %s %s at %s is sent as Paystack writes it", async (...row) => {
    const [currency, phone, provider, written] = row;
    await using rig = await openPaystackGateway();

    await rig.gateway.initiate(byPhone("87", { currency, phone, provider }), call);

    expect(JSON.parse(rig.face.server.asked[0]?.body ?? "").mobile_money).toEqual(written);
  });

  test.each<[CurrencyCode, string | null, Provider | null, string, string]>([
    ["GHS", "+254710000000", "mtn", "phone", "phone_not_in_country"],
    ["KES", "+233551234987", "mpesa", "phone", "phone_not_in_country"],
    ["GHS", null, "mtn", "phone", "phone_not_in_country"],
    ["GHS", "+233551234987", null, "provider", "required"],
  ])("of %s %s at %s is refused before any call", (...row) => {
    const [currency, phone, provider, field, code] = row;
    const asked = byPhone("87", { currency, phone, provider });

    expect(offered.validate(asked)).toMatchObject([{ field, code }]);
  });

  test("that has to approve, has to enter a code, or is worked on is told so", async () => {
    await using rig = await openPaystackGateway();
    const initiate = (end: string, n: number) =>
      rig.gateway.initiate(byPhone(end, { gatewayReference: `pay-${n}` }), call);

    expect(await initiate("87", 1)).toMatchObject({ kind: "offline", action: "approve_on_phone" });
    expect(await initiate("85", 2)).toMatchObject({ kind: "otp" });
    expect(await initiate("80", 3)).toMatchObject({
      kind: "done",
      outcome: { state: "succeeded", amountMinor: 2450 },
    });
  });

  test("that entered a wrong code is asked again, and fails with the third one", async () => {
    await using rig = await openPaystackGateway();
    const asked = byPhone("85");
    await rig.gateway.initiate(asked, call);
    const submit = (otp: string) => rig.gateway.submitAction(asked, { otp }, call);

    expect((await submit("000000")).kind).toBe("otp");
    expect((await submit("000001")).kind).toBe("otp");
    expect(await submit("000002")).toMatchObject({ kind: "declined", failureCode: "wrong_pin" });
    // What refuses a code may have decided the attempt: it has to be read.
    expect(await submit("123456")).toEqual({ kind: "unknown" });
  });

  test("is prompted once, however often it is asked for", async () => {
    await using rig = await openPaystackGateway();
    const asked = byPhone("87");

    await rig.gateway.initiate(asked, call);
    const again = await rig.gateway.initiate(asked, call);

    expect(again).toMatchObject({ kind: "done", outcome: { state: "pending" } });
    expect(rig.face.account.transactions.size).toBe(1);
  });
});

describe("an answer about another reference", () => {
  const other = "pay-other-1";
  const said = (data: object) => JSON.stringify({ status: true, message: "Done", data });

  test.each([
    ["a page", onPage(), { authorization_url: "https://pay.example/1", reference: other }],
    ["a prompt", byPhone("87"), { status: "pay_offline", reference: other }],
    ["a failure", byPhone("87"), { status: "failed", reference: other }],
  ])("to %s is unknown: no poll would find its money", async (_, asked, data) => {
    await using server = new VendorServer(async () => ({
      reply: { status: 200, headers: { "content-type": "application/json" }, body: said(data) },
      travel: { kind: "whole" },
    }));
    await server.up();
    const gateway = openPaystack({ ...offeredTerms, address: server.url });

    expect(await gateway.initiate(asked, call)).toMatchObject({
      kind: "unknown",
      pointer: "/data/reference",
    });
  });
});

describe("a page", () => {
  test("is asked for with the shop's own words alone", async () => {
    await using rig = await openPaystackGateway();

    const page = await rig.gateway.initiate(onPage({ method: "card", email: null }), call);

    expect(page).toMatchObject({ kind: "redirect", expiresAt: null });
    const { reference, metadata, ...sent } = JSON.parse(rig.face.server.asked[0]?.body ?? "");
    expect(sent).toEqual({
      email: `${reference}@shop.example`,
      amount: 2450,
      currency: "GHS",
      callback_url: "https://shop.example/pay/return/t0k3n",
      channels: ["card"],
    });
    expect(Object.keys(metadata)).toEqual(["duka", "cancel_action"]);
  });

  test("on which a card was declined is open for the next one until its end", async () => {
    await using rig = await openPaystackGateway();
    const asked = onPage();
    await rig.gateway.initiate(asked, call);
    rig.face.payOnPage(asked.gatewayReference, "pm_card_visa_chargeDeclined");

    const open = await rig.gateway.verify(asked, call);
    rig.face.payOnPage(asked.gatewayReference, "pm_card_visa");
    const paid = await rig.gateway.verify(asked, call);

    expect(open).toMatchObject({ state: "pending" });
    expect(paid).toMatchObject({
      state: "succeeded",
      channel: "card",
      instrument: { last4: "4081" },
    });
  });

  test("whose address was lost is not asked for again under its name", async () => {
    await using rig = await openPaystackGateway();
    await rig.gateway.initiate(onPage(), call);

    expect(await rig.gateway.initiate(onPage(), call)).toEqual({ kind: "unknown" });
  });

  test("takes no card token", () => {
    const faults = offered.validate(onPage({ method: "card", cardToken: "pm_card_visa" }));

    expect(faults).toMatchObject([{ field: "card_token", code: "method_not_supported" }]);
  });
});

describe("money", () => {
  const asked = byPhone("87");
  const about = { attempt: asked, mode: "test", now: 0 } as const;
  const transaction = (given: object) =>
    new Fields({
      id: 1,
      domain: "test",
      status: "success",
      reference: asked.gatewayReference,
      amount: 2450,
      currency: "GHS",
      fees: 49,
      paid_at: "1970-01-01T00:00:05.000Z",
      channel: "mobile_money",
      ...given,
    });

  test("that a payer who bears the fees paid beside the price is not the shop's", () => {
    const told = transaction({ amount: 2499, requested_amount: 2450 });

    expect(outcomeOf(told, about, 0)).toMatchObject({ amountMinor: 2450, feeMinor: 49 });
  });

  test("that is less than was asked for counts as it came", () => {
    const told = transaction({ amount: 2205, requested_amount: 2450 });

    expect(outcomeOf(told, about, 0)).toMatchObject({ state: "succeeded", amountMinor: 2205 });
  });

  test.each([
    ["XOF", 100_000, 1000],
    ["GHS", 100_000, 100_000],
    ["KES", "5000", 5000],
  ] as const)("of %s %p is %p minor units", (currency, amount, amountMinor) => {
    expect(outcomeOf(transaction({ currency, amount }), about, 0)).toMatchObject({ amountMinor });
  });

  test.each([
    ["a franc with a fraction", { currency: "XOF", amount: 100_050 }, "/amount"],
    ["a fraction", { amount: 2450.5 }, "/amount"],
    ["less than nothing", { amount: -1 }, "/amount"],
    ["another reference", { reference: "pay-other-1" }, "/reference"],
    ["the other mode", { domain: "live" }, "/domain"],
    ["an unknown status", { status: "on_the_moon" }, "/status"],
    ["an unknown currency", { currency: "XXX" }, "/currency"],
  ])("with %s is a surprise", (_, given, pointer) => {
    expect(() => outcomeOf(transaction(given), about, 0)).toThrow(pointer);
  });

  test.each([
    ["the vendor tells none", { fees: null }],
    ["it is a part of a franc", { currency: "XOF", amount: 100_000, fees: 1949 }],
  ])("has no fee where %s", (_, given) => {
    expect(outcomeOf(transaction(given), about, 0)).toMatchObject({ feeMinor: null });
  });

  test("is named by every digit of an id of 64 bits", async () => {
    await using rig = await openPaystackGateway();
    await rig.gateway.initiate(byPhone("80"), call);

    const [known] = rig.face.account.transactions.values();
    expect(Number(known?.id)).toBeGreaterThan(Number.MAX_SAFE_INTEGER);
    expect(await rig.gateway.verify(byPhone("80"), call)).toMatchObject({
      names: [{ kind: "transaction", name: known?.id }, { kind: "receipt" }],
    });
  });

  test.each([
    ["Insufficient funds in your wallet", "insufficient_funds"],
    ["LOW BALANCE OR PAYEE LIMIT REACHED OR NOT ALLOWED", "insufficient_funds"],
    ["You entered a wrong PIN", "wrong_pin"],
    ["Transaction limit exceeded", "payer_limit"],
    ["The transaction timed out", "timeout"],
    ["Rejected by the customer", "not_approved"],
    ["Subscriber not registered", "payer_not_found"],
    ["Invalid phone number", "invalid_number"],
    ["Suspected fraud", "fraud_suspected"],
    ["System unavailable, try again later", "provider_unavailable"],
    ["Declined", "declined"],
    ["Something else", "other"],
  ] as const)("that did not come because of %p fails as %s", (words, failureCode) => {
    expect(failureOf(words)).toMatchObject({ failureCode, gatewayCode: words });
  });
});

test("a payer in francs who bears the fees is credited what was asked for", async () => {
  await using rig = await openPaystackGateway();
  const attempt = onPage({ currency: "XOF", amountMinor: 1001 });
  rig.face.account.payerBearsFees = true;
  await rig.gateway.initiate(attempt, call);
  rig.face.payOnPage(attempt.gatewayReference, "pm_card_visa");

  const outcome = await rig.gateway.verify(attempt, call);

  const [transaction] = rig.face.account.transactions.values();
  expect([transaction?.amount, transaction?.requested]).toEqual([102_102, 100_100]);
  expect(outcome).toMatchObject({ state: "succeeded", amountMinor: 1001 });
});

describe("a refund", () => {
  async function openPaid(refundMs = 0) {
    const rig = await openPaystackGateway({ refundMs });
    const paid = byPhone("80");
    await rig.gateway.initiate(paid, call);
    return { rig, paid, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
  }

  test("is found by its note where its answer was lost, and not sent again", async () => {
    await using opened = await openPaid(60_000);
    const { rig, paid } = opened;
    const fault = { moment: "after", fault: { kind: "reset" } } as const;
    rig.face.faults.plan(fault, { call: "POST /refund" });

    const lost = await rig.gateway.refund(refundOf(paid, 500), call);
    const again = await rig.gateway.refund(refundOf(paid, 500, { wasAsked: true }), call);

    expect([lost.kind, again.kind]).toEqual(["unknown", "pending"]);
    expect(rig.face.account.refunds).toHaveLength(1);
  });

  test("that is on its way leaves the payment paid, with the money that goes back", async () => {
    await using opened = await openPaid(60_000);
    const { rig, paid } = opened;
    await rig.gateway.refund(refundOf(paid, 500), call);

    expect(await rig.gateway.verify(paid, call)).toMatchObject({
      state: "succeeded",
      amountMinor: 2450,
      returnedMinor: 500,
    });
  });

  test("of the dashboard is listed without a name of the shop's", async () => {
    await using opened = await openPaid();
    const { rig, paid } = opened;
    rig.face.refundInDashboard(paid.gatewayReference, 700);

    const found = await rig.gateway.findRefunds(paid, call);

    expect(found).toMatchObject({ kind: "found", refunds: [{ amountMinor: 700 }] });
    expect(JSON.stringify(found)).not.toContain("ref_");
  });

  test("tells the customer why, in the shop's word", async () => {
    await using opened = await openPaid();
    const { rig, paid } = opened;

    await rig.gateway.refund(refundOf(paid, 500, { reason: "order_cancelled" }), call);

    const asked = rig.face.server.asked.findLast(({ method }) => method === "POST");
    expect(JSON.parse(asked?.body ?? "")).toMatchObject({ customer_note: "order cancelled" });
  });

  test("is unknown where not all refunds could be listed", async () => {
    await using opened = await openPaid();
    const { rig, paid } = opened;
    rig.face.faults.plan({ moment: "after", fault: { kind: "empty" } }, { call: "GET /refund" });

    const asked = await rig.gateway.refund(refundOf(paid, 500), call);

    expect(asked).toMatchObject({ kind: "unknown" });
    expect(rig.face.account.refunds).toEqual([]);
  });

  test.each([
    ["97", "failed"],
    ["98", "needs_attention"],
  ] as const)("of a phone that ends with %s becomes %s", async (end, kind) => {
    await using rig = await openPaystackGateway();
    const paid = byPhone(end);
    await rig.gateway.initiate(paid, call);
    rig.face.pass(10_000);

    expect((await rig.gateway.refund(refundOf(paid, 500), call)).kind).toBe(kind);
  });

  test("that a person made of many is found on every page of the list", async () => {
    await using opened = await openPaid();
    const { rig, paid } = opened;
    for (let made = 0; made < 60; made += 1) rig.face.refundInDashboard(paid.gatewayReference, 1);

    const found = await rig.gateway.findRefunds(paid, call);

    expect(found.kind === "found" ? found.refunds.length : 0).toBe(60);
  });
});

describe("a vendor in trouble", () => {
  test.each([
    ["knows another secret", { secret: "sk_test_0ther" }, "misconfigured"],
    ["is called by a live gateway on this machine", { mode: "live" }, "misconfigured"],
  ] as const)("that %s was not asked, and calls the operator", async (_, given, trouble) => {
    await using rig = await openPaystackGateway();
    const gateway = openPaystack(termsOf(rig.face, given));

    const first = await gateway.initiate(byPhone("80"), call);

    expect(first).toMatchObject({ kind: "not_sent", trouble });
    expect(await gateway.verify(byPhone("80"), call)).toMatchObject({ state: "unknown", trouble });
  });

  test("that refuses this address was not called", async () => {
    await using rig = await openPaystackGateway();
    rig.face.refusesAddress = true;

    expect(await rig.gateway.initiate(onPage(), call)).toMatchObject({
      kind: "not_sent",
      trouble: "misconfigured",
    });
  });

  test("that has had too many calls says how long to wait", async () => {
    await using rig = await openPaystackGateway();
    rig.face.faults.plan({ moment: "before", fault: { kind: "rate_limit" } });

    expect(await rig.gateway.initiate(byPhone("80"), call)).toEqual({
      kind: "not_sent",
      trouble: "rate_limited",
      retryAfterMs: 2000,
    });
  });

  test("is read by GET alone", async () => {
    await using rig = await openPaystackGateway();
    const paid = byPhone("80");
    await rig.gateway.initiate(paid, call);
    const before = rig.face.server.asked.length;

    await rig.gateway.verify(paid, call);
    await rig.gateway.findRefunds(paid, call);
    await rig.gateway.verifyRefund(refundOf(paid, 1), call);
    await rig.gateway.cancel(paid, call);

    const asked = rig.face.server.asked.slice(before).map(({ method }) => method);
    expect(new Set(asked)).toEqual(new Set(["GET"]));
  });
});
