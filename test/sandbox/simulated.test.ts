// The simulated gateway's answer to each magic value, at once and later, and what it never does.

import { describe, expect, test } from "bun:test";

import type { Initiation, PaymentOutcome, RefundOutcome } from "#payments/port/gateway.ts";
import { magicBook } from "#sandbox/simulated-gateway/magic.ts";
import { SimulatedGateway } from "#sandbox/simulated-gateway/simulated.ts";

import { attempt, byCard, byPhone, openSimulatedRig, refundOf } from "./simulated-rig.ts";

const HALF_AN_HOUR = 1_800;

/** `done succeeded`, `declined lost_card`, `offline`: an answer in a few words. */
function describeAnswer(answer: Initiation): string {
  if (answer.kind === "done") return `done ${answer.outcome.state}`;
  if (answer.kind === "declined") return `declined ${answer.failureCode}`;
  return answer.kind;
}

function became(outcome: PaymentOutcome): string {
  if (outcome.state === "failed") return `failed ${outcome.failureCode}`;
  if (outcome.state !== "succeeded") return outcome.state;
  return `succeeded ${outcome.currency} ${outcome.amountMinor}`;
}

const PAID = "succeeded GHS 2450";

// prettier-ignore
const cards: [token: string, answer: string, end: string][] = [
  ["pm_card_visa", "done succeeded", PAID],
  ["pm_card_mastercard", "done succeeded", PAID],
  ["tok_visa", "done succeeded", PAID],
  ["pm_card_visa_chargeDeclined", "declined declined", "failed declined"],
  ["pm_card_visa_chargeDeclinedInsufficientFunds", "declined insufficient_funds", "failed insufficient_funds"],
  ["pm_card_visa_chargeDeclinedLostCard", "declined declined", "failed declined"],
  ["pm_card_visa_chargeDeclinedStolenCard", "declined declined", "failed declined"],
  ["pm_card_visa_chargeDeclinedVelocityLimitExceeded", "declined payer_limit", "failed payer_limit"],
  ["pm_card_chargeDeclinedExpiredCard", "declined expired_card", "failed expired_card"],
  ["pm_card_chargeDeclinedIncorrectCvc", "declined declined", "failed declined"],
  ["pm_card_chargeDeclinedProcessingError", "declined provider_unavailable", "failed provider_unavailable"],
  ["pm_card_authenticationRequired", "redirect", "pending"],
  ["pm_card_threeDSecure2Required", "redirect", "pending"],
  ["pm_test_pendingThenSuccess", "done pending", PAID],
  ["pm_test_pendingThenFail", "done pending", "failed declined"],
  ["pm_test_gatewayError", "not_sent", "not_found"],
  ["pm_test_timeoutPaid", "unknown", PAID],
  ["pm_test_timeoutNotFound", "unknown", "not_found"],
  ["pm_test_amountShort", "done succeeded", "succeeded GHS 2205"],
  ["pm_test_wrongCurrency", "done succeeded", "succeeded USD 2450"],
  ["pm_test_refundFails", "done succeeded", PAID],
  ["pm_test_refundNeedsAttention", "done succeeded", PAID],
];

// prettier-ignore
const phones: [phone: string, answer: string, end: string][] = [
  ["+233551234980", "done succeeded", PAID],
  ["+233551234981", "offline", "failed insufficient_funds"],
  ["+254710000081", "offline", "failed insufficient_funds"],
  ["+233551234982", "offline", "failed not_approved"],
  ["+233551234983", "offline", "failed timeout"],
  ["+233551234984", "offline", PAID],
  ["+233551234985", "otp", "pending"],
  ["+2250700000000", "otp", "pending"],
  ["+233551234986", "unknown", "not_found"],
  ["+233551234987", "offline", PAID],
  ["+254710000000", "offline", PAID],
  ["+233551234988", "unknown", PAID],
  ["+254710000089", "unknown", "not_found"],
  ["+233551234990", "offline", PAID],
  ["+233551234991", "offline", "succeeded GHS 2205"],
  ["+233551234992", "offline", "succeeded USD 2450"],
  ["+233551234993", "offline", PAID],
  ["+233551234994", "offline", "failed payer_not_found"],
  ["+233551234995", "offline", PAID],
  ["+233551234996", "offline", "pending"],
  ["+233551234997", "offline", PAID],
  ["+233551234998", "offline", PAID],
  ["+233241112233", "offline", PAID],
];

