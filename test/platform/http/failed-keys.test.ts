// Wrong keys are answered slower and slower, per address, in bounded memory.

import { expect, test } from "bun:test";

import { FailedKeys } from "#platform/http/limits/failed-keys.ts";

const MINUTE_MS = 60_000;

function fail(keys: FailedKeys, address: string, times: number): void {
  for (let count = 0; count < times; count += 1) keys.failed(address, 0);
}

test("an address without failures waits for nothing", () => {
  expect(new FailedKeys().delayMs("203.0.113.9", 0)).toBe(0);
});

test.each([
  [1, 0],
  [5, 0],
  [6, 100],
  [10, 100],
  [11, 500],
  [20, 500],
  [21, 2_000],
  [1_000, 2_000],
])("after %p failures an answer waits %p ms", (failures, delayMs) => {
  const keys = new FailedKeys();

  fail(keys, "203.0.113.9", failures);

  expect(keys.delayMs("203.0.113.9", 0)).toBe(delayMs);
});

test("one address's failures do not slow another address", () => {
  const keys = new FailedKeys();

  fail(keys, "203.0.113.9", 100);

  expect(keys.delayMs("203.0.113.10", 0)).toBe(0);
});

test("failures are forgotten after fifteen quiet minutes and not before", () => {
  const keys = new FailedKeys();

  fail(keys, "203.0.113.9", 21);

  expect(keys.delayMs("203.0.113.9", 15 * MINUTE_MS - 1)).toBe(2_000);
  expect(keys.delayMs("203.0.113.9", 15 * MINUTE_MS)).toBe(0);
});

test("a failure after the quiet time is the first again", () => {
  const keys = new FailedKeys();
  fail(keys, "203.0.113.9", 21);

  keys.failed("203.0.113.9", 15 * MINUTE_MS);

  expect(keys.delayMs("203.0.113.9", 15 * MINUTE_MS)).toBe(0);
});

test("no more addresses are remembered than there is room for", () => {
  const keys = new FailedKeys(3);

  for (const address of ["a", "b", "c", "d", "e"]) keys.failed(address, 0);

  expect(keys.size).toBe(3);
});

test("the address that has been quiet longest is forgotten first", () => {
  const keys = new FailedKeys(2);
  fail(keys, "guesser", 21);
  keys.failed("somebody", 0);
  keys.failed("guesser", 0);

  keys.failed("newcomer", 0);

  expect(keys.delayMs("guesser", 0)).toBe(2_000);
});
