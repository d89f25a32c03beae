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
  remedy:
    "Send `above_limit` as `ask`, so that an owner can approve it. Or let an owner refund it, or use a key with `refunds:write`.",
  faults: { too_large: "More than the caller may still refund." },
  example: { members: { refundable_minor: 10_000, currency: "GHS" } },
  abuse: "refunds",
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

/** The answer to an amount above the limit: a refusal, or a refund that someone else has to approve. */
export type AboveLimit = "refuse" | "ask";

interface MoneyBack {
  readonly amountMinor: number;
  readonly currency: string;
  /** The pointer at which the body says how much goes back; absent where it does not. */
  readonly at?: "/amount" | "/refund";
}

/** Refuses with `refund_limit_exceeded` an amount above what the caller may still refund. */
export function requireWithin(allowance: RefundAllowance | null, back: MoneyBack): void {
  if (allowance === null || isWithin(allowance, back)) return;
  const { limitMinor, leftMinor, currency: own } = allowance;
  const amount = (minor: number) => `${formatAmount(minor, own)} ${own}`;
  const detail = `Of ${amount(limitMinor)} in 24 hours, ${amount(leftMinor)} are left. More needs an owner, or a key with refunds:write.`;
  throw refundLimitExceeded({
    detail,
    ...(back.at !== undefined && { faults: [{ pointer: back.at, code: "too_large", detail }] }),
    members: { refundable_minor: leftMinor, currency: own },
  });
}

/**
 * Returns true if the amount is above what the caller may still refund and the caller asks for an approval. Refuses with
 * `refund_limit_exceeded` where the caller does not.
 */
export function needsApproval(
  allowance: RefundAllowance | null,
  { aboveLimit, ...back }: MoneyBack & { readonly aboveLimit: AboveLimit },
): boolean {
  if (aboveLimit === "ask") return allowance !== null && !isWithin(allowance, back);
  requireWithin(allowance, back);
  return false;
}

function isWithin(
  { leftMinor, currency: own }: RefundAllowance,
  { amountMinor, currency }: MoneyBack,
): boolean {
  return amountMinor === 0 || (currency === own && amountMinor <= leftMinor);
}
