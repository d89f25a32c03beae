// What Stripe refuses, its face refuses; and what a key has answered once, it answers again.

import { expect, test } from "bun:test";

import { until } from "../../support/until.ts";
import {
  confirmTerms,
  errorOf,
  intentTerms,
  openStripeRig,
  sessionTerms,
  type StripeRig,
} from "./rig.ts";

const version = { "Stripe-Version": "2026-10-28.endive" };
const form = { "Content-Type": "application/x-www-form-urlencoded" };
const INTENT = "/v1/payment_intents";

interface Raw {
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly path?: string;
}

/** A request as no client of the vendor sends it. */
async function ask({ face }: StripeRig, { body = "", headers = {}, path = INTENT }: Raw) {
  const answer = await fetch(`${face.server.url}${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${face.secret}`, ...version, ...form, ...headers },
    body,
  });
  const read: unknown = await answer.json();
  return { status: answer.status, headers: answer.headers, body: Object(read) };
}

const good = "amount=2450&currency=eur";

test.each([
  ["an unknown parameter", { amont: "1" }, ["parameter_unknown", "amont"]],
  [
    "the removed list of ways to pay",
    { "payment_method_types[]": "card" },
    ["parameter_unknown", "payment_method_types"],
  ],
  [
    "an unknown parameter inside",
    { "automatic_payment_methods[enabled]": "true", "automatic_payment_methods[on]": "1" },
    ["parameter_unknown", "automatic_payment_methods[on]"],
  ],
  ["an amount in major units", { amount: "24.50" }, ["parameter_invalid_integer", "amount"]],
  ["an amount below the minimum", { amount: "49" }, ["amount_too_small", "amount"]],
  ["an amount above the maximum", { amount: "100000000" }, ["amount_too_large", "amount"]],
  ["an empty text", { description: "" }, ["parameter_invalid_empty", "description"]],
  ["a currency that there is not", { currency: "xyz" }, [undefined, "currency"]],
  ["metadata that is no hash", { metadata: "1" }, [undefined, "metadata"]],
] as const)("%s is refused", async (_, given, [code, param]) => {
  await using rig = await openStripeRig();
  const body = new URLSearchParams({ amount: "2450", currency: "eur", ...given }).toString();

  const refused = await ask(rig, { body });

  expect(refused.status).toBe(400);
  expect(refused.body.error).toMatchObject({ type: "invalid_request_error", param });
  expect(refused.body.error.code).toBe(code);
  expect(rig.face.account.intents.all()).toEqual([]);
});

test.each([
  ["isk", 100],
  ["ugx", 100],
  ["kwd", 10],
])("an amount in %s is a multiple of %i, as is its refund", async (currency, step) => {
  await using rig = await openStripeRig();
  const make = (amount: number) =>
    rig.stripe.paymentIntents.create({ ...intentTerms, currency, amount });

  const refused = await errorOf(make(2000 + step / 2));
  const { id: payment_intent } = await make(2000);
  await rig.stripe.paymentIntents.confirm(payment_intent, {
    ...confirmTerms,
    payment_method: "pm_card_visa",
  });
  const refund = await errorOf(rig.stripe.refunds.create({ payment_intent, amount: step / 2 }));

  const code = "invalid_charge_amount_no_decimal_compatible";
  expect([refused.code, refund.code]).toEqual([code, code]);
});

test.each([
  ["customer_email", { customer_email: "ada" }],
  ["mode", { mode: "subscription" }],
  ["cancel_url", { cancel_url: "/cart" }],
] as const)("a session is refused for its %s", async (param, given) => {
  await using rig = await openStripeRig();

  const refused = await errorOf(rig.stripe.checkout.sessions.create(sessionTerms(given)));

  expect(refused).toMatchObject({ statusCode: 400, param });
});

