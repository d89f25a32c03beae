// What one address may do in a window, and what is remembered of all of them.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { AddressWindows } from "#platform/http/limits/address-windows.ts";

const twoInAMinute = { limit: 2, windowMs: 60_000 };

describe("an address", () => {
  test("waits until its first instant leaves the window", () => {
    const windows = new AddressWindows(twoInAMinute);
    windows.take("a", 1_000);
    windows.take("a", 5_000);

    expect(windows.take("a", 11_000)).toBe(50_000);
    expect(windows.take("a", 61_000)).toBeNull();
  });

  test("takes nothing from another", () => {
    const windows = new AddressWindows({ limit: 1, windowMs: 60_000 });
    windows.take("a", 0);

    expect(windows.take("b", 0)).toBeNull();
  });

  test("gets back what came to nothing", () => {
    const windows = new AddressWindows({ limit: 1, windowMs: 60_000 });
    windows.take("a", 1_000);
    windows.giveBack("a", 1_000);

    expect(windows.take("a", 2_000)).toBeNull();
  });

  test("never does more than its limit in any window", () => {
    const steps = fc.array(fc.nat(30_000), { maxLength: 60 });
    fc.assert(
      fc.property(steps, (waits) => {
        const windows = new AddressWindows(twoInAMinute);
        const allowed: number[] = [];
        let now = 0;
        for (const wait of waits) {
          now += wait;
          if (windows.take("a", now) === null) allowed.push(now);
        }
        return allowed.every((at, index) => at - (allowed[index - 2] ?? -Infinity) >= 60_000);
      }),
    );
  });
});

describe("of all addresses", () => {
  test("only so many are remembered, and the quietest is dropped", () => {
    const windows = new AddressWindows({ limit: 1, windowMs: 60_000 }, 2);
    windows.take("a", 1);
    windows.take("b", 2);
    windows.take("c", 3);

    expect(windows.size).toBe(2);
    expect(windows.take("c", 4)).toBe(59_999);
    expect(windows.take("a", 5)).toBeNull();
  });

  test("those that did nothing in the window are forgotten", () => {
    const windows = new AddressWindows(twoInAMinute);
    windows.take("a", 0);
    windows.take("b", 1);
    windows.take("c", 60_001);

    expect(windows.size).toBe(1);
  });
});
