// Budgets of what publishable keys may do: of the address, of its network, of one key, and of all keys of the mode.

import type { AbuseKind } from "#kernel/abuse.ts";
import type { Refusal, RefusalDetails } from "#kernel/refusal.ts";
import { MINUTE_MS, SECOND_MS } from "#kernel/time.ts";

import { rateLimited } from "./refusals.ts";

/**
 * The unit that a budget counts. `narrow`: an IPv4 address, or the /64 of an IPv6 one. `wide`: the /24 of IPv4, the /48 of
 * IPv6; carriers put thousands of phones into one, so its limits are many times those of `narrow`. `key`: a publishable
 * key that has a limit of its own. `all`: all publishable keys of the mode.
 */
export type BudgetUnit = "narrow" | "wide" | "key" | "all";

export interface Budget {
  /** Budgets of one name count together. */
  readonly name: string;
  readonly unit: BudgetUnit;
  /** How many a unit may do in any `perMs`, milliseconds. */
  readonly limit: number;
  readonly perMs: number;
  /** True if above the limit only networks are refused that had their share of it. */
  readonly fair?: true;
  /** True if a customer who is signed in is a unit of their own, in place of the address. */
  readonly countsCustomers?: true;
  /** The member of a body without which a call is none of what is counted. */
  readonly countsOnlyWith?: string;
  /** True if refused calls count as well, such as guesses. */
  readonly countsRefused?: true;
  /** As which the merchant is told of what it refuses. */
  readonly abuse: AbuseKind;
  readonly refusal: (details: RefusalDetails) => Refusal;
}

interface Limits {
  readonly narrow: number;
  readonly wide: number;
}

/** Two budgets of the same: one for the address, and one for its network. */
export function perAddressAndNetwork(
  { narrow, wide }: Limits,
  terms: Omit<Budget, "unit" | "limit">,
): readonly Budget[] {
  return [
    { ...terms, unit: "narrow", limit: narrow },
    { ...terms, unit: "wide", limit: wide },
  ];
}

/** At most so many of `what` in ten minutes, where it is kept for good or has the merchant write to a contact. */
export function inTenMinutes(
  what: string,
  limits: Limits,
  terms: Pick<Budget, "countsCustomers"> = {},
): readonly Budget[] {
  const perMs = 10 * MINUTE_MS;
  const refused = { abuse: "orders", refusal: rateLimited } as const;
  return perAddressAndNetwork(limits, { ...terms, ...refused, name: what, perMs });
}

const sources: Readonly<Record<BudgetUnit, string>> = {
  narrow: " from this address",
  wide: " from this network",
  key: " with this key",
  all: "",
};

interface UsedUp {
  /** Until it has room again, milliseconds. */
  readonly waitMs: number;
  /** True if it is that of a customer who is signed in. */
  readonly isCustomers: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The refusal of a budget that is used up: whose it is, when it has room again, and the way past one's neighbours. */
export function usedUp(budget: Budget, { waitMs, isCustomers, headers }: UsedUp): Refusal {
  const seconds = budget.perMs / SECOND_MS;
  const window =
    seconds === 60 ? "60 seconds" : seconds === 3600 ? "hour" : `${seconds / 60} minutes`;
  const begin = budget.unit === "all" ? "The shop is busy: too many" : "Too many";
  const source = isCustomers ? " of this customer" : sources[budget.unit];
  const isShared = budget.unit === "narrow" && budget.countsCustomers === true && !isCustomers;
  const way = isShared ? " A customer who is signed in has a limit of their own." : "";
  return budget.refusal({
    abuse: budget.abuse,
    detail: `${begin} ${budget.name}${source} in the last ${window}.${way}`,
    headers: { ...headers, "Retry-After": String(Math.max(Math.ceil(waitMs / SECOND_MS), 1)) },
  });
}
