// The gateway at Stripe, held against the face: what it asks, what it takes for paid, and what it never does twice.

import { describe, expect, test } from "bun:test";

import { Fields } from "#payments/gateways/answers/fields.ts";
import { outcomeOfSession } from "#payments/gateways/stripe/outcomes.ts";
import type { GatewayAttempt, PaymentOutcome } from "#payments/port/gateway.ts";
import type { GatewayName } from "#payments/rows/payment-life.ts";
import { type MagicOutcome, magicValues } from "#sandbox/simulated-gateway/magic.ts";

import { byToken, callTerms, onPage, openStripeGateway, type StripeGatewayRig } from "./adapter.ts";
import { clientOf } from "./rig.ts";

const STARTS_AT = Date.UTC(2026, 0, 5, 8);
/** The end that the shop fixed with the attempt, an hour ahead. */
const gatewayEndsAt = STARTS_AT + 3_600_000;
const times = { gatewayEndsAt, gatewayAskedAt: STARTS_AT };
const card = (token: string, given: Partial<GatewayAttempt> = {}) =>
  byToken(token, { ...times, ...given });
const page = (given: Partial<GatewayAttempt> = {}) => onPage({ ...times, ...given });
const open = () => openStripeGateway({ startsAt: STARTS_AT });

/** The calls that arrived, without their parameters. */
function callsOf({ face }: StripeGatewayRig): string[] {
  return face.server.asked.map(
    ({ method, path }) => `${method} ${path.replace(/\w+_0\w+/, "{id}")}`,
  );
}

async function initiated(rig: StripeGatewayRig, attempt: GatewayAttempt) {
  const called = callTerms();
  const initiation = await rig.gateway.initiate(attempt, called.terms);
  return { ...called, initiation, attempt: { ...attempt, names: called.named } };
}

const verify = ({ gateway }: StripeGatewayRig, attempt: GatewayAttempt) =>
  gateway.verify(attempt, callTerms().terms);

const cancel = ({ gateway }: StripeGatewayRig, attempt: GatewayAttempt) =>
  gateway.cancel(attempt, callTerms().terms);

