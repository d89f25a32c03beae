// An exact sliding window: in no 60 s are more than `limit` requests allowed, which neither a fixed
// window nor a token bucket keeps. Holds 8 bytes per allowed request and asks no clock. What others
// allowed is told to it, and is as exact as whoever tells it.

/** The window every limit is counted in, milliseconds. */
export const rateWindowMs = 60_000;

export interface RateState {
  readonly allowed: boolean;
  /** Requests that would still be allowed at this instant. */
  readonly remaining: number;
  /** Whole seconds until more quota frees: 1 to 60, and 0 while nothing is counted. */
  readonly resetSeconds: number;
  /** Whole seconds to wait after a refusal, never earlier than `resetSeconds`; else null. */
  readonly retryAfterSeconds: number | null;
}

/** What counts towards the limit and was allowed elsewhere. */
export interface Elsewhere {
  readonly count: number;
  /** Until some of it no longer counts, milliseconds: at most 60,000, and 0 where there is none. */
  readonly freesInMs: number;
}

const nothing: Elsewhere = { count: 0, freesInMs: 0 };

/** The last `limit` allowed instants, the oldest at `oldest`. `limit` is at least 1. */
export class RateWindow {
  readonly limit: number;
  private readonly allowedAt: Float64Array;
  private oldest = 0;
  private count = 0;

  constructor(limit: number) {
    if (!Number.isSafeInteger(limit) || limit < 1) throw new RangeError("limit must be at least 1");
    this.limit = limit;
    this.allowedAt = new Float64Array(limit);
  }

  /** Counts one request at the instant of a clock that never goes back, or refuses it uncounted. */
  take(nowMs: number, elsewhere = nothing): RateState {
    this.forget(nowMs);
    if (this.count + elsewhere.count >= this.limit) return this.state(nowMs, false, elsewhere);
    this.allowedAt[(this.oldest + this.count) % this.limit] = nowMs;
    this.count += 1;
    return this.state(nowMs, true, elsewhere);
  }

  /** The state without counting, for answers given before the limit is asked. */
  look(nowMs: number, elsewhere = nothing): RateState {
    this.forget(nowMs);
    return this.state(nowMs, this.count + elsewhere.count < this.limit, elsewhere);
  }

  private forget(nowMs: number): void {
    while (this.count > 0 && this.oldestAgeMs(nowMs) >= rateWindowMs) {
      this.oldest = (this.oldest + 1) % this.limit;
      this.count -= 1;
    }
  }

  private state(nowMs: number, allowed: boolean, elsewhere: Elsewhere): RateState {
    const waits = [
      ...(this.count === 0 ? [] : [rateWindowMs - this.oldestAgeMs(nowMs)]),
      ...(elsewhere.count === 0 ? [] : [elsewhere.freesInMs]),
    ];
    const resetSeconds = waits.length === 0 ? 0 : Math.ceil(Math.min(...waits) / 1000);
    return {
      allowed,
      remaining: Math.max(this.limit - this.count - elsewhere.count, 0),
      resetSeconds,
      retryAfterSeconds: allowed ? null : resetSeconds,
    };
  }

  private oldestAgeMs(nowMs: number): number {
    return nowMs - (this.allowedAt[this.oldest] ?? nowMs);
  }
}

/** The headers that tell the limit (draft-ietf-httpapi-ratelimit-headers-10); no others do. */
export function rateLimitHeaders(limit: number, state: RateState): Record<string, string> {
  const headers: Record<string, string> = {
    "RateLimit-Policy": `"default";q=${limit};w=${rateWindowMs / 1000}`,
    RateLimit: `"default";r=${state.remaining};t=${state.resetSeconds}`,
  };
  if (state.retryAfterSeconds !== null) headers["Retry-After"] = String(state.retryAfterSeconds);
  return headers;
}
