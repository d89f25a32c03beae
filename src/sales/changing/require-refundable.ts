// Rule: above the shop's refund limit, money goes back only by a caller who has the scope `refunds:write`.

import { formatAmount } from "#kernel/money.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import type { Reader } from "#platform/database/database.ts";
import { getStore } from "#shop/store/lookups.ts";

export const refundLimitExceeded = defineRefusal("refund_limit_exceeded", "forbidden", {
  title: "The refund exceeds what the caller may refund at once.",
  cause:
    "The shop has a `refund_limit`, and the key, or the role of the person, does not have the scope `refunds:write`. Another currency than the shop's counts as above the limit.",
  remedy: "Let an owner refund it, or use a key with `refunds:write`.",
  faults: { too_large: "More than the caller may refund at once." },
  example: { members: { refundable_minor: 10_000, currency: "GHS" } },
});

/** Who refunds, by what they may do. */
export interface Refunder {
  readonly scopes: ReadonlySet<string>;
}

interface MoneyBack {
  readonly amountMinor: number;
  readonly currency: string;
  /** The pointer at which the body says how much goes back. */
  readonly at: "/amount" | "/refund";
}

/** Refuses with `refund_limit_exceeded` an amount above what the caller may refund at once. */
export async function requireRefundable(
  db: Reader,
  { scopes }: Refunder,
  { amountMinor, currency, at }: MoneyBack,
): Promise<void> {
  if (amountMinor === 0 || scopes.has("refunds:write")) return;
  const { refundLimitMinor, currency: own } = await getStore(db);
  if (refundLimitMinor === null) return;
  if (currency === own && amountMinor <= refundLimitMinor) return;
  const detail = `At most ${formatAmount(refundLimitMinor, own)} ${own} is refunded at once. More needs an owner, or a key with refunds:write.`;
  throw refundLimitExceeded({
    detail,
    faults: [{ pointer: at, code: "too_large", detail }],
    members: { refundable_minor: refundLimitMinor, currency: own },
  });
}