test("reasons that Stripe does not have are refused", async () => {
  await using rig = await openStripeRig();
  const { id } = await rig.stripe.paymentIntents.create(intentTerms);

  const cancel = { cancellation_reason: "not_needed" };
  const cancelled = await errorOf(rig.stripe.rawRequest("POST", `${INTENT}/${id}/cancel`, cancel));
  const refund = { payment_intent: id, reason: "goods_returned" };
  const refunded = await errorOf(rig.stripe.rawRequest("POST", "/v1/refunds", refund));

  expect([cancelled.param, refunded.param]).toEqual(["cancellation_reason", "reason"]);
});

test("a read with an unknown parameter is refused, as a write is", async () => {
  await using rig = await openStripeRig();

  const refused = await errorOf(rig.stripe.rawRequest("GET", "/v1/refunds?payment=pi_1"));

  expect(refused).toMatchObject({ code: "parameter_unknown", param: "payment" });
});

test("a missing parameter is named", async () => {
  await using rig = await openStripeRig();

  const refused = await ask(rig, { body: "amount=2450" });

  expect(refused.body.error).toMatchObject({ code: "parameter_missing", param: "currency" });
});

test.each([
  ["JSON", { headers: { "Content-Type": "application/json" }, body: "{}" }, "content type"],
  ["no version", { headers: { "Stripe-Version": "" } }, "API version"],
  ["another version", { headers: { "Stripe-Version": "2026-09-30.endive" } }, "API version"],
  ["another key", { headers: { Authorization: "Bearer sk_test_other" } }, "Invalid API Key"],
])("a request with %s is refused", async (_, raw, message) => {
  await using rig = await openStripeRig();

  const refused = await ask(rig, { body: good, ...raw });

  expect(refused.status).toBeOneOf([400, 401]);
  expect(refused.body.error.message).toContain(message);
});

test("what is not there is not found, in a path or as a parameter", async () => {
  await using rig = await openStripeRig();
  const { id } = await rig.stripe.paymentIntents.create(intentTerms);

  const inPath = await errorOf(rig.stripe.refunds.retrieve("re_none"));
  const asParameter = await errorOf(
    rig.stripe.paymentIntents.confirm(id, { ...confirmTerms, payment_method: "pm_none" }),
  );
  const nowhere = await ask(rig, { path: "/v1/charges" });

  expect(inPath).toMatchObject({ statusCode: 404, code: "resource_missing" });
  expect(asParameter).toMatchObject({ statusCode: 400, param: "payment_method" });
  expect(nowhere.status).toBe(404);
});

test("a confirmation that has no way back or no card is refused", async () => {
  await using rig = await openStripeRig();
  const { id } = await rig.stripe.paymentIntents.create(intentTerms);

  const noWayBack = await errorOf(
    rig.stripe.paymentIntents.confirm(id, { payment_method: "pm_card_visa" }),
  );
  const noCard = await errorOf(rig.stripe.paymentIntents.confirm(id, confirmTerms));

  expect(noWayBack).toMatchObject({ statusCode: 400, param: "return_url" });
  expect(noCard).toMatchObject({ statusCode: 400, code: "payment_intent_unexpected_state" });
});

test.each([["currency"], ["latest_charge.amount"], ["nothing"]])(
  "%s cannot be expanded",
  async (path) => {
    await using rig = await openStripeRig();
    const { id } = await rig.stripe.paymentIntents.create(intentTerms);
    await rig.stripe.paymentIntents.confirm(id, {
      ...confirmTerms,
      payment_method: "pm_card_visa",
    });

    const refused = await errorOf(rig.stripe.paymentIntents.retrieve(id, { expand: [path] }));

    expect(refused.message).toBe(`This property cannot be expanded (${path}).`);
  },
);

test("a key answers again what it has answered, in whichever order the parameters come", async () => {
  await using rig = await openStripeRig();
  const headers = { "Idempotency-Key": "pay-1" };

  const first = await ask(rig, { headers, body: "amount=2450&currency=eur" });
  const again = await ask(rig, { headers, body: "currency=eur&amount=2450" });

  expect(again.body).toEqual(first.body);
  expect([first, again].map((one) => one.headers.get("idempotent-replayed"))).toEqual([
    null,
    "true",
  ]);
  expect(rig.face.account.intents.all()).toHaveLength(1);
});

