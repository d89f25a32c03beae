// An exact sliding window: in no 60 s are more than `limit` requests allowed, which neither a fixed
// window nor a token bucket keeps. Holds 8 bytes per allowed request and asks no clock.

/** The window every limit is counted in, milliseconds. */
const rateWindowMs = 60_000;

export interface RateState {
  readonly allowed: boolean;
  /** Requests that would still be allowed at this instant. */
  readonly remaining: number;
  /** Whole seconds until more quota frees: 1 to 60, and 0 while nothing is counted. */
  readonly resetSeconds: number;
  /** Whole seconds to wait after a refusal, never earlier than `resetSeconds`; else null. */
  readonly retryAfterSeconds: number | null;
}

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
  take(nowMs: number): RateState {
    this.forget(nowMs);
    if (this.count === this.limit) return this.state(nowMs, false);
    this.allowedAt[(this.oldest + this.count) % this.limit] = nowMs;
    this.count += 1;
    return this.state(nowMs, true);
  }

  /** The state without counting, for answers given before the limit is asked. */
  look(nowMs: number): RateState {
    this.forget(nowMs);
    return this.state(nowMs, this.count < this.limit);
  }

  private forget(nowMs: number): void {
    while (this.count > 0 && this.oldestAgeMs(nowMs) >= rateWindowMs) {
      this.oldest = (this.oldest + 1) % this.limit;
      this.count -= 1;
    }
  }

  private state(nowMs: number, allowed: boolean): RateState {
    const waitMs = this.count === 0 ? 0 : rateWindowMs - this.oldestAgeMs(nowMs);
    const resetSeconds = Math.ceil(waitMs / 1000);
    return {
      allowed,
      remaining: this.limit - this.count,
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
