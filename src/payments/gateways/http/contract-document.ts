// The contract of an adapter as an OpenAPI document, for stubs in any language. It is made of the parts that read the
// answers, so that it cannot say otherwise.

import { isObject } from "#kernel/assume.ts";

import type { AdapterPath } from "./calls.ts";
import { exactText, instant, list, oneOf, orNull, type PartSchema } from "./parts.ts";
import {
  attemptPart,
  cancelPart,
  descriptionPart,
  disputesPart,
  initiationPart,
  optionalCalls,
  outcomePart,
  payoutLinesPart,
  payoutPart,
  payoutsPart,
  refundOutcomePart,
  refundPart,
  refundsPart,
  returnsPart,
} from "./wire.ts";

/** The parts that have a name in the document. */
const named = {
  Attempt: attemptPart,
  Refund: refundPart,
  Description: descriptionPart,
  Initiation: initiationPart,
  PaymentOutcome: outcomePart,
  CancelOutcome: cancelPart,
  RefundOutcome: refundOutcomePart,
  FoundRefunds: refundsPart,
  FoundDisputes: disputesPart,
  ListedReturns: returnsPart,
  ListedPayouts: payoutsPart,
  FoundPayoutLines: payoutLinesPart,
} as const;

type PartName = keyof typeof named;

interface CallTerms {
  readonly does: string;
  readonly body: Readonly<Record<string, PartSchema>>;
  readonly answer: PartName | null;
  readonly isKeyed?: boolean;
}

const attempt = attemptPart.schema;
const refund = refundPart.schema;
const notify_url = orNull(exactText(2_048)).schema;
const since = instant.schema;

const calls: Readonly<Record<AdapterPath, CallTerms>> = {
  describe: { does: "say what the adapter is", body: {}, answer: "Description" },
  initiate: {
    does: "begin an attempt to pay, once for its key",
    body: { attempt, notify_url },
    answer: "Initiation",
    isKeyed: true,
  },
  "submit-action": {
    does: "take the code that the payer typed",
    body: {
      attempt,
      action: { type: "object", properties: { otp: { type: "string" } }, required: ["otp"] },
    },
    answer: "Initiation",
  },
  verify: {
    does: "say what became of the attempt",
    body: { attempt },
    answer: "PaymentOutcome",
  },
  cancel: { does: "end an open attempt", body: { attempt }, answer: "CancelOutcome" },
  refund: {
    does: "pay money back, once for its key",
    body: { refund, notify_url },
    answer: "RefundOutcome",
    isKeyed: true,
  },
  "verify-refund": {
    does: "say what became of the refund",
    body: { refund },
    answer: "RefundOutcome",
  },
  "find-refunds": {
    does: "list all refunds of the attempt",
    body: { attempt },
    answer: "FoundRefunds",
  },
  "find-disputes": {
    does: "list all disputes of the attempt",
    body: { attempt, known: list(exactText(200), 200).schema },
    answer: "FoundDisputes",
  },
  "list-disputes": {
    does: "list the disputes since then",
    body: { since },
    answer: "ListedReturns",
  },
  "list-refunds": {
    does: "list the refunds since then",
    body: { since },
    answer: "ListedReturns",
  },
  "list-payouts": {
    does: "list the payouts that arrive since then",
    body: { since },
    answer: "ListedPayouts",
  },
  "find-payout-lines": {
    does: "list all lines of the payout",
    body: { payout: payoutPart.schema },
    answer: "FoundPayoutLines",
  },
  "test-payer": {
    does: "have the payer of test mode answer: for `duka gateways test` alone",
    body: { reference: exactText(200).schema, answer: oneOf(["approved", "declined"]).schema },
    answer: null,
  },
};

const optional: ReadonlySet<string> = new Set<AdapterPath>([
  ...optionalCalls,
  "find-payout-lines",
  "test-payer",
]);

/** The contract as OpenAPI 3.1. */
export function contractDocument(): object {
  const paths = Object.entries(calls).map(([call, terms]) => [
    `/${call}`,
    { post: operationOf(call, terms) },
  ]);
  const schemas = Object.entries(named).map(([name, { schema }]) => [
    name,
    written(schema, { isSent: name === "Attempt" || name === "Refund" }),
  ]);
  return {
    openapi: "3.1.0",
    info: {
      title: "Contract of a gateway adapter",
      version: "1",
      summary:
        "The calls that Duka makes to a program of yours which speaks for a payment provider.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "http://127.0.0.1:4100", description: "The URL of `duka gateways add`." }],
    paths: Object.fromEntries(paths),
    components: { schemas: Object.fromEntries(schemas) },
  };
}

function operationOf(call: string, { does, body, answer, isKeyed = false }: CallTerms): object {
  const properties = Object.entries(body).map(([name, schema]) => [
    name,
    inside(schema, { isSent: true }),
  ]);
  const answered = answer === null ? { type: "object", maxProperties: 0 } : refTo(answer);
  const missing = optional.has(call) ? " An adapter may leave it out." : "";
  const refused = isKeyed ? { 409: { description: "The key had another body." } } : {};
  return {
    operationId: call.replaceAll(/-[a-z]/g, (text) => text.slice(1).toUpperCase()),
    summary: `Asks the adapter to ${does}.${missing}`,
    parameters: headersOf(isKeyed),
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: {
            type: "object",
            properties: Object.fromEntries(properties),
            required: Object.keys(body),
          },
        },
      },
    },
    responses: {
      200: {
        description: "The only status with an answer.",
        content: { "application/json": { schema: answered } },
      },
      401: { description: "The signature or its time is wrong; nothing was done." },
      429: { description: "Too many calls, with `Retry-After`; nothing was done." },
      ...refused,
    },
  };
}

function header(name: string, schema: object, description: string): object {
  return { name, in: "header", required: true, schema, description };
}

function headersOf(isKeyed: boolean): object[] {
  const text = { type: "string" };
  const signed = [
    header("webhook-id", text, "Of this call."),
    header("webhook-timestamp", text, "Seconds since 1970; refuse what is older than 5 minutes."),
    header("webhook-signature", text, "`v1,` and HMAC-SHA256 of `id.timestamp.body`; may be two."),
    header("Duka-Mode", { enum: ["test", "live"] }, "The mode of the shop."),
  ];
  const key = header("Idempotency-Key", text, "Stands for one effect.");
  return isKeyed ? [...signed, key] : signed;
}

interface Direction {
  /** A body that Duka sends may gain members; an answer that it reads has no others. */
  readonly isSent: boolean;
}

const nameOf = new Map<unknown, string>(
  Object.entries(named).map(([name, { schema }]) => [schema, name]),
);

function refTo(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}

/** A schema within another one: one that has a name is referred to. */
function inside(schema: unknown, direction: Direction): unknown {
  const name = nameOf.get(schema);
  return name === undefined ? written(schema, direction) : refTo(name);
}

function written(schema: unknown, direction: Direction): unknown {
  if (Array.isArray(schema)) return schema.map((one: unknown) => inside(one, direction));
  if (!isObject(schema)) return schema;
  const members = Object.entries(schema)
    .filter(([key]) => !(direction.isSent && key === "additionalProperties"))
    .map(([key, value]) => [key, inside(value, direction)]);
  return Object.fromEntries(members);
}
