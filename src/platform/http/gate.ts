// The gate of the interface: who asks, and how often. Below `/v2` nobody learns more than 401 before
// passing it.

import { monotonicMs } from "#kernel/time.ts";
import type { Mode } from "#platform/database/shop.ts";
import type { Authenticate, Caller } from "#platform/http/contract/caller.ts";
import { apiKeyInvalid, rateLimited } from "#platform/http/contract/refusals.ts";
import { FailedKeys } from "#platform/http/limits/failed-keys.ts";
import { rateLimitHeaders, RateWindow } from "#platform/http/limits/rate-window.ts";
import type { SharedRate } from "#platform/http/limits/shared-rate.ts";

export interface GateOptions {
  readonly authenticate: Authenticate;
  /** For a shop and mode, in any 60 seconds; 0 is no limit. */
  readonly requestsPerMinute: number;
  /** Where a request comes from, for slowing down guesses. */
  readonly addressOf: (request: Request) => string;
  /** What other programs let through of the same limits; by mode, where there are others. */
  readonly share?: Readonly<Record<Mode, SharedRate>>;
}

/** What a limit is counted in, and under which name others count it, too. */
interface NamedWindow {
  readonly name: string;
  readonly window: RateWindow;
}

/** Guesses are slowed down by each program for itself: a guesser gains no more than there are programs. */
export class Gate {
  readonly #options: GateOptions;
  readonly #failedKeys = new FailedKeys();
  /** One window for each mode, and one for each key with a limit of its own. */
  readonly #windows = new Map<string, RateWindow>();

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** The caller of a request. Refuses with `api_key_invalid`, uniformly and ever more slowly. */
  async authenticate(request: Request): Promise<Caller> {
    const key = /^Bearer ([^\s,]+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
    const caller = key === undefined ? null : await this.#options.authenticate(key);
    if (caller !== null) return caller;
    await this.#slowDown(this.#options.addressOf(request));
    throw apiKeyInvalid({ headers: { "WWW-Authenticate": "Bearer" } });
  }

  /** Counts the request. Refuses with `rate_limited`; `headers` tells the state on every answer. */
  admit(caller: Caller): Record<string, string> {
    const named = this.#windowOf(caller);
    if (named === null) return {};
    const { name, window } = named;
    const share = this.#options.share?.[caller.mode];
    const state = window.take(monotonicMs(), share?.elsewhere(name));
    const headers = rateLimitHeaders(window.limit, state);
    if (!state.allowed) throw rateLimited({ headers: headers });
    share?.admitted(name);
    return headers;
  }

  /** The same headers without counting, for an answer that comes before the limit is asked. */
  rateHeaders(caller: Caller): Record<string, string> {
    const named = this.#windowOf(caller);
    if (named === null) return {};
    const { name, window } = named;
    const elsewhere = this.#options.share?.[caller.mode].elsewhere(name);
    const state = window.look(monotonicMs(), elsewhere);
    return rateLimitHeaders(window.limit, { ...state, retryAfterSeconds: null });
  }

  #windowOf(caller: Caller): NamedWindow | null {
    const own = caller.ratePerMinute;
    const limit = own ?? this.#options.requestsPerMinute;
    if (limit === 0) return null;
    const name = own === null ? caller.mode : caller.keyId;
    const known = this.#windows.get(name);
    if (known !== undefined && known.limit === limit) return { name, window: known };
    const window = new RateWindow(limit);
    this.#windows.set(name, window);
    return { name, window };
  }

  async #slowDown(address: string): Promise<void> {
    const now = monotonicMs();
    this.#failedKeys.failed(address, now);
    const delayMs = this.#failedKeys.delayMs(address, now);
    if (delayMs > 0) await Bun.sleep(delayMs);
  }
}
