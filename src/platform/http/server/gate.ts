// Authentication and rate limits. Invariant: without a valid key every path below `/v2` responds
// 401.

import { monotonicMs } from "#kernel/time.ts";
import type { Mode } from "#platform/database/shop.ts";
import type { Authenticate, Caller } from "#platform/http/contract/caller.ts";
import { apiKeyInvalid, rateLimited } from "#platform/http/contract/refusals.ts";
import { FailedKeys } from "#platform/http/limits/failed-keys.ts";
import { rateLimitHeaders, RateWindow } from "#platform/http/limits/rate-window.ts";
import type { SharedRate } from "#platform/http/limits/shared-rate.ts";

export interface GateOptions {
  readonly authenticate: Authenticate;
  /** The limit of all secret keys of a mode together, in any 60 seconds; 0 means no limit. */
  readonly requestsPerMinute: number;
  /** The client's address, under which failed authentications are counted. */
  readonly addressOf: (request: Request) => string;
  /** The requests that other programs admitted, by mode; absent if there are none. */
  readonly share?: Readonly<Record<Mode, SharedRate>>;
}

/** Windows that are kept although they count nothing: 8 kB each at the default limit. */
const WINDOWS_MAX = 1_000;

/** A rate limit's window, with the name that all programs count it under. */
interface NamedWindow {
  readonly name: string;
  readonly window: RateWindow;
}

/**
 * Each program delays failed authentications on its own: guessing at several programs is faster
 * only by their number.
 */
export class Gate {
  readonly #options: GateOptions;
  readonly #failedKeys = new FailedKeys();
  /** One window per mode, and one per secret key that has its own limit. */
  readonly #windows = new Map<string, RateWindow>();

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** The number of windows that are kept. */
  get windows(): number {
    return this.#windows.size;
  }

  /**
   * The caller of a request. Refuses with `api_key_invalid`, in the same form for every fault, and
   * delays repeated failures.
   */
  async authenticate(request: Request): Promise<Caller> {
    const key = /^Bearer ([^\s,]+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
    const caller = key === undefined ? null : await this.#options.authenticate(key);
    if (caller !== null) return caller;
    await this.#slowDown(this.#options.addressOf(request));
    throw apiKeyInvalid({ headers: { "WWW-Authenticate": "Bearer" } });
  }

  /** Counts the request. Refuses with `rate_limited`. Returns the headers that report the limit. */
  admit(caller: Caller): Record<string, string> {
    const named = this.#windowOf(caller);
    if (named === null) return {};
    const { name, window } = named;
    const share = this.#options.share?.[caller.mode];
    const state = window.take(monotonicMs(), share?.elsewhere(name));
    const headers = rateLimitHeaders(window.limit, state);
    if (!state.allowed)
      throw rateLimited({ detail: "Too many requests in the last 60 seconds.", headers });
    share?.admitted(name);
    return headers;
  }

  /** The same headers without counting, for refusals before the rate limit applies. */
  rateHeaders(caller: Caller): Record<string, string> {
    const named = this.#windowOf(caller);
    if (named === null) return {};
    const { name, window } = named;
    const elsewhere = this.#options.share?.[caller.mode].elsewhere(name);
    const state = window.peek(monotonicMs(), elsewhere);
    return rateLimitHeaders(window.limit, { ...state, retryAfterSeconds: null });
  }

  #windowOf(caller: Caller): NamedWindow | null {
    const own = caller.ratePerMinute;
    const limit = own ?? this.#options.requestsPerMinute;
    // Visitors of a shop's page have limits of their own, and use up nothing of its servers.
    if (limit === 0 || caller.isPublic) return null;
    const name = own === null ? caller.mode : caller.actor.id;
    const known = this.#windows.get(name);
    if (known !== undefined && known.limit === limit) return { name, window: known };
    this.#dropIdle();
    const window = new RateWindow(limit);
    this.#windows.set(name, window);
    return { name, window };
  }

  /** Keys come and go: above the limit, windows that count nothing are dropped. */
  #dropIdle(): void {
    if (this.#windows.size < WINDOWS_MAX) return;
    const now = monotonicMs();
    for (const [name, window] of this.#windows) {
      if (window.peek(now).resetSeconds === 0) this.#windows.delete(name);
    }
  }

  async #slowDown(address: string): Promise<void> {
    const now = monotonicMs();
    this.#failedKeys.failed(address, now);
    const delayMs = this.#failedKeys.delayMs(address, now);
    if (delayMs > 0) await Bun.sleep(delayMs);
  }
}
