// What goes over the wire between a shop and an adapter arrives as it was.

import { expect, test } from "bun:test";

import { Validator } from "@seriousme/openapi-schema-validator";
import addFormats from "ajv-formats";
import Ajv2020 from "ajv/dist/2020.js";
import fc, { type Arbitrary } from "fast-check";

import { currencyCodes, isCurrency } from "#kernel/currency.ts";
import { newId } from "#kernel/id.ts";
import { gatewayMethods } from "#kernel/payment-method.ts";
import { contractDocument } from "#payments/gateways/http/contract-document.ts";
import { exactText, link, type Part, record } from "#payments/gateways/http/parts.ts";
import {
  attemptPart,
  cancelPart,
  descriptionPart,
  disputesPart,
  initiationPart,
  optionalCalls,
  outcomePart,
  payoutLinesPart,
  payoutsPart,
  refundOutcomePart,
  refundPart,
  refundsPart,
  returnsPart,
} from "#payments/gateways/http/wire.ts";
import type {
  CancelOutcome,
  FoundPayoutLines,
  FoundRefunds,
  GatewayAttempt,
  GatewayRefund,
  Initiation,
  PaymentOutcome,
  RefundOutcome,
} from "#payments/port/gateway.ts";
import { disputedMoney, disputeStates } from "#payments/rows/dispute-life.ts";
import {
  failureCodes,
  gatewayNameKinds,
  type PayerText,
  providers,
  refundReasons,
} from "#payments/rows/payment-life.ts";
import { payoutLineKinds, payoutStates } from "#payments/rows/payout-life.ts";
import { modes } from "#platform/database/shop.ts";

const RUNS = 1_250;

const word = fc.stringMatching(/^[A-Za-z][A-Za-z .~]{0,40}$/);
const wordOrNull = fc.option(word);
const amount = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const signed = fc.maxSafeInteger();
const instant = fc.integer({ min: 0, max: 4_102_444_800_000 });
const instantOrNull = fc.option(instant);
const currency = fc.constantFrom(...currencyCodes.filter(isCurrency));
const name = fc.record({ kind: fc.constantFrom(...gatewayNameKinds), name: word });
const names = fc.array(name, { maxLength: 16 });
const codes = { failureCode: fc.constantFrom(...failureCodes), gatewayCode: wordOrNull };

function kind<const K extends string>(one: K): { kind: Arbitrary<K> } {
  return { kind: fc.constant(one) };
}

const unclear = fc.record(
  {
    ...kind("unknown"),
    trouble: fc.constantFrom("misconfigured", "rate_limited", "surprise", null),
    pointer: word,
  },
  { requiredKeys: ["kind"] },
);
const notSent = fc.record({
  ...kind("not_sent"),
  trouble: fc.constantFrom("misconfigured", "rate_limited", "surprise", null),
  retryAfterMs: fc.option(amount),
});

const attempt: Arbitrary<GatewayAttempt> = fc.record({
  paymentId: instant.map((at) => newId("payment", at)),
  gatewayReference: word,
  reference: word,
  orderId: fc.option(instant.map((at) => newId("order", at))),
  customerId: fc.option(instant.map((at) => newId("customer", at))),
  amountMinor: amount,
  currency,
  method: fc.constantFrom(...gatewayMethods),
  phone: wordOrNull,
  provider: fc.option(fc.constantFrom(...providers)),
  cardToken: wordOrNull,
  email: wordOrNull,
  returnUrl: wordOrNull,
  names,
  wasAsked: fc.boolean(),
  gatewayEndsAt: instant,
  gatewayAskedAt: instant,
  createdAt: instant,
});

const refund: Arbitrary<GatewayRefund> = fc.record({
  refundId: instant.map((at) => newId("refund", at)),
  reference: word,
  amountMinor: amount,
  currency,
  reason: fc.constantFrom(...refundReasons),
  gatewayRefundId: wordOrNull,
  attempt,
  wasAsked: fc.boolean(),
  createdAt: instant,
});