test("a key that has answered a decline declines again, without another try", async () => {
  await using rig = await openStripeRig();
  const { id } = await rig.stripe.paymentIntents.create(intentTerms);
  const terms = { ...confirmTerms, payment_method: "pm_card_visa_chargeDeclined" };
  const confirm = () =>
    errorOf(rig.stripe.paymentIntents.confirm(id, terms, { idempotencyKey: "pay-1.c" }));

  const twice = [await confirm(), await confirm()];

  expect(twice.map(({ statusCode }) => statusCode)).toEqual([402, 402]);
  expect(rig.face.account.charges.all()).toHaveLength(1);
});

test("other parameters or another call under a key are refused", async () => {
  await using rig = await openStripeRig();
  const options = { idempotencyKey: "pay-1" };
  await rig.stripe.paymentIntents.create(intentTerms, options);

  const other = await errorOf(
    rig.stripe.paymentIntents.create({ ...intentTerms, amount: 2451 }, options),
  );
  const elsewhere = await errorOf(rig.stripe.checkout.sessions.create(sessionTerms(), options));

  expect([other.type, elsewhere.type]).toEqual(Array(2).fill("StripeIdempotencyError"));
  expect(elsewhere.message).toContain("'/v1/payment_intents' vs '/v1/checkout/sessions'");
});

test("a request whose key is still at work is a conflict, and has no effect", async () => {
  await using rig = await openStripeRig();
  const headers = { "Idempotency-Key": "pay-1" };
  const open = rig.face.block(`POST ${INTENT}`);

  const first = ask(rig, { headers, body: good });
  await until(() => rig.face.server.asked.length > 0, "Stripe was not asked.");
  const meanwhile = await ask(rig, { headers, body: good });
  open();

  expect((await first).status).toBe(200);
  expect(meanwhile).toMatchObject({
    status: 409,
    body: { error: { code: "idempotency_key_in_use" } },
  });
  expect(rig.face.account.intents.all()).toHaveLength(1);
});

test("of what was refused before it began, a key has nothing", async () => {
  await using rig = await openStripeRig();
  const headers = { "Idempotency-Key": "pay-1" };

  const refused = await ask(rig, { headers, body: "amount=2450" });
  const mended = await ask(rig, { headers, body: good });

  expect([refused.status, mended.status]).toEqual([400, 200]);
});

test("a key answers a 500 again, whether the call had its effect or not", async () => {
  await using rig = await openStripeRig();
  const broken = { kind: "broken" } as const;
  rig.face.faults.plan({ moment: "before", fault: broken });
  rig.face.faults.plan({ moment: "after", fault: broken }, { nth: 3 });

  const statuses = [];
  for (const key of ["pay-1", "pay-1", "pay-2", "pay-2"]) {
    const { status } = await ask(rig, { headers: { "Idempotency-Key": key }, body: good });
    statuses.push(status);
  }

  expect(statuses).toEqual([500, 500, 500, 500]);
  expect(rig.face.account.intents.all()).toHaveLength(1);
});

test("a key is forgotten after a day", async () => {
  await using rig = await openStripeRig();
  const options = { idempotencyKey: "pay-1" };
  const first = await rig.stripe.paymentIntents.create(intentTerms, options);

  rig.face.pass(86_400_000);
  const second = await rig.stripe.paymentIntents.create(intentTerms, options);

  expect(second.id).not.toBe(first.id);
});

test("a rate that is exceeded has no effect and leaves the key alone", async () => {
  await using rig = await openStripeRig();
  rig.face.faults.plan({ moment: "before", fault: { kind: "rate_limit" } });
  const options = { idempotencyKey: "pay-1" };

  const limited = await errorOf(rig.stripe.paymentIntents.create(intentTerms, options));
  const { status } = await rig.stripe.paymentIntents.create(intentTerms, options);

  expect(limited).toMatchObject({ type: "StripeRateLimitError", statusCode: 429 });
  expect(status).toBe("requires_payment_method");
});
