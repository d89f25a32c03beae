// The gate of the interface: who asks, and how often. Below `/v2` nobody learns more than 401 before
// passing it.

import { monotonicMs } from "#kernel/time.ts";

import type { Authenticate, Caller } from "./caller.ts";
import { FailedKeys } from "./failed-keys.ts";
import { rateLimitHeaders, type RateState, RateWindow } from "./rate-window.ts";
import { apiKeyInvalid, rateLimited } from "./refusals.ts";

export interface GateOptions {
  readonly authenticate: Authenticate;
  /** For a shop and mode, in any 60 seconds; 0 is no limit. */
  readonly requestsPerMinute: number;
  /** Where a request comes from, for slowing down guesses. */
  readonly addressOf: (request: Request) => string;
}

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
    const window = this.#windowOf(caller);
    if (window === null) return {};
    const state = window.take(monotonicMs());
    const headers = rateLimitHeaders(window.limit, state);
    if (!state.allowed) throw rateLimited({ headers: headers });
    return headers;
  }

  /** The same headers without counting, for an answer that comes before the limit is asked. */
  rateHeaders(caller: Caller): Record<string, string> {
    const window = this.#windowOf(caller);
    if (window === null) return {};
    const state: RateState = window.look(monotonicMs());
    return rateLimitHeaders(window.limit, { ...state, retryAfterSeconds: null });
  }

  #windowOf(caller: Caller): RateWindow | null {
    const own = caller.ratePerMinute;
    const limit = own ?? this.#options.requestsPerMinute;
    if (limit === 0) return null;
    const name = own === null ? caller.mode : caller.keyId;
    const known = this.#windows.get(name);
    if (known !== undefined && known.limit === limit) return known;
    const window = new RateWindow(limit);
    this.#windows.set(name, window);
    return window;
  }

  async #slowDown(address: string): Promise<void> {
    const now = monotonicMs();
    this.#failedKeys.failed(address, now);
    const delayMs = this.#failedKeys.delayMs(address, now);
    if (delayMs > 0) await Bun.sleep(delayMs);
  }
}