describe("initiated", () => {
  test.each(cards)("the card %s says %s and ends as %s", async (token, answer, end) => {
    await using rig = await openSimulatedRig();

    const initiation = await rig.gateway.initiate(byCard(token));
    await rig.pass(HALF_AN_HOUR);

    expect([describeAnswer(initiation), became(await rig.gateway.verify(byCard(token)))]).toEqual([
      answer,
      end,
    ]);
  });

  test.each(phones)("the phone %s says %s and ends as %s", async (phone, answer, end) => {
    await using rig = await openSimulatedRig();

    const initiation = await rig.gateway.initiate(byPhone(phone));
    await rig.pass(HALF_AN_HOUR);

    expect([describeAnswer(initiation), became(await rig.gateway.verify(byPhone(phone)))]).toEqual([
      answer,
      end,
    ]);
  });

  test("a hosted page has a URL that cannot be guessed", async () => {
    await using rig = await openSimulatedRig();

    const answer = await rig.gateway.initiate(attempt());

    expect(answer.kind === "redirect" && answer.url).toMatch(/\/test\/pay\/[\w-]{32}$/);
  });

  test("initiated twice, a page has one URL", async () => {
    await using rig = await openSimulatedRig();

    const first = await rig.gateway.initiate(attempt());
    const second = await rig.gateway.initiate(attempt());

    expect(second).toEqual(first);
  });

  test("a request that was not sent is paid when it is sent again", async () => {
    await using rig = await openSimulatedRig();
    await rig.gateway.initiate(byCard("pm_test_gatewayError"));

    const again = await rig.gateway.initiate(byCard("pm_test_gatewayError"));

    expect(describeAnswer(again)).toBe("done succeeded");
  });

  test("a request that was not sent is paid under its next reference too", async () => {
    await using rig = await openSimulatedRig();
    const lost = byCard("pm_test_gatewayError");
    await rig.gateway.initiate(lost);

    const again = await rig.gateway.initiate({ ...lost, gatewayReference: "pay-7-2" });

    expect(describeAnswer(again)).toBe("done succeeded");
  });

  test("a request that timed out gets its outcome when it is repeated", async () => {
    await using rig = await openSimulatedRig();
    await rig.gateway.initiate(byCard("pm_test_timeoutPaid"));
    await rig.pass(5);

    const again = await rig.gateway.initiate(byCard("pm_test_timeoutPaid"));

    expect(describeAnswer(again)).toBe("done succeeded");
  });

  test("a card token that is not in the table is refused before anything is sent", async () => {
    await using rig = await openSimulatedRig();

    const faults = rig.gateway.validate(byCard("pm_card_unheardOf"));

    expect(faults.map(({ field, code }) => [field, code])).toEqual([
      ["card_token", "card_token_unknown"],
    ]);
  });
});

describe("on the shop's clock", () => {
  // prettier-ignore
  const turns: { what: string; phone: string; seconds: number; after: string }[] = [
    { what: "then", phone: "+233551234987", seconds: 5, after: PAID },
    { what: "a network's timeout", phone: "+233551234983", seconds: 180, after: "failed timeout" },
    { what: "late money", phone: "+233551234990", seconds: 600, after: PAID },
  ];

  test.each(turns)("$what arrives when it is due", async ({ phone, seconds, after }) => {
    const sent = byPhone(phone);
    await using rig = await openSimulatedRig();
    await rig.gateway.initiate(sent);

    await rig.pass(seconds - 1);
    const early = became(await rig.gateway.verify(sent));
    await rig.pass(1);

    expect([early, became(await rig.gateway.verify(sent))]).toEqual(["pending", after]);
  });

  test("a restart changes no later step", async () => {
    await using rig = await openSimulatedRig();
    await rig.gateway.initiate(byPhone("+233551234987"));

    const gateway = await rig.restart();
    await rig.pass(5);

    expect(became(await gateway.verify(byPhone("+233551234987")))).toBe(PAID);
    expect(rig.notices).toHaveLength(1);
  });
});

