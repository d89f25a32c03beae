// The refusals of a sale that cannot be had as it is asked for.

import type { CurrencyCode } from "#kernel/currency.ts";
import { formatAmount } from "#kernel/money.ts";
import {
  defineMembers,
  defineRefusal,
  member,
  type Members,
  publicMember,
  type Refusal,
} from "#kernel/refusal.ts";
import type { NotAppliedReason } from "#pricing/calculation/sale.ts";

import type { QuotedOption } from "./shipping-choice.ts";

export const discountNotApplicable = defineRefusal("discount_not_applicable", "conflict", {
  title: "A discount code does not apply to the order.",
  cause:
    "`codes` names each code with the reason: it is `unknown`, `not_started`, `ended` or `exhausted`, the customer has used it already or may not use it, or the order does not meet its conditions.",
  remedy: "Tell the customer, and repeat the request without the code.",
  example: { members: { codes: [{ code: "SUMMER20", reason: "ended" }] } },
});
export const shippingRequired = defineRefusal("shipping_required", "conflict", {
  title: "The order needs a shipping option.",
  cause: "The order has goods to ship, and no shipping option was chosen. `options` are offered.",
  remedy: "Let the customer choose one of `options`, and repeat the request with it.",
  example: { members: { options: [] } },
});
export const shippingUnavailable = defineRefusal("shipping_unavailable", "conflict", {
  title: "The order cannot be shipped as requested.",
  cause:
    "The chosen option does not serve the address, the currency, the weight or the price of the order, or none was chosen and none does. A shop with shipping zones sends nothing to a place without a rate. `options` are offered.",
  remedy: "Let the customer choose one of `options`, or change the address.",
  example: { members: { options: [] } },
});

/** The reasons for which the customer pays no more than they would with the code. */
const harmless: ReadonlySet<string> = new Set<NotAppliedReason>(["not_combinable", "no_effect"]);

/** Returns true if the customer pays no more without the code than with it. */
export function isHarmless({ reason }: { readonly reason: string }): boolean {
  return harmless.has(reason);
}

/** The refusal of an option that is not offered, with those that are. */
export function optionUnavailable(
  options: readonly QuotedOption[],
  currency: CurrencyCode,
): Refusal {
  const offered = options.map((option) => optionMember(option, currency));
  return shippingUnavailable({ members: { options: offered } });
}

/** An option as refusals name it. */
export function optionMember({ id, label, amountMinor }: QuotedOption, currency: CurrencyCode) {
  const amount = JSON.rawJSON(formatAmount(amountMinor, currency));
  return { id, label, amount, amount_minor: amountMinor };
}

const rejections = (description: string) =>
  publicMember({
    type: "array",
    description,
    items: {
      "x-component": "UnmetCode",
      type: "object",
      required: ["code", "reason"],
      additionalProperties: false,
      properties: {
        code: publicMember(member.text("The code, in upper case.")),
        reason: publicMember(
          member.text(
            "Why it does not apply, as in a cart; `not_eligible` where a publishable key is not told more.",
          ),
        ),
      },
    },
  });
const quoteMembers = defineMembers({
  codes: rejections("With `discount_not_applicable`: the codes that do not apply."),
  rejected_codes: rejections("With `total_changed`: the codes that take nothing off."),
  options: publicMember({
    type: "array",
    description: "The shipping options that are offered; a cart tells more of them.",
    items: {
      "x-component": "OfferedShipping",
      type: "object",
      required: ["id", "label", "amount", "amount_minor"],
      additionalProperties: false,
      properties: {
        id: publicMember(member.text("The id of the shipping rate or pickup location.")),
        label: publicMember(member.text("What customers read.")),
        amount: publicMember(member.number("The price, in major units.")),
        amount_minor: publicMember(member.units("The same in minor units.")),
      },
    },
  }),
});
declare module "#kernel/refusal.ts" {
  interface ProblemMembers extends Members<typeof quoteMembers> {}
}
