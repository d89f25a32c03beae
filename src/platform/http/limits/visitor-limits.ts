// Limits what publishable keys may do by address, network and mode, because one key is in the hands of all visitors.
// Each program counts for itself and forgets at a restart: both only loosen a limit.

import { isObject } from "#kernel/assume.ts";
import type { Refusal } from "#kernel/refusal.ts";
import { MINUTE_MS, monotonicMs } from "#kernel/time.ts";
import { type Budget, usedUp } from "#platform/http/contract/budget-terms.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import { rateLimited } from "#platform/http/contract/refusals.ts";
import { addressBlock, networkOf } from "#platform/net/addresses.ts";

import { Budgets, type Charge, type UsedUp } from "./budgets.ts";
import { rateLimitHeaders } from "./rate-window.ts";

/** The origin of a request of a visitor. */
export interface Visitor {
  readonly address: string;
  /** False for this machine and for a server of the merchant's own that names no visitor. */
  readonly isCounted: boolean;
}

export interface VisitorTerms {
  /** The limit of one address; 0 means none. */
  readonly readsPerMinute: number;
  /** The limit of one address; 0 means none. */
  readonly writesPerMinute: number;
  /** The limit of all publishable keys of a mode together; 0 means none. */
  readonly storefrontPerMinute: number;
  readonly visitorOf: (request: Request) => Visitor;
  /** True if the limits hold for the caller. */
  readonly areEnforcedFor: (caller: CountedCaller) => Promise<boolean>;
  /** The id of the customer who is signed in with the request; null if none is. */
  readonly signedInId: (request: Request, caller: CountedCaller) => Promise<string | null>;
}

/** The part of a caller that budgets count. */
export type CountedCaller = Pick<Caller, "isPublic" | "mode" | "ratePerMinute"> & {
  readonly actor: { readonly id: string };
};

/** Counts once, however often it is called. Refuses when a budget is used up. */
export type Take = () => void;

const takeNothing: Take = () => undefined;

interface BudgetCharge extends Charge {
  readonly budget: Budget;
  /** True if the unit is a customer who is signed in. */
  readonly isCustomers: boolean;
}

const perMinute = { perMs: MINUTE_MS, abuse: "requests", refusal: rateLimited } as const;
const requests = { ...perMinute, name: "requests", fair: true } as const;

export class VisitorLimits {
  readonly #terms: VisitorTerms;
  readonly #budgets = new Budgets();
  /** The requests of pages that were counted. */
  readonly #pages = new WeakMap<Request, Promise<unknown>>();

  constructor(terms: VisitorTerms) {
    this.#terms = terms;
  }

