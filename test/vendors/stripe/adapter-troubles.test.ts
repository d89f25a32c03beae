// What the gateway at Stripe makes of a vendor in trouble: what certainly was not done, what may have been, and what
// no document describes.

import { describe, expect, test } from "bun:test";

import { everyFault, faultName } from "#mocks/faults.ts";
import { answerOf } from "#payments/gateways/stripe/answers.ts";
import { failureOf } from "#payments/gateways/stripe/outcomes.ts";
import { openStripe } from "#payments/gateways/stripe/stripe.ts";
import type { GatewayCallTerms } from "#payments/port/gateway.ts";

import {
  byToken,
  callTerms,
  onPage,
  openStripeGateway,
  type StripeGatewayRig,
  termsOf,
} from "./adapter.ts";

const open = () => openStripeGateway({ startsAt: 0 });

/** Terms that end within the time of a test, as those of a shop end within its own. */
function hasty(): GatewayCallTerms {
  return { ...callTerms().terms, signal: AbortSignal.timeout(400) };
}

const card = byToken("pm_card_visa");
const initiate = ({ gateway }: StripeGatewayRig, attempt = card) =>
  gateway.initiate(attempt, hasty());

describe("a call that was not sent", () => {
  const notSent = { kind: "not_sent", retryAfterMs: null } as const;

  test("because the vendor is down is one", async () => {
    await using rig = await open();
    await rig.face.server.down();

    expect(await initiate(rig)).toEqual({ ...notSent, trouble: null });
    expect(await rig.gateway.verify(card, hasty())).toEqual({ state: "unknown", trouble: null });
  });

  test("because there were too many is one, and the same call goes on later", async () => {
    await using rig = await open();
    const fault = { moment: "before", fault: { kind: "rate_limit" } } as const;
    rig.face.faults.plan(fault, { call: "POST /v1/payment_intents/{id}/confirm" });

    const [first, again] = [await initiate(rig), await initiate(rig)];

    expect(first).toEqual({ ...notSent, trouble: "rate_limited" });
    expect(again).toMatchObject({ kind: "done", outcome: { state: "succeeded" } });
    expect(rig.face.account.intents.all()).toHaveLength(1);
  });

  test("because the secret is another account's is one, and calls the operator", async () => {
    await using rig = await open();
    const gateway = openStripe(termsOf(rig.face, { secret: "sk_test_0ther" }));
    const misconfigured = { trouble: "misconfigured" } as const;

    expect(await gateway.initiate(card, hasty())).toEqual({ ...notSent, ...misconfigured });
    expect(await gateway.initiate(onPage(), hasty())).toEqual({ ...notSent, ...misconfigured });
    expect(await gateway.verify(card, hasty())).toEqual({ state: "unknown", ...misconfigured });
    expect(await gateway.cancel(card, hasty())).toEqual({ kind: "unknown", ...misconfigured });
  });

  test("because the key has no right to it is one", async () => {
    await using rig = await open();
    rig.face.denied.push("POST /v1/checkout/sessions");

    expect(await initiate(rig, onPage())).toEqual({ ...notSent, trouble: "misconfigured" });
  });

  test("because a live gateway calls no machine but the vendor's is one", async () => {
    await using rig = await open();
    const live = openStripe(termsOf(rig.face, { mode: "live", secret: "sk_live_3Fa03Fa03Fa0" }));

    expect(await live.initiate(card, hasty())).toEqual({ ...notSent, trouble: "misconfigured" });
    expect(rig.face.server.asked).toEqual([]);
  });
});

const reading = everyFault.filter(({ moment }) => moment === "after");

describe("an answer that cannot be read", () => {
  test.each(reading.map((planned) => [faultName(planned), planned] as const))(
    "because of %s leaves a payment that is paid unknown or paid, and never failed",
    async (_, planned) => {
      await using rig = await open();
      const called = callTerms();
      await rig.gateway.initiate(card, called.terms);
      rig.face.faults.plan(planned);

      const attempt = { ...card, names: called.named };
      const struck = await rig.gateway.verify(attempt, hasty());

      expect(["unknown", "succeeded"]).toContain(struck.state);
      expect(await rig.gateway.verify(attempt, hasty())).toMatchObject({ state: "succeeded" });
    },
  );

  test.each([
    ["text_amounts", "/amount_received"],
    ["wide_ids", "/id"],
    ["unknown_status", "/status"],
  ] as const)(
    "because of %s is told with its place, and without its value",
    async (kind, pointer) => {
      await using rig = await open();
      const called = callTerms();
      await rig.gateway.initiate(card, called.terms);
      rig.face.faults.plan({ moment: "after", fault: { kind } });

      expect(await rig.gateway.verify({ ...card, names: called.named }, hasty())).toEqual({
        state: "unknown",
        trouble: "surprise",
        pointer,
      });
    },
  );
});

