// Why a payment failed, in the shop's words. Paystack tells it in sentences, which differ by network and bank.

import { maskCardNumbers } from "#kernel/card-number.ts";
import type { FailureCode } from "#payments/payments/payment-life.ts";

/** The first that matches is meant. */
const meanings: readonly (readonly [words: RegExp, meaning: FailureCode])[] = [
  [/insufficient|low balance|not enough/, "insufficient_funds"],
  [/fraud|blocked/, "fraud_suspected"],
  [/\bpin\b/, "wrong_pin"],
  [/limit|exceed/, "payer_limit"],
  [/timed? ?out|expired?\b/, "timeout"],
  [/cancel|reject|not approved/, "not_approved"],
  [/invalid (?:phone|number|msisdn)/, "invalid_number"],
  [/not registered|not found/, "payer_not_found"],
  [/declined|do not honou?r/, "declined"],
  [/system|unavailable|try again/, "provider_unavailable"],
];

const CODE_MAX = 200;

/** The shop's code, and Paystack's words beside it. */
export function failureOf(...reported: readonly (string | null)[]): {
  readonly failureCode: FailureCode;
  readonly gatewayCode: string | null;
} {
  const words = reported.filter((one) => one !== null && one !== "");
  const text = words.join(" ").toLowerCase();
  const failureCode = meanings.find(([pattern]) => pattern.test(text))?.[1] ?? "other";
  const gatewayCode = maskCardNumbers(words.join(": ")).slice(0, CODE_MAX);
  return { failureCode, gatewayCode: gatewayCode === "" ? null : gatewayCode };
}