  /**
   * Counts a request of a publishable key. Refuses with `rate_limited`. Returns the headers that report the limit of
   * its address; none where it has no limit.
   */
  async admit(request: Request, caller: CountedCaller): Promise<Record<string, string>> {
    if (!caller.isPublic) return {};
    const visitor = this.#terms.visitorOf(request);
    const isCounted = visitor.isCounted && (await this.#terms.areEnforcedFor(caller));
    const budgets = [...(isCounted ? this.#ofRequests(request) : []), ...ofKey(caller)];
    const charges = budgets.map((budget) =>
      chargeOf(budget, caller, { ...visitor, customerId: null }),
    );
    const nowMs = monotonicMs();
    const refused = this.#budgets.take(charges, nowMs);
    if (refused === null) return this.#headers(charges, nowMs);
    throw refusalOf(refused, this.#headers(charges, nowMs));
  }

  /**
   * Counts the request of a page of this server once, however often the page asks: a page is one read or one write.
   * Refuses with `rate_limited`, then each time.
   */
  async admitPage(request: Request, caller: CountedCaller): Promise<void> {
    const counted = this.#pages.get(request) ?? this.admit(request, caller);
    this.#pages.set(request, counted);
    await counted;
  }

  /**
   * Runs the work of a route with these budgets; the work calls `take` right before it acts. Work that fails or is
   * refused counts for nothing, except in budgets that count refused calls.
   */
  async limited<T extends { readonly status: number }>(
    {
      budgets,
      request,
      caller,
      body,
    }: {
      readonly budgets: readonly Budget[];
      readonly request: Request;
      readonly caller: CountedCaller;
      readonly body: unknown;
    },
    work: (take: Take) => Promise<T>,
  ): Promise<T> {
    const counting = budgets.filter((budget) => counts(budget, body));
    const charges = await this.#chargesOf(counting, request, caller);
    if (charges.length === 0) return work(takeNothing);
    let takenAtMs: number | null = null;
    const returned = charges.filter(({ budget }) => budget.countsRefused !== true);
    const giveBack = () => takenAtMs !== null && this.#budgets.giveBack(returned, takenAtMs);
    const take = () => {
      if (takenAtMs !== null) return;
      const nowMs = monotonicMs();
      const refused = this.#budgets.take(charges, nowMs);
      if (refused !== null) throw refusalOf(refused);
      takenAtMs = nowMs;
    };
    try {
      const answer = await work(take);
      if (answer.status >= 400) giveBack();
      return answer;
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  async #chargesOf(
    budgets: readonly Budget[],
    request: Request,
    caller: CountedCaller,
  ): Promise<readonly BudgetCharge[]> {
    if (budgets.length === 0 || !caller.isPublic) return [];
    const visitor = this.#terms.visitorOf(request);
    if (!visitor.isCounted || !(await this.#terms.areEnforcedFor(caller))) return [];
    const takesCustomers = budgets.some(({ countsCustomers }) => countsCustomers === true);
    const customerId = takesCustomers ? await this.#terms.signedInId(request, caller) : null;
    return budgets.map((budget) => chargeOf(budget, caller, { ...visitor, customerId }));
  }

  /** The budgets of every request of a visitor. */
  #ofRequests(request: Request): readonly Budget[] {
    const { readsPerMinute, writesPerMinute, storefrontPerMinute } = this.#terms;
    const limit = isRead(request) ? readsPerMinute : writesPerMinute;
    const name = isRead(request) ? "reads" : "writes";
    return [
      ...(limit === 0 ? [] : [{ ...perMinute, name, unit: "narrow" as const, limit }]),
      ...(storefrontPerMinute === 0
        ? []
        : [{ ...requests, unit: "all" as const, limit: storefrontPerMinute }]),
    ];
  }

  /** The limit of the address, in the form of a secret key's. */
  #headers([charge]: readonly BudgetCharge[], nowMs: number): Record<string, string> {
    if (charge === undefined || charge.budget.unit !== "narrow") return {};
    const { left, freesInMs } = this.#budgets.peek(charge, nowMs);
    return rateLimitHeaders(charge.budget.limit, {
      remaining: left,
      resetSeconds: Math.ceil(freesInMs / 1_000),
      retryAfterSeconds: null,
    });
  }
}

/** The budget of a key that has a limit of its own. */
function ofKey({ ratePerMinute }: CountedCaller): readonly Budget[] {
  return ratePerMinute === null ? [] : [{ ...requests, unit: "key", limit: ratePerMinute }];
}

function counts({ countsOnlyWith }: Budget, body: unknown): boolean {
  return countsOnlyWith === undefined || (isObject(body) && countsOnlyWith in body);
}

/** The unit has its mode, so that trying a shop takes nothing from the live one. */
function chargeOf(
  budget: Budget,
  { mode, actor }: CountedCaller,
  { address, customerId }: Pick<Visitor, "address"> & { readonly customerId: string | null },
): BudgetCharge {
  const network = networkOf(address) ?? address;
  const isCustomers =
    budget.countsCustomers === true && budget.unit === "narrow" && customerId !== null;
  const narrow = isCustomers ? customerId : addressBlock(address);
  const units = {
    narrow: `${mode} ${narrow}`,
    wide: `${mode} ${network}`,
    key: actor.id,
    all: mode,
  };
  return { budget, unit: units[budget.unit], network, isCustomers };
}

function refusalOf(
  { charge: { budget, isCustomers }, waitMs }: UsedUp<BudgetCharge>,
  headers: Readonly<Record<string, string>> = {},
): Refusal {
  return usedUp(budget, { waitMs, isCustomers, headers });
}

function isRead({ method }: Request): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}
