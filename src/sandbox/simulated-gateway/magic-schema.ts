// Magic values on the wire.

import Type, { type Static } from "typebox";

import { failureCode } from "#payments/rows/word-schema.ts";
import { choice, component, nullable, object, whole } from "#platform/http/contract/words.ts";

import { magicOutcomes, type MagicValue } from "./magic.ts";

const magicSchema = object({
  value: Type.String({ description: "Send it as `card_token` or as `phone`." }),
  kind: choice(["card", "phone"]),
  stands_for: nullable(
    Type.String({ description: "The equivalent test number of a card network." }),
  ),
  meaning: Type.String(),
  outcome: choice(magicOutcomes),
  failure_code: nullable(failureCode),
  otp: nullable(Type.String({ description: "The one-time code that is accepted." })),
  steps: Type.Array(
    object({
      after_seconds: whole(0, undefined, { description: "On the shop's clock." }),
      what: choice(["succeeded", "failed", "notice"]),
    }),
    { description: "What happens after the payment is initialized, without further action." },
  ),
});

export const magicListSchema = component("MagicValues", {
  data: Type.Array(magicSchema),
});

/** All magic values on the wire. */
export function presentMagic(values: readonly MagicValue[]): Static<typeof magicListSchema> {
  return { data: values.map(presentValue) };
}

function presentValue(magic: MagicValue): Static<typeof magicSchema> {
  const { answer, steps } = magic.script;
  return {
    value: magic.value,
    kind: magic.kind,
    stands_for: magic.standsFor,
    meaning: magic.meaning,
    outcome: magic.outcome,
    failure_code: magic.failureCode,
    otp: answer.says === "otp" ? answer.otp : null,
    steps: steps.map((step) => ({
      after_seconds: step.afterSeconds,
      what: "becomes" in step ? step.becomes.state : "notice",
    })),
  };
}

export const declineSchema = object({
  failure_code: Type.Optional(failureCode),
});
