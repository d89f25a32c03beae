// Bounds the costs that a publishable key may cause: strangers hold these keys, so orders that they place are
// bounded, where the merchant's own are not.

import { defineFaults, type Meanings } from "#kernel/fault.ts";
import type { Id } from "#kernel/id.ts";
import type { Faults } from "#kernel/refusal.ts";
import type { Mode } from "#platform/database/shop.ts";

/** The bounds of what strangers can cause. */
export interface PublicLimits {
  /** Units of a variant in one order. */
  readonly unitsPerVariant: number;
  /** The part, in percent, of a variant's stock that strangers' unpaid orders hold together; 100 means no bound. */
  readonly strangersPercent: number;
  /** Open unpaid orders of one contact. */
  readonly openOrdersPerContact: number;
  /** Codes to emails in 24 hours, of the whole shop. */
  readonly emailCodesPerDay: number;
  /** Codes to phones in 24 hours, of the whole shop. */
  readonly phoneCodesPerDay: number;
}

/** The merchant's settings; a bound that is absent or null has its default. */
export type LimitsGiven = {
  readonly [Bound in keyof PublicLimits]?: PublicLimits[Bound] | null;
};

/** Enough for a household or a small shop that stocks up. */
const UNITS_PER_VARIANT_DEFAULT = 20;
/** Half of the stock stays for customers who prove who they are, or who pay. */
const STRANGERS_PERCENT_DEFAULT = 50;
/** A customer who pays later and orders again stays below; a script does not. */
const OPEN_ORDERS_PER_CONTACT_DEFAULT = 5;

/** A flood of them costs the shop the good name of its mail server. */
const EMAIL_CODES_PER_DAY_DEFAULT = 1_000;
/** More than the customers of a small shop need; a stranger who asks for more costs the price of these. */
const PHONE_CODES_PER_DAY_DEFAULT = 500;

/** The parts of the shop's settings that decide on these bounds. */
export interface LimitSettings {
  readonly limits: LimitsGiven;
  /** True if a test shop has the bounds of a live one. */
  readonly enforceLimits: boolean;
}

/** Who asks: the part of a caller that decides whether bounds hold. */
export type LimitedCaller =
  { readonly isPublic: false } | { readonly isPublic: boolean; readonly mode: Mode };

/** The merchant, and the pages behind links that the merchant sent, apart from prompts: no bound holds. */
export const unlimited: LimitedCaller = { isPublic: false };

/** Returns the bounds that the merchant set, and the default of the others. */
export function publicLimitsOf({ limits }: Pick<LimitSettings, "limits">): PublicLimits {
  return {
    unitsPerVariant: limits.unitsPerVariant ?? UNITS_PER_VARIANT_DEFAULT,
    strangersPercent: limits.strangersPercent ?? STRANGERS_PERCENT_DEFAULT,
    openOrdersPerContact: limits.openOrdersPerContact ?? OPEN_ORDERS_PER_CONTACT_DEFAULT,
    emailCodesPerDay: limits.emailCodesPerDay ?? EMAIL_CODES_PER_DAY_DEFAULT,
    phoneCodesPerDay: limits.phoneCodesPerDay ?? PHONE_CODES_PER_DAY_DEFAULT,
  };
}

/**
 * Returns true if bounds on addresses, contacts, units, attempts and prompts hold for the caller: always for a live
 * publishable key, and for one of a test shop only if the shop asks for them, so that a developer who
 * tries a checkout a hundred times is not stopped.
 */
export function limitsHold({ enforceLimits }: LimitSettings, caller: LimitedCaller): boolean {
  return "mode" in caller && caller.isPublic && (caller.mode === "live" || enforceLimits);
}

interface LineUnits {
  /** The place of the line in the request; undefined for one that it does not name. */
  readonly pointer: string | undefined;
  readonly variantId: Id<"variant"> | null;
  readonly quantity: number;
}

/** Adds a fault at each line with which the units of its variant exceed the store's limit. */
export function limitUnits(settings: LimitSettings, lines: readonly LineUnits[], faults: Faults) {
  const { unitsPerVariant } = publicLimitsOf(settings);
  const units = new Map<Id<"variant">, number>();
  for (const { pointer, variantId, quantity } of lines) {
    if (variantId === null) continue;
    const sum = (units.get(variantId) ?? 0) + quantity;
    units.set(variantId, sum);
    if (sum <= unitsPerVariant || pointer === undefined) continue;
    const detail = `An order can have at most ${unitsPerVariant} units of a variant.`;
    faults.add(`${pointer}/quantity`, "too_many_units", detail);
  }
}

const limitFaults = defineFaults({
  too_many_units: "An order or a cart of a publishable key has too many units of the variant.",
});
declare module "#kernel/fault.ts" {
  interface FaultCodes extends Meanings<typeof limitFaults> {}
}

/** Seconds that caches keep answers where the merchant set none: in test mode a developer reads what was just changed. */
const CACHE_SECONDS: Readonly<Record<Mode, number>> = { live: 10, test: 0 };

/** How long caches keep what publishable keys are answered of the catalog, seconds; 0 means not at all. */
export function cacheSecondsOf(
  store: { readonly storefrontCacheSeconds: number | null },
  mode: Mode,
): number {
  return store.storefrontCacheSeconds ?? CACHE_SECONDS[mode];
}