const state = <const K extends string>(one: K) => ({ state: fc.constant(one) });
const outcome: Arbitrary<PaymentOutcome> = fc.oneof(
  fc.record(
    {
      ...state("succeeded"),
      gatewayReference: word,
      mode: fc.constantFrom(...modes),
      amountMinor: amount,
      currency,
      names,
      returnedMinor: amount,
      isDisputed: fc.boolean(),
      paidAt: instantOrNull,
      channel: wordOrNull,
      instrument: fc.option(
        fc.record({
          brand: wordOrNull,
          last4: fc.option(fc.stringMatching(/^\d{4}$/)),
          country: fc.option(fc.stringMatching(/^[A-Z]{2}$/)),
        }),
      ),
      feeMinor: fc.option(amount),
    },
    {
      requiredKeys: [
        "state",
        "gatewayReference",
        "mode",
        "amountMinor",
        "currency",
        "names",
        "returnedMinor",
        "paidAt",
        "channel",
        "instrument",
        "feeMinor",
      ],
    },
  ),
  fc.record({ ...state("failed"), ...codes, names }),
  fc.record(
    {
      ...state("pending"),
      names,
      url: fc.constant("https://pay.example/p"),
      isWorking: fc.boolean(),
    },
    { requiredKeys: ["state", "names"] },
  ),
  fc.record(state("not_found")),
  fc.record(state("unknown")),
);

const payerText: Arbitrary<PayerText> = fc.oneof(
  word,
  fc.record({ task: fc.constantFrom("approve" as const, "enter_code" as const) }),
  fc.record({ task: fc.constant("dial" as const), ussd: word }),
  fc.record({ task: fc.constant("pay_to" as const), account: word, reference: word }),
);

const initiation: Arbitrary<Initiation> = fc.oneof(
  fc.record({
    ...kind("redirect"),
    url: fc.constant("https://pay.example/p"),
    expiresAt: instantOrNull,
    names,
  }),
  fc.record(
    {
      ...kind("offline"),
      action: fc.constantFrom("approve_on_phone", "dial_ussd", "pay_to_account"),
      displayText: payerText,
      details: fc.array(fc.record({ label: word, value: word }), { maxLength: 3 }),
      names,
    },
    { requiredKeys: ["kind", "action", "displayText", "names"] },
  ),
  fc.record({ ...kind("otp"), displayText: payerText, names }),
  fc.record({ ...kind("done"), outcome }),
  fc.record({ ...kind("declined"), ...codes, names }),
  notSent,
  unclear,
);

const cancelled: Arbitrary<CancelOutcome> = fc.oneof(
  fc.record({ kind: fc.constantFrom("cancelled" as const, "unsupported" as const) }),
  fc.record({ ...kind("too_late"), outcome }),
  unclear,
);

const refunded: Arbitrary<RefundOutcome> = fc.oneof(
  fc.record({
    kind: fc.constantFrom("pending", "processing", "succeeded", "needs_attention"),
    gatewayRefundId: wordOrNull,
  }),
  fc.record({ ...kind("failed"), gatewayCode: wordOrNull, gatewayRefundId: wordOrNull }),
  fc.record(kind("not_found")),
  notSent,
  unclear,
);

const refunds: Arbitrary<FoundRefunds> = fc.oneof(
  unclear,
  fc.record({
    ...kind("found"),
    refunds: fc.array(
      fc.record({
        gatewayRefundId: word,
        reference: wordOrNull,
        amountMinor: amount,
        currency,
        outcome: refunded,
      }),
      { maxLength: 5 },
    ),
  }),
);

const payoutLines: Arbitrary<FoundPayoutLines> = fc.oneof(
  fc.record(kind("incomplete")),
  fc.record({
    ...kind("found"),
    lines: fc.array(
      fc.record(
        {
          kind: fc.constantFrom(...payoutLineKinds),
          gatewayReference: wordOrNull,
          names,
          grossMinor: signed,
          feeMinor: signed,
          original: fc.record({ amountMinor: signed, currency }),
          isSum: fc.boolean(),
        },
        { requiredKeys: ["kind", "gatewayReference", "names", "grossMinor", "feeMinor"] },
      ),
      { maxLength: 5 },
    ),
  }),
);

