// Limits publishable keys by client address, because one key is in the hands of all visitors. Each
// program counts for itself and forgets at a restart: both only loosen a limit.

import { MINUTE_MS, monotonicMs, SECOND_MS } from "#kernel/time.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import { rateLimited } from "#platform/http/contract/refusals.ts";
import type { RouteLimit } from "#platform/http/contract/route-limit.ts";

import { AddressWindows } from "./address-windows.ts";

export interface AddressTerms {
  /** 0 means no limit. */
  readonly readsPerMinute: number;
  /** 0 means no limit. */
  readonly writesPerMinute: number;
  /** The address that a request counts for; null for a server of the merchant's own. */
  readonly countedAddressOf: (request: Request) => string | null;
  /** True if the limits hold for the caller. */
  readonly areEnforcedFor: (caller: Caller) => Promise<boolean>;
}

/** Counts once for the address, however often it is called. Refuses when the address is at its limit. */
export type Take = () => void;

const takeNothing: Take = () => undefined;

export class AddressLimits {
  readonly #terms: AddressTerms;
  readonly #reads: AddressWindows | null;
  readonly #writes: AddressWindows | null;
  readonly #ofRoutes = new Map<RouteLimit, AddressWindows>();

  constructor(terms: AddressTerms) {
    this.#terms = terms;
    this.#reads = perMinute(terms.readsPerMinute);
    this.#writes = perMinute(terms.writesPerMinute);
  }

  /** Counts the request for its address. Refuses with `rate_limited`. */
  async admit(request: Request, caller: Caller): Promise<void> {
    const windows = isRead(request) ? this.#reads : this.#writes;
    const address = windows === null ? null : await this.#addressOf(request, caller);
    if (windows === null || address === null) return;
    const waitMs = windows.take(address, monotonicMs());
    if (waitMs === null) return;
    throw rateLimited({
      detail: "Too many requests from this address in the last 60 seconds.",
      headers: retryAfter(waitMs),
    });
  }

  /**
   * Runs the work of a route with this limit, or with none; the work calls `take` right before it acts. Work that
   * fails or is refused counts for nothing.
   */
  async limited<T extends { readonly status: number }>(
    {
      limit,
      request,
      caller,
    }: {
      readonly limit: RouteLimit | null;
      readonly request: Request;
      readonly caller: Caller;
    },
    work: (take: Take) => Promise<T>,
  ): Promise<T> {
    const address = limit === null ? null : await this.#addressOf(request, caller);
    if (limit === null || address === null) return work(takeNothing);
    const windows = this.#windowsOf(limit);
    let takenAtMs: number | null = null;
    const giveBack = () => takenAtMs !== null && windows.giveBack(address, takenAtMs);
    const take = () => {
      if (takenAtMs !== null) return;
      const nowMs = monotonicMs();
      const waitMs = windows.take(address, nowMs);
      if (waitMs !== null) throw limit.refusal({ headers: retryAfter(waitMs) });
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

  /** The address with its mode, so that trying a shop takes nothing from the live one; null if none counts. */
  async #addressOf(request: Request, caller: Caller): Promise<string | null> {
    if (!caller.isPublic) return null;
    const address = this.#terms.countedAddressOf(request);
    if (address === null || !(await this.#terms.areEnforcedFor(caller))) return null;
    return `${caller.mode} ${address}`;
  }

  #windowsOf(limit: RouteLimit): AddressWindows {
    const known = this.#ofRoutes.get(limit);
    if (known !== undefined) return known;
    const windows = new AddressWindows(limit);
    this.#ofRoutes.set(limit, windows);
    return windows;
  }
}

function perMinute(limit: number): AddressWindows | null {
  return limit === 0 ? null : new AddressWindows({ limit, windowMs: MINUTE_MS });
}

function isRead({ method }: Request): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}

function retryAfter(waitMs: number): Record<string, string> {
  return { "Retry-After": String(Math.max(Math.ceil(waitMs / SECOND_MS), 1)) };
}