describe("a page", () => {
  test("asks for the amount of the order in its currency alone, until the attempt ends", async () => {
    await using rig = await open();

    const { initiation, keyed } = await initiated(rig, page({ email: "ada@example.com" }));

    const [session] = rig.face.account.sessions.all();
    expect(initiation).toEqual({
      kind: "redirect",
      url: `${rig.face.server.url}/c/pay/${session?.id}`,
      expiresAt: null,
      names: [{ kind: "session", name: session?.id ?? "" }],
    });
    expect(session).toMatchObject({
      amountMinor: 2450,
      currency: "eur",
      expiresAt: gatewayEndsAt,
      reference: "pay-01kf0000000000000000000001-1",
      email: "ada@example.com",
      description: "Payment invoice-7",
      successUrl: "https://shop.example/pay/return/t0k3n",
      cancelUrl: "https://shop.example/pay/return/t0k3n?cancelled=1",
      intentMetadata: {
        duka_payment: "pay_01kf0000000000000000000001",
        duka_reference: "pay-01kf0000000000000000000001-1",
      },
    });
    expect(keyed.map(([key]) => key)).toEqual(["pay-01kf0000000000000000000001-1"]);
  });

  test.each([
    "ada",
    "ada@localhost",
    "ada lovelace@example.com",
    "ada@exämple.com",
    "@example.com",
  ])("is opened without the address %p, for which the vendor would refuse it", async (email) => {
    await using rig = await open();

    const { initiation } = await initiated(rig, page({ email }));

    expect(initiation.kind).toBe("redirect");
    expect(rig.face.account.sessions.all()[0]?.email).toBeNull();
  });

  test("takes another card after a declined one", async () => {
    await using rig = await open();
    const { attempt } = await initiated(rig, page());
    const session = rig.face.account.sessions.all()[0]?.id ?? "";

    await rig.face.payOnPage(session, "pm_card_visa_chargeDeclined");
    const declined = await verify(rig, attempt);
    await rig.face.payOnPage(session, "pm_card_visa");
    const paid = await verify(rig, attempt);

    expect([declined.state, paid.state]).toEqual(["pending", "succeeded"]);
  });

  test("that its payer has left is paid once the bank has decided", async () => {
    await using rig = await open();
    const { attempt } = await initiated(rig, page());
    const session = rig.face.account.sessions.all()[0]?.id ?? "";

    await rig.face.payOnPage(session, "pm_test_pendingThenSuccess");
    const waiting = await verify(rig, attempt);
    rig.face.pass(5000);

    expect(waiting).toMatchObject({ state: "pending", isWorking: true });
    expect((await verify(rig, attempt)).state).toBe("succeeded");
  });

  test("that its payer has left fails once the bank has declined", async () => {
    await using rig = await open();
    const { attempt } = await initiated(rig, page());
    const session = rig.face.account.sessions.all()[0]?.id ?? "";
    await rig.face.payOnPage(session, "pm_test_pendingThenFail");

    rig.face.pass(5000);

    expect(await verify(rig, attempt)).toMatchObject({ state: "failed", failureCode: "declined" });
  });

  test("whose name was lost is found in the list, and never taken for another shop's", async () => {
    await using rig = await open();
    await initiated(rig, page({ gatewayReference: "pay-01kf0000000000000000000009-1" }));
    await initiated(rig, page());

    const found = await verify(rig, page());

    const [, own] = rig.face.account.sessions.all();
    expect(found).toEqual({
      state: "pending",
      names: [{ kind: "session", name: own?.id ?? "" }],
    });
  });

  test("that was asked for anew is told from the one that was lost", async () => {
    await using rig = await open();
    const first = await initiated(rig, page());
    const again = page({ gatewayReference: "pay-01kf0000000000000000000001-2" });
    const lost = first.initiation.kind === "redirect" ? first.initiation.names : [];
    await initiated(rig, again);
    await rig.face.payOnPage(rig.face.account.sessions.all()[1]?.id ?? "", "pm_card_visa");

    const outcome = await verify(rig, { ...again, names: lost });

    expect(outcome).toMatchObject({ state: "succeeded", gatewayReference: again.gatewayReference });
  });
});

/** The others are paid, whatever becomes of the money after that. */
const states = new Map<MagicOutcome, PaymentOutcome["state"]>([
  ["requires_action", "pending"],
  ["failed", "failed"],
]);
const cards = magicValues.filter(({ kind, script }) => kind === "card" && script.arrives);