function schemaTest({ schema }: Pick<Part<unknown>, "schema">) {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  return ajv.compile(schema);
}

/** Throws unless each value that is written reads as it was, and is valid by the schema. */
function roundTrip<T>(part: Part<T>, values: Arbitrary<T>): void {
  const isValid = schemaTest(part);
  const holds = (value: T) => {
    const text = JSON.stringify(part.write(value));
    expect(text).not.toMatch(/"[a-z0-9]+[A-Z]\w*":/);
    expect(isValid(JSON.parse(text)), text).toBe(true);
    expect(part.read(JSON.parse(text), { pointer: "", mode: "live" })).toEqual(value);
  };
  fc.assert(fc.property(values, holds), { numRuns: RUNS });
}

test("an attempt arrives as it was sent", () => roundTrip(attemptPart, attempt));
test("a refund arrives as it was sent", () => roundTrip(refundPart, refund));
test("an outcome arrives as it was answered", () => roundTrip(outcomePart, outcome));
test("an initiation arrives as it was answered", () => roundTrip(initiationPart, initiation));
test("a cancellation arrives as it was answered", () => roundTrip(cancelPart, cancelled));
test("the outcome of a refund arrives as it was answered", () =>
  roundTrip(refundOutcomePart, refunded));
test("a list of refunds arrives as it was answered", () => roundTrip(refundsPart, refunds));
test("the lines of a payout arrive as they were answered", () =>
  roundTrip(payoutLinesPart, payoutLines));

test("a member too many is invalid by the schema, as it is a surprise", () => {
  const isValid = schemaTest(outcomePart);

  expect(isValid({ state: "not_found" })).toBe(true);
  expect(isValid({ state: "not_found", amount_minor: 5 })).toBe(false);
});

test("the contract is a valid OpenAPI document with every call, and tells schemas by name", async () => {
  const contract: unknown = JSON.parse(JSON.stringify(contractDocument()));

  expect(await new Validator().validate(Object(contract))).toMatchObject({ valid: true });
  expect(Object.keys(Object(contract).paths)).toHaveLength(14);
  expect(Object(contract).components.schemas.Refund.properties.attempt).toEqual({
    $ref: "#/components/schemas/Attempt",
  });
});

const guide = await Bun.file("src/guides/gateways.md").text();

test("the examples of the guide are read as they stand", () => {
  const examples = [...guide.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = ""]): unknown =>
    JSON.parse(text),
  );
  const sent = record<{ attempt: GatewayAttempt; notifyUrl: string }>()({
    attempt: attemptPart,
    notifyUrl: link,
  });
  const parts: readonly Pick<Part<unknown>, "read">[] = [
    sent,
    descriptionPart,
    initiationPart,
    initiationPart,
    outcomePart,
    disputesPart,
    returnsPart,
    payoutsPart,
    payoutLinesPart,
  ];

  expect(examples).toHaveLength(parts.length);
  for (const [index, part] of parts.entries()) {
    expect(() => part.read(examples[index], { pointer: "", mode: "test" })).not.toThrow();
  }
});

test("the guide names every word that an adapter may answer", () => {
  const words = [
    ...failureCodes,
    ...gatewayNameKinds,
    ...disputeStates,
    ...disputedMoney,
    ...payoutStates,
    ...payoutLineKinds,
    ...optionalCalls,
  ];

  expect(words.filter((one) => !guide.includes(`\`${one}\``))).toEqual([]);
});

test("a text that is as long as may be is read, and a longer one is not", () => {
  const { read } = exactText(3);

  expect(read("abc", { pointer: "", mode: "test" })).toBe("abc");
  expect(() => read("abcd", { pointer: "/name", mode: "test" })).toThrow("/name");
});
