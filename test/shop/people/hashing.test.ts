// Slow hashes of passwords: few at a time, and no flood of them.

import { expect, test } from "bun:test";

import { openPasswordHasher } from "#shop/people/credentials/hashing.ts";

import { countsOf, outcomeOf } from "./open-door.ts";

test("two passwords are verified at a time while sixteen wait, and more are refused", async () => {
  const hasher = openPasswordHasher();

  const outcomes = await Promise.all(
    Array.from({ length: 30 }, () => outcomeOf(hasher.verify("a password", "no hash"))),
  );

  expect(countsOf(outcomes)).toEqual({ done: 18, sign_in_busy: 12 });
});

test("after a flood the next one has its turn", async () => {
  const hasher = openPasswordHasher();
  await Promise.all(
    Array.from({ length: 30 }, () => outcomeOf(hasher.verify("a password", "no hash"))),
  );

  const hash = await hasher.hash("a password");

  expect(await hasher.verify("a password", hash)).toBe(true);
  expect(await hasher.verify("b password", hash)).toBe(false);
});