describe("a card", () => {
  test.each(cards.map(({ value, meaning, ...magic }) => [value, meaning, magic] as const))(
    "%s: %s",
    async (value, _, { outcome, failureCode, script }) => {
      await using rig = await open();

      const { attempt } = await initiated(rig, card(value));
      rig.face.pass(5000);
      const verified = await verify(rig, attempt);

      const never = script.answer.says === "not_sent";
      const state = states.get(outcome) ?? "succeeded";
      expect(verified.state).toBe(never ? "not_found" : state);
      expect("failureCode" in verified ? verified.failureCode : null).toBe(failureCode);
    },
  );

  test.each([
    ["pm_card_visa", "payment_method=pm_card_visa"],
    ["tok_visa", "payment_method_data[type]=card&payment_method_data[card][token]=tok_visa"],
    ["ctoken_card_visa", "confirmation_token=ctoken_card_visa"],
  ])("of the token %s is paid at once", async (token, sent) => {
    await using rig = await open();

    const { initiation, keyed } = await initiated(rig, card(token));

    expect(initiation).toMatchObject({
      kind: "done",
      outcome: {
        state: "succeeded",
        amountMinor: 2450,
        currency: "EUR",
        paidAt: STARTS_AT,
        channel: "card",
        instrument: { brand: "visa", last4: "4242", country: "US" },
        feeMinor: 101,
        names: [{ kind: "intent" }, { kind: "charge" }],
      },
    });
    expect(decodeURIComponent(keyed[1]?.[1] ?? "")).toStartWith(sent);
  });

  test("whose bank asks sends the customer there, and is paid once they approved", async () => {
    await using rig = await open();

    const { initiation, attempt } = await initiated(rig, card("pm_card_threeDSecure2Required"));
    const [intent] = rig.face.account.intents.all();
    const waiting = await verify(rig, attempt);
    await rig.face.answerBank(intent?.id ?? "", "approve");

    const url = `${rig.face.server.url}/3ds/${intent?.id}`;
    expect(initiation).toMatchObject({ kind: "redirect", url, expiresAt: null });
    expect(waiting.state).toBe("pending");
    expect((await verify(rig, attempt)).state).toBe("succeeded");
  });

  test("is asked for money only once its name is written down", async () => {
    await using rig = await open();
    const { terms } = callTerms();
    let before: string[] = [];
    const name = async () => void (before = callsOf(rig));

    await rig.gateway.initiate(card("pm_card_visa"), { ...terms, name });

    expect(before).toEqual(["POST /v1/payment_intents"]);
    expect(callsOf(rig)).toEqual([...before, "POST /v1/payment_intents/{id}/confirm"]);
  });

  test("whose attempt died before the card was sent is not found, so that it may be asked again", async () => {
    await using rig = await open();
    const { terms, named } = callTerms();
    const dies = { ...terms, name: () => Promise.reject(new Error("The disk is full.")) };
    const attempt = card("pm_card_visa");

    const died = rig.gateway.initiate(attempt, dies).catch(String);
    expect(await died).toBe("Error: The disk is full.");
    const unnamed = await verify(rig, attempt);
    const again = await rig.gateway.initiate(attempt, terms);

    expect(unnamed).toEqual({ state: "not_found" });
    expect(again).toMatchObject({ kind: "done", outcome: { state: "succeeded" } });
    expect(named).toHaveLength(1);
    expect(rig.face.account.charges.all()).toHaveLength(1);
  });

  test("whose answer was lost is read by its name, and not sent again", async () => {
    await using rig = await open();

    const { initiation, attempt } = await initiated(rig, card("pm_test_timeoutPaid"));
    rig.face.pass(5000);
    const outcome = await verify(rig, attempt);

    expect(initiation).toEqual({ kind: "unknown" });
    expect(outcome.state).toBe("succeeded");
    expect(callsOf(rig).slice(2)).toEqual(["GET /v1/payment_intents/{id}"]);
  });

  test("that an earlier call has paid is read, and not charged again", async () => {
    await using rig = await open();
    const { terms } = callTerms();
    const stripe = clientOf(rig.face);
    const earlier = { payment_method: "pm_card_visa", return_url: "https://shop.example/back" };
    const name = async ([named]: readonly GatewayName[]) =>
      void (await stripe.paymentIntents.confirm(named?.name ?? "", earlier));

    const initiation = await rig.gateway.initiate(card("pm_card_visa"), { ...terms, name });

    expect(initiation).toMatchObject({ kind: "done", outcome: { state: "succeeded" } });
    expect(rig.face.account.charges.all()).toHaveLength(1);
  });
});

const nameOf = (name = "") => ({ kind: "intent", name }) as const;