describe("notices", () => {
  // prettier-ignore
  const pushes: [phone: string, atOnce: number, dedupKeys: string[]][] = [
    ["+233551234987", 0, ["succeeded"]],
    ["+233551234981", 0, ["failed"]],
    ["+233551234984", 0, []],
    ["+233551234988", 0, []],
    ["+233551234993", 0, ["succeeded", "pending", "succeeded", "succeeded again"]],
    ["+233551234995", 1, ["succeeded"]],
    ["+233551234996", 0, []],
  ];

  test.each(pushes)("about %s: %d before the answer, in all %p", async (phone, atOnce, names) => {
    await using rig = await openSimulatedRig();

    await rig.gateway.initiate(byPhone(phone));
    const before = rig.notices.length;
    await rig.pass(HALF_AN_HOUR);

    const read = rig.notices.map(({ bytes, headers }) =>
      rig.gateway.parseWebhook({ bytes, headers, token: null }),
    );
    const { gatewayReference } = byPhone(phone);
    expect(before).toBe(atOnce);
    expect(read).toEqual(
      names.map((name) => ({
        kind: "notice",
        dedupKey: `${gatewayReference} ${name}`,
        gatewayReference,
        names: [],
        topic: "payment",
        mode: "test",
      })),
    );
  });

  test("a notice with one byte changed is rejected", async () => {
    await using rig = await openSimulatedRig();
    await rig.gateway.push("pay-7-1", "succeeded");
    const { bytes = new Uint8Array(), headers = new Headers() } = rig.notices[0] ?? {};
    const changed = new TextEncoder().encode(new TextDecoder().decode(bytes).replace("7", "8"));

    expect(rig.gateway.parseWebhook({ bytes: changed, headers, token: null })).toEqual({
      kind: "reject",
    });
  });

  test("a notice without a signature is rejected", async () => {
    await using rig = await openSimulatedRig();
    await rig.gateway.push("pay-7-1", "succeeded");
    const { bytes = new Uint8Array() } = rig.notices[0] ?? {};

    expect(rig.gateway.parseWebhook({ bytes, headers: new Headers(), token: null })).toEqual({
      kind: "reject",
    });
  });

  test("a notice that is requested again is a new one each time", async () => {
    await using rig = await openSimulatedRig();
    await rig.gateway.initiate(attempt());

    await rig.gateway.pushAgain(attempt().gatewayReference);
    await rig.gateway.pushAgain(attempt().gatewayReference);

    expect(new Set(rig.notices.map(({ bytes }) => new TextDecoder().decode(bytes))).size).toBe(2);
  });
});

