// An exact sliding window: never more than `limit` requests in any 60 s, which neither a fixed
// window nor a token bucket guarantees. Uses 8 bytes per allowed request. Counts of other programs
// are passed in, and are as exact as their source.

/** The length of every window, milliseconds. */
export const rateWindowMs = 60_000;

export interface RateState {
  readonly allowed: boolean;
  /** Requests that would still be allowed at this instant. */
  readonly remaining: number;
  /** Whole seconds until the next request expires: 1 to 60, or 0 if none is counted. */
  readonly resetSeconds: number;
  /** Whole seconds to wait after a refusal, at least `resetSeconds`; null if allowed. */
  readonly retryAfterSeconds: number | null;
}

/** Requests that other programs allowed and that count towards the limit. */
export interface Elsewhere {
  readonly count: number;
  /** Milliseconds until the first of them expires: at most 60,000, or 0 if there are none. */
  readonly freesInMs: number;
}

const nothing: Elsewhere = { count: 0, freesInMs: 0 };

/**
 * Ring buffer of the last `limit` allowed instants, starting at `oldest`. `limit` is at least 1.
 */
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

  /** Counts a request at a monotonic instant, or refuses it without counting. */
  take(nowMs: number, elsewhere = nothing): RateState {
    this.expire(nowMs);
    if (this.count + elsewhere.count >= this.limit) return this.state(nowMs, false, elsewhere);
    this.allowedAt[(this.oldest + this.count) % this.limit] = nowMs;
    this.count += 1;
    return this.state(nowMs, true, elsewhere);
  }

  /** The state without counting a request. */
  peek(nowMs: number, elsewhere = nothing): RateState {
    this.expire(nowMs);
    return this.state(nowMs, this.count + elsewhere.count < this.limit, elsewhere);
  }

  private expire(nowMs: number): void {
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

/** The headers that report a limit (draft-ietf-httpapi-ratelimit-headers-10). */
export function rateLimitHeaders(
  limit: number,
  state: Omit<RateState, "allowed">,
): Record<string, string> {
  const headers: Record<string, string> = {
    "RateLimit-Policy": `"default";q=${limit};w=${rateWindowMs / 1000}`,
    RateLimit: `"default";r=${state.remaining};t=${state.resetSeconds}`,
  };
  if (state.retryAfterSeconds !== null) headers["Retry-After"] = String(state.retryAfterSeconds);
  return headers;
}
