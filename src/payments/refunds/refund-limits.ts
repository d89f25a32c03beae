// Rule: what one person, or one key's lineage, without the scope `refunds:write` gives back in any 24 hours stays within
// the shop's refund limit. Invariant: such stories run one at a time, so that those of one moment know of each other.

import type { CurrencyCode } from "#kernel/currency.ts";
import { formatAmount } from "#kernel/money.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import { DAY_MS } from "#kernel/time.ts";
import { sumGivenBack } from "#payments/rows/refund-queries.ts";
import type { Tx } from "#platform/database/database.ts";
import { getStore, lockSettings } from "#shop/store/lookups.ts";

export const refundLimitExceeded = defineRefusal("refund_limit_exceeded", "forbidden", {
  title: "The refund exceeds what the caller may still refund.",
  cause:
    "The shop has a `refund_limit`, and the key, or the role of the person, does not have the scope `refunds:write`. The limit is of all that the person, or the key and those that it replaces, refunded in the last 24 hours. Another currency than the shop's counts as above the limit.",
  remedy: "Let an owner refund it, or use a key with `refunds:write`.",
  faults: { too_large: "More than the caller may still refund." },
  example: { members: { refundable_minor: 10_000, currency: "GHS" } },
});

/** Who refunds, by what they may do. */
export interface Refunder {
  readonly scopes: ReadonlySet<string>;
  readonly lineage: string;
}

/** The part of a limit that the caller may still give back, minor units. */
export interface RefundAllowance {
  readonly limitMinor: number;
  readonly leftMinor: number;
  readonly currency: CurrencyCode;
}

/**
 * Returns what the caller may still give back; null if no limit holds. Until the transaction of one who has a limit
 * ends, no other such story goes on, so it comes before every other lock.
 */
export async function lockAllowance(
  tx: Tx,
  { scopes, lineage: actorId }: Refunder,
): Promise<RefundAllowance | null> {
  if (scopes.has("refunds:write") || (await getStore(tx)).refundLimitMinor === null) return null;
  tx.alone();
  await lockSettings(tx);
  const { refundLimitMinor: limitMinor, currency } = await getStore(tx);
  if (limitMinor === null) return null;
  const givenMinor = await sumGivenBack(tx, { actorId, currency, after: tx.now - DAY_MS });
  return { limitMinor, leftMinor: Math.max(0, limitMinor - givenMinor), currency };
}

interface MoneyBack {
  readonly amountMinor: number;
  readonly currency: string;
  /** The pointer at which the body says how much goes back; absent where it does not. */
  readonly at?: "/amount" | "/refund";
}

/** Refuses with `refund_limit_exceeded` an amount above what the caller may still refund. */
export function requireWithin(
  allowance: RefundAllowance | null,
  { amountMinor, currency, at }: MoneyBack,
): void {
  if (allowance === null || amountMinor === 0) return;
  const { limitMinor, leftMinor, currency: own } = allowance;
  if (currency === own && amountMinor <= leftMinor) return;
  const amount = (minor: number) => `${formatAmount(minor, own)} ${own}`;
  const detail = `Of ${amount(limitMinor)} in 24 hours, ${amount(leftMinor)} are left. More needs an owner, or a key with refunds:write.`;
  throw refundLimitExceeded({
    detail,
    ...(at !== undefined && { faults: [{ pointer: at, code: "too_large", detail }] }),
    members: { refundable_minor: leftMinor, currency: own },
  });
}
