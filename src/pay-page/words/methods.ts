// Rules: how a way to pay is called and explained to a customer: in the words of the merchant, or in those of the
// language where they wrote none.

import type { PaymentMethod } from "#kernel/payment-method.ts";
import { isOwnInstruction } from "#payments/attempts/payer-words.ts";
import type { PaymentSettings } from "#shop/store/payment-methods.ts";

import type { Localized } from "./localize.ts";

type Terms = Pick<PaymentSettings, "paymentMethods"> & Pick<Localized, "words">;

/** The name of the method. */
export function methodLabelOf({ paymentMethods, words }: Terms, method: PaymentMethod): string {
  return paymentMethods[method]?.label ?? words.methods.labels[method];
}

/** The steps of a customer to pay by hand. */
export function methodInstructionsOf(
  { paymentMethods, words }: Terms,
  method: PaymentMethod,
): string {
  return paymentMethods[method]?.instructions ?? words.methods.instructions[method];
}

/**
 * The instructions that were told when the payment was opened; where the merchant wrote nothing, in the language of
 * now.
 */
export function instructionsAsTold(
  told: string,
  { words }: Pick<Localized, "words">,
  method: PaymentMethod,
): string {
  return isOwnInstruction(told, method) ? words.methods.instructions[method] : told;
}