describe("a customer", () => {
  // prettier-ignore
  const codes: [phone: string, otp: string, answer: string][] = [
    ["+233551234985", "123456", "done succeeded"],
    ["+233551234985", "1234", "otp"],
    ["+2250700000000", "1234", "done succeeded"],
    ["+2250700000000", "123456", "otp"],
  ];

  test.each(codes)("with the phone %s who types the code %s: %s", async (phone, otp, answer) => {
    await using rig = await openSimulatedRig();
    await rig.gateway.initiate(byPhone(phone));

    expect(describeAnswer(await rig.gateway.submitAction(byPhone(phone), { otp }))).toBe(answer);
  });

  test("decides once", async () => {
    await using rig = await openSimulatedRig();
    await rig.gateway.initiate(attempt());
    const { gatewayReference } = attempt();
    await rig.gateway.play(gatewayReference, { decision: "approved", failureCode: null });

    const again = await rig.gateway.play(gatewayReference, {
      decision: "declined",
      failureCode: "declined",
    });

    expect(again).toBeNull();
    expect(became(await rig.gateway.verify(attempt()))).toBe(PAID);
  });

  test("leaving a phone's payment pending stops its automatic approval", async () => {
    await using rig = await openSimulatedRig();
    const sent = byPhone("+233551234987");
    await rig.gateway.initiate(sent);

    await rig.gateway.play(sent.gatewayReference, { decision: "left", failureCode: null });
    await rig.pass(HALF_AN_HOUR);

    expect(became(await rig.gateway.verify(sent))).toBe("pending");
  });

  test("can still pay after the shop stopped waiting", async () => {
    await using rig = await openSimulatedRig();
    const sent = byPhone("+233551234996");
    await rig.gateway.initiate(sent);
    await rig.gateway.cancel(sent);

    await rig.gateway.play(sent.gatewayReference, { decision: "approved", failureCode: null });

    expect(became(await rig.gateway.verify(sent))).toBe(PAID);
  });
});

describe("cancelled by the shop", () => {
  test("an open page accepts no payment any more", async () => {
    await using rig = await openSimulatedRig();
    await rig.gateway.initiate(attempt());

    const answer = await rig.gateway.cancel(attempt());

    expect(answer).toEqual({ kind: "cancelled" });
    expect(became(await rig.gateway.verify(attempt()))).toBe("failed not_approved");
  });

  test("a paid charge is too late to cancel", async () => {
    await using rig = await openSimulatedRig();
    await rig.gateway.initiate(byCard("pm_card_visa"));

    const answer = await rig.gateway.cancel(byCard("pm_card_visa"));

    expect(answer).toMatchObject({ kind: "too_late", outcome: { state: "succeeded" } });
  });

  test("a prompt that the network does not withdraw is not cancelled", async () => {
    await using rig = await openSimulatedRig();
    await rig.gateway.initiate(byPhone("+233551234990"));

    expect(await rig.gateway.cancel(byPhone("+233551234990"))).toEqual({ kind: "unsupported" });
  });
});

describe("refunded", () => {
  // prettier-ignore
  const refunds: [token: string, kind: RefundOutcome["kind"]][] = [
    ["pm_card_visa", "succeeded"],
    ["pm_test_refundFails", "failed"],
    ["pm_test_refundNeedsAttention", "needs_attention"],
    ["pm_card_visa_chargeDeclined", "failed"],
  ];

  test.each(refunds)("of %s: %s, and again the same", async (token, kind) => {
    await using rig = await openSimulatedRig();
    await rig.gateway.initiate(byCard(token));

    const first = await rig.gateway.refund(refundOf(byCard(token), 2450));
    const second = await rig.gateway.refund(refundOf(byCard(token), 2450));
    const seen = await rig.gateway.verifyRefund(refundOf(byCard(token), 2450));

    expect(first.kind).toBe(kind);
    expect([second, seen]).toEqual([first, first]);
  });

  test("a charge is never refunded beyond what was taken", async () => {
    await using rig = await openSimulatedRig();
    const paid = byCard("pm_card_visa");
    await rig.gateway.initiate(paid);
    await rig.gateway.refund(refundOf(paid, 2000));

    const answer = await rig.gateway.refund(refundOf(paid, 451, "ref_01kf0000000000000000000002"));

    expect(answer).toMatchObject({ kind: "failed", gatewayCode: "amount_exceeds_charge" });
  });

  test("an unknown refund is not found", async () => {
    await using rig = await openSimulatedRig();

    const answer = await rig.gateway.verifyRefund(refundOf(byCard("pm_card_visa"), 1));

    expect(answer).toEqual({ kind: "not_found" });
  });
});

test("a live shop has no simulated gateway", async () => {
  await using rig = await openSimulatedRig();
  const shop = { ...rig.shop, mode: "live" as const };
  const options = { shop, book: magicBook, pageUrl: String, deliver: async () => {} };

  expect(() => new SimulatedGateway(options)).toThrow("Live mode");
});