describe("cancelling", () => {
  test("an open page ends it, so that no one pays on it", async () => {
    await using rig = await open();
    const { attempt } = await initiated(rig, page());

    expect(await cancel(rig, attempt)).toEqual({ kind: "cancelled" });
    expect(await cancel(rig, attempt)).toEqual({ kind: "cancelled" });
    expect(rig.face.account.sessions.all()[0]?.status).toBe("expired");
  });

  test("a page that is paid tells of the money", async () => {
    await using rig = await open();
    const { attempt } = await initiated(rig, page());
    await rig.face.payOnPage(rig.face.account.sessions.all()[0]?.id ?? "", "pm_card_visa");

    expect(await cancel(rig, attempt)).toMatchObject({
      kind: "too_late",
      outcome: { state: "succeeded", amountMinor: 2450 },
    });
  });

  test("a card whose bank asks ends it, and the bank's answer takes no money", async () => {
    await using rig = await open();
    const { attempt } = await initiated(rig, card("pm_card_threeDSecure2Required"));
    const [intent] = rig.face.account.intents.all();

    const cancelled = await cancel(rig, attempt);
    await rig.face.answerBank(intent?.id ?? "", "approve");

    expect(cancelled).toEqual({ kind: "cancelled" });
    expect(await verify(rig, attempt)).toMatchObject({
      state: "failed",
      failureCode: "not_approved",
      gatewayCode: "abandoned",
    });
    expect(rig.face.account.books.entries).toEqual([]);
  });

  test("what was never made has nothing to end", async () => {
    await using rig = await open();

    expect(await cancel(rig, page())).toEqual({ kind: "cancelled" });
    expect(await cancel(rig, card("pm_card_visa"))).toEqual({ kind: "cancelled" });
  });
});

describe("what the vendor reports", () => {
  const stateOf = ({ state }: PaymentOutcome) => state;

  test("of the other mode is not money", async () => {
    await using rig = await openStripeGateway({
      startsAt: STARTS_AT,
      secret: "sk_live_3Fa03Fa03Fa0",
      mode: "test",
    });

    const { initiation, attempt } = await initiated(rig, card("pm_card_visa"));

    const surprise = { trouble: "surprise", pointer: "/livemode" } as const;
    expect(initiation).toEqual({ kind: "unknown", ...surprise });
    expect(await verify(rig, attempt)).toEqual({ state: "unknown", ...surprise });
  });

  test("under the name of another attempt is not this one's money", async () => {
    await using rig = await open();
    const other = await initiated(
      rig,
      card("pm_card_visa", { gatewayReference: "pay-01kf0000000000000000000009-1" }),
    );

    const outcome = await verify(rig, card("pm_card_visa", { names: other.named }));

    expect(stateOf(outcome)).toBe("not_found");
  });

  test("under a name that it does not know any more is no failure", async () => {
    await using rig = await open();

    const outcome = await verify(rig, card("pm_card_visa", { names: [nameOf("pi_gone")] }));

    expect(outcome).toEqual({ state: "unknown", trouble: "misconfigured" });
  });

  test("is read by GET alone, whatever stands there", async () => {
    await using rig = await open();
    const { terms } = callTerms();
    const paid = await initiated(rig, card("pm_card_visa"));
    const asked = rig.face.server.asked.length;

    await verify(rig, paid.attempt);
    await verify(rig, card("pm_card_visa"));
    await verify(rig, page());
    await rig.gateway.findRefunds(paid.attempt, terms);

    const methods = rig.face.server.asked.slice(asked).map(({ method }) => method);
    expect(new Set(methods)).toEqual(new Set(["GET"]));
  });
});

describe("a token", () => {
  test.each(["4242", "pm_", "src_123", "pm_card visa", "tok_visa\n", "ctoken_é"])(
    "%p is refused before any call",
    async (token) => {
      await using rig = await open();

      expect(rig.gateway.validate(card(token))).toEqual([
        {
          field: "card_token",
          code: "invalid_format",
          detail: "A token of Stripe begins with pm_, tok_ or ctoken_.",
        },
      ]);
    },
  );
});

describe("a session that is complete and not paid", () => {
  const session = (next_action: object) =>
    new Fields({
      id: "cs_1",
      status: "complete",
      payment_status: "unpaid",
      livemode: false,
      payment_intent: {
        id: "pi_1",
        status: "requires_action",
        livemode: false,
        metadata: { duka_reference: "pay-1-1" },
        next_action,
      },
    });
  const about = { attempt: { gatewayReference: "pay-1-1" }, mode: "test" } as const;

  test("waits for its payer, whatever they have to do, such as paying a voucher", () => {
    const voucher = { type: "oxxo_display_details", oxxo_display_details: {} };

    expect(outcomeOfSession(session(voucher), about)).toMatchObject({ state: "pending" });
  });
});
