// The rules of stock on plain data.

import { describe, expect, test } from "bun:test";

import { availableOf, isLow } from "#catalog/rows/inventory.ts";

describe("stock", () => {
  test.each([
    [10, 0, true, 10],
    [10, 4, true, 6],
    [3, 5, true, -2],
    [0, 0, true, 0],
    [10, 4, false, null],
  ] as const)("of %p with %p reserved, tracked: %p, leaves %p", (...row) => {
    const [onHand, reserved, tracked, available] = row;

    expect(availableOf({ onHand, reserved, tracked, lowStockThreshold: 0 })).toBe(available);
  });

  test.each([
    [5, 5, true, false],
    [4, 5, true, true],
    [-1, 0, true, true],
    [0, 0, true, false],
    [0, 5, false, false],
  ] as const)("of %p at a threshold of %p, tracked: %p, is low: %p", (...row) => {
    const [onHand, lowStockThreshold, tracked, low] = row;

    expect(isLow({ onHand, reserved: 0, tracked, lowStockThreshold })).toBe(low);
  });
});
