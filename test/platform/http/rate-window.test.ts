// The limit holds in every window of 60 s, and no request below it is refused.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { rateLimitHeaders, RateWindow } from "#platform/http/limits/rate-window.ts";

describe("a limit of two", () => {
  test("lets two requests through and says what remains", () => {
    const window = new RateWindow(2);

    const answers = [window.take(1_000), window.take(2_500)];

    expect(answers).toEqual([
      { allowed: true, remaining: 1, resetSeconds: 60, retryAfterSeconds: null },
      { allowed: true, remaining: 0, resetSeconds: 59, retryAfterSeconds: null },
    ]);
  });

  test("refuses the third and says when to come back", () => {
    const window = new RateWindow(2);
    window.take(0);
    window.take(30_000);

    const answer = window.take(30_001);

    expect(answer).toEqual({
      allowed: false,
      remaining: 0,
      resetSeconds: 30,
      retryAfterSeconds: 30,
    });
  });

  test("asks for at least one second of patience", () => {
    const window = new RateWindow(2);
    window.take(0);
    window.take(0);

    expect(window.take(59_999.5).retryAfterSeconds).toBe(1);
  });

  test("frees a place 60 s after it was taken, and no other", () => {
    const window = new RateWindow(2);
    window.take(0);
    window.take(30_000);

    const answers = [59_999, 60_000, 60_001].map((nowMs) => window.take(nowMs).allowed);

    expect(answers).toEqual([false, true, false]);
  });

  test("does not count what it refused", () => {
    const window = new RateWindow(2);
    window.take(0);
    window.take(0);
    window.take(59_000);

    const answer = window.take(60_000);

    expect(answer).toMatchObject({ allowed: true, remaining: 1 });
  });

  test("shows its state without counting the look", () => {
    const window = new RateWindow(2);
    const before = window.peek(0);
    window.take(0);

    const answers = [before, window.peek(500), window.peek(60_000)];

    expect(answers).toEqual([
      { allowed: true, remaining: 2, resetSeconds: 0, retryAfterSeconds: null },
      { allowed: true, remaining: 1, resetSeconds: 60, retryAfterSeconds: null },
      { allowed: true, remaining: 2, resetSeconds: 0, retryAfterSeconds: null },
    ]);
  });
});

test.each([[0], [-1], [1.5], [Number.NaN]])("a limit of %p is a bug", (limit) => {
  expect(() => new RateWindow(limit)).toThrow(RangeError);
});

/** Instants that rise by pauses from nothing to more than a window, fractions included. */
const arrivals = fc
  .array(
    fc.oneof(
      fc.constantFrom(0, 1, 20_000, 60_000),
      fc.nat(5_000),
      fc.double({ min: 0, max: 61_000, noNaN: true }),
    ),
    { maxLength: 120 },
  )
  .map((pauses) => {
    let nowMs = 12_345.678;
    return pauses.map((pause) => (nowMs += pause));
  });

/** The instants at which a window of this limit let a request through. */
function allowedInstants(window: RateWindow, instants: readonly number[]): number[] {
  return instants.filter((instant) => window.take(instant).allowed);
}

/** The same by definition: an instant is allowed when fewer than `limit` are in its last 60 s. */
function allowedByCounting(limit: number, instants: readonly number[]): number[] {
  const allowed: number[] = [];
  for (const instant of instants) {
    const recent = allowed.filter((earlier) => instant - earlier < 60_000);
    if (recent.length < limit) allowed.push(instant);
  }
  return allowed;
}

test("no window of 60 s lets more than the limit through, and no request below it is refused", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), arrivals, (limit, instants) => {
      const allowed = allowedInstants(new RateWindow(limit), instants);

      expect(allowed).toEqual(allowedByCounting(limit, instants));
    }),
    { numRuns: 500 },
  );
});

test("a client that waits as long as the answer says is let through", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), arrivals, (limit, instants) => {
      const window = new RateWindow(limit);
      const told = instants.map((instant) => ({ instant, ...window.take(instant) }));
      const last = told.at(-1);
      fc.pre(last !== undefined);

      const returned = window.peek(last.instant + Math.max(1, last.resetSeconds) * 1_000 + 0.001);

      expect(returned.allowed).toBe(true);
    }),
  );
});

describe("the headers", () => {
  test("tell quota, window, rest and seconds", () => {
    const state = { allowed: true, remaining: 987, resetSeconds: 12, retryAfterSeconds: null };

    expect(rateLimitHeaders(1_000, state)).toEqual({
      "RateLimit-Policy": '"default";q=1000;w=60',
      RateLimit: '"default";r=987;t=12',
    });
  });

  test("tell a refused caller when to retry", () => {
    const state = { allowed: false, remaining: 0, resetSeconds: 7, retryAfterSeconds: 7 };

    expect(rateLimitHeaders(5, state)).toEqual({
      "RateLimit-Policy": '"default";q=5;w=60',
      RateLimit: '"default";r=0;t=7',
      "Retry-After": "7",
    });
  });
});