describe("what the vendor refuses for good", () => {
  test("declines the payment, and calls the operator where the shop is to blame", async () => {
    await using rig = await open();

    const [tooSmall, noCard, soon] = [
      await initiate(rig, onPage({ amountMinor: 49 })),
      await initiate(rig, byToken("pm_unknown", { gatewayReference: "pay-8-1" })),
      await initiate(rig, onPage({ gatewayReference: "pay-9-1", gatewayEndsAt: 60_000 })),
    ];

    const declined = { kind: "declined", failureCode: "other", names: [] } as const;
    const surprise = { trouble: "surprise", pointer: "/error/code" } as const;
    expect(tooSmall).toEqual({ ...declined, gatewayCode: "amount_too_small", ...surprise });
    expect(noCard).toEqual({ ...declined, gatewayCode: "resource_missing" });
    expect(soon).toEqual({ ...declined, gatewayCode: "invalid_request_error", ...surprise });
    expect(rig.face.account.books.entries).toEqual([]);
  });

  test("because a key stands for another body is unknown: no other key is tried", async () => {
    await using rig = await open();
    await initiate(rig, onPage());

    const other = await initiate(rig, onPage({ amountMinor: 2451 }));

    expect(other).toEqual({ kind: "unknown", trouble: "surprise", pointer: "/error/type" });
    expect(rig.face.account.sessions.all()).toHaveLength(1);
  });
});

function reply(status: number, body: string, headers: Record<string, string> = {}) {
  const bytes = new TextEncoder().encode(body);
  return { failure: null, status, headers: new Headers(headers), bytes, address: "127.0.0.1" };
}

const errorOf = (error: object) => JSON.stringify({ error });
const limit = { type: "invalid_request_error", code: "rate_limit" };
const unknown = { kind: "unknown" };
const surprising = (pointer: string) => ({ kind: "unknown", trouble: "surprise", pointer });
const limited = { kind: "not_sent", trouble: "rate_limited" };

test.each<[string, ReturnType<typeof reply>, object]>([
  [
    "429 that says when",
    reply(429, errorOf(limit), { "retry-after": "7" }),
    { ...limited, retryAfterMs: 7000 },
  ],
  [
    "429 whose pause is an instant",
    reply(429, errorOf(limit), { "retry-after": "1795000000" }),
    { ...limited, retryAfterMs: 3_600_000 },
  ],
  ["429 that says nothing", reply(429, ""), { ...limited, retryAfterMs: null }],
  ["429 because of another call", reply(429, errorOf({ ...limit, code: "lock_timeout" })), unknown],
  ["409", reply(409, errorOf({ type: "idempotency_error" })), unknown],
  ["500", reply(500, errorOf({ type: "api_error" })), unknown],
  ["302", reply(302, "{}", { location: "https://example.com" }), surprising("")],
  ["404 of another program", reply(404, "<h1>Not found</h1>"), surprising("")],
  ["400 without a type", reply(400, errorOf({ message: "No." })), surprising("/error/type")],
  ["400 without an error", reply(400, "{}"), surprising("/error")],
  ["200 with a list", reply(200, "[]"), surprising("")],
])("%s is told as what it proves", (_, given, answer) => {
  expect(answerOf(given)).toMatchObject(answer);
});

test.each([
  ["insufficient_funds", "insufficient_funds"],
  ["generic_decline", "declined"],
  ["do_not_honor", "declined"],
  ["lost_card", "declined"],
  ["stolen_card", "declined"],
  ["incorrect_cvc", "declined"],
  ["card_velocity_exceeded", "payer_limit"],
  ["card_decline_rate_limit_exceeded", "payer_limit"],
  ["expired_card", "expired_card"],
  ["incorrect_number", "invalid_number"],
  ["fraudulent", "fraud_suspected"],
  ["incorrect_pin", "wrong_pin"],
  ["pin_try_exceeded", "wrong_pin"],
  ["authentication_required", "not_approved"],
  ["payment_intent_authentication_failure", "not_approved"],
  ["processing_error", "provider_unavailable"],
  ["issuer_not_available", "provider_unavailable"],
  ["try_again_later", "provider_unavailable"],
  ["a_code_of_next_year", "declined"],
] as const)("a card that was declined with %s is %s to the shop", (code, failureCode) => {
  const error = { type: "card_error", code: "card_declined", declineCode: code };

  expect(failureOf(error)).toEqual({ failureCode, gatewayCode: code });
});

test("what is no decline of a card is told as it is", () => {
  const error = { type: "invalid_request_error", code: "country_unsupported", declineCode: null };

  expect(failureOf(error)).toEqual({ failureCode: "other", gatewayCode: "country_unsupported" });
  expect(failureOf({ ...error, code: null }).gatewayCode).toBe("invalid_request_error");
});
