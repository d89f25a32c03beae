// What units may do in a window, who is refused above a shared limit, and what is remembered of all of them.

import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { Budgets, type Charge, fairShare } from "#platform/http/limits/budgets.ts";

import { runs } from "../../support/runs.ts";

const twoInAMinute = { name: "tests", unit: "narrow", limit: 2, perMs: 60_000 } as const;
const oneInAMinute = { ...twoInAMinute, limit: 1 } as const;

function of(unit: string, budget: Charge["budget"] = twoInAMinute): Charge {
  return { budget, unit, network: unit };
}

describe("a unit", () => {
  test("waits until the slot of its first use leaves the window", () => {
    const budgets = new Budgets();
    budgets.take([of("a")], 1_000);
    budgets.take([of("a")], 5_000);

    expect(budgets.take([of("a")], 11_000)).toEqual({ charge: of("a"), waitMs: 50_000 });
    expect(budgets.take([of("a")], 61_000)).toBeNull();
  });

  test("takes nothing from another", () => {
    const budgets = new Budgets();
    budgets.take([of("a", oneInAMinute)], 0);

    expect(budgets.take([of("b", oneInAMinute)], 0)).toBeNull();
  });

  test("gets back what came to nothing", () => {
    const budgets = new Budgets();
    budgets.take([of("a", oneInAMinute)], 1_000);
    budgets.giveBack([of("a", oneInAMinute)], 1_000);

    expect(budgets.take([of("a", oneInAMinute)], 2_000)).toBeNull();
  });

  test("is counted in all budgets of a request, or in none", () => {
    const budgets = new Budgets();
    const wide = { ...oneInAMinute, unit: "wide" } as const;
    budgets.take([of("a"), of("network", wide)], 0);

    const refused = budgets.take([of("a"), of("network", wide)], 0);

    expect(refused?.charge.budget.unit).toBe("wide");
    expect(budgets.peek(of("a"), 0)).toEqual({ left: 1, freesInMs: 60_000 });
  });

  test("is refused exactly when its window of 60 slots is full", () => {
    const steps = fc.array(fc.nat(30_000), { maxLength: 80 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 5 }), (waits, limit) => {
        const budgets = new Budgets();
        const admitted: number[] = [];
        let now = 0;
        return waits.every((wait) => {
          now += wait;
          const inWindow = admitted.filter((at) => slotOf(at) > slotOf(now) - 60).length;
          const isAdmitted = budgets.take([of("a", { ...twoInAMinute, limit })], now) === null;
          if (isAdmitted) admitted.push(now);
          return isAdmitted === inWindow < limit;
        });
      }),
      { numRuns: runs(200) },
    );
  });
});

function slotOf(atMs: number): number {
  return Math.floor(atMs / 1_000);
}

describe("of all units", () => {
  test("only so many are remembered, and the quietest is dropped", () => {
    const budgets = new Budgets(2);
    for (const [at, unit] of ["a", "b", "c"].entries()) budgets.take([of(unit, oneInAMinute)], at);

    expect(budgets.size).toBe(2);
    expect(budgets.take([of("c", oneInAMinute)], 4)).not.toBeNull();
    expect(budgets.take([of("a", oneInAMinute)], 5)).toBeNull();
  });

  test("those that did nothing in the window are forgotten", () => {
    const budgets = new Budgets();
    budgets.take([of("a")], 0);
    budgets.take([of("b")], 1);
    budgets.take([of("c")], 60_001);

    expect(budgets.size).toBe(1);
  });
});

/** The share of a fair limit in which these networks may ask. */
describe("a fair share", () => {
  test.each<readonly [readonly number[], number, number]>([
    [[], 10, Infinity],
    [[4, 6], 10, Infinity],
    [[4, 7], 10, 6],
    [[1, 100, 100], 11, 5],
    [[100, 100, 100], 2, 0],
  ])("of %p within %p is %p", (amounts, limit, share) => {
    expect(fairShare(amounts, limit)).toBe(share);
  });
});

function fair(limit: number): Charge["budget"] {
  return { name: "all", unit: "all", limit, perMs: 60_000, fair: true };
}

describe("above a limit of all", () => {
  test("nobody below it is refused, newcomers get in, and the sum has a bound", () => {
    const NETWORKS = 8;
    const request = fc.record({ wait: fc.nat(4_000), network: fc.nat(NETWORKS - 1) });
    const histories = fc.array(fc.oneof({ weight: 3, arbitrary: request }), { maxLength: 200 });
    fc.assert(
      fc.property(histories, fc.integer({ min: 1, max: 20 }), (requests, limit) => {
        const budgets = new Budgets();
        const admitted: { at: number; network: number }[] = [];
        let now = 0;
        return requests.every(({ wait, network }) => {
          now += wait;
          const inWindow = admitted.filter(({ at }) => slotOf(at) > slotOf(now) - 60);
          const isNew = !inWindow.some((one) => one.network === network);
          const charge = { budget: fair(limit), unit: "test", network: String(network) };
          const isAdmitted = budgets.take([charge], now) === null;
          if (isAdmitted) admitted.push({ at: now, network });
          const mustBeAdmitted = inWindow.length < limit || isNew;
          const isBounded = inWindow.length < limit + Math.max(limit, NETWORKS);
          return isAdmitted ? isBounded : !mustBeAdmitted;
        });
      }),
      { numRuns: runs(300) },
    );
  });

  test.each([2, 10, 200])("%p flooding networks take nothing from a hundred visitors", (floods) => {
    const LIMIT = 6_000;
    const budgets = new Budgets();
    let lost = 0;
    let admitted = 0;
    const ask = (network: string, at: number) =>
      budgets.take([{ budget: fair(LIMIT), unit: "live", network }], at) === null;
    for (let slot = 0; slot < 180; slot += 1) {
      for (let nth = 0; nth < 500; nth += 1) {
        if (ask(`flood ${nth % floods}`, slot * 1_000 + nth) && slot >= 120) admitted += 1;
      }
      for (let visitor = slot % 6; visitor < 100; visitor += 6) {
        if (!ask(`visitor ${visitor}`, slot * 1_000 + 999)) lost += 1;
        else if (slot >= 120) admitted += 1;
      }
    }

    expect(lost).toBe(0);
    expect(admitted).toBeLessThanOrEqual(LIMIT * 1.12);
  });
});
