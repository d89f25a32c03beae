// Leases: one holder at a time, whoever asks at once; and what is left when a holder is gone.

import { describe, expect, test } from "bun:test";

import {
  findLease,
  forgetEndedLeases,
  holdLease,
  releaseLease,
  renewLease,
  takeLease,
} from "#platform/database/leases.ts";
import type { Store } from "#platform/database/store.ts";

import { NOON, openTestStore } from "../../support/store.ts";

const SECOND_MS = 1_000;
const ada = { name: "work", holder: "ada" };
const bob = { name: "work", holder: "bob" };

/** Asks for ten seconds, so long after noon. */
function take(store: Store, who: typeof ada, afterMs = 0): Promise<boolean> {
  const now = NOON + afterMs;
  return store.write((tx) => takeLease(tx, { ...who, now, until: now + 10 * SECOND_MS }));
}

describe("a lease", () => {
  test("that is nobody's is taken", async () => {
    await using opened = await openTestStore();

    expect(await take(opened.store, ada)).toBeTrue();
    expect(await findLease(opened.store.read, "work")).toEqual({
      ...ada,
      until: NOON + 10 * SECOND_MS,
    });
  });

  test("that is another's stays as it is", async () => {
    await using opened = await openTestStore();
    await take(opened.store, ada);

    expect(await take(opened.store, bob, 9 * SECOND_MS)).toBeFalse();
    expect(await findLease(opened.store.read, "work")).toMatchObject(ada);
  });

  test("that ended goes to who comes next", async () => {
    await using opened = await openTestStore();
    await take(opened.store, ada);

    expect(await take(opened.store, bob, 10 * SECOND_MS)).toBeTrue();
    expect(await opened.store.write((tx) => renewLease(tx, { ...ada, until: NOON }))).toBeFalse();
  });

  test("is taken again by who has it, for longer", async () => {
    await using opened = await openTestStore();
    await take(opened.store, ada);

    expect(await take(opened.store, ada, SECOND_MS)).toBeTrue();
    expect(await findLease(opened.store.read, "work")).toMatchObject({
      until: NOON + 11 * SECOND_MS,
    });
  });

  test("that ended and that nobody wanted is renewed", async () => {
    await using opened = await openTestStore();
    await take(opened.store, ada);
    const until = NOON + 60 * SECOND_MS;

    expect(await opened.store.write((tx) => renewLease(tx, { ...ada, until }))).toBeTrue();
    expect(await take(opened.store, bob, 20 * SECOND_MS)).toBeFalse();
  });

  test("that was released is free", async () => {
    await using opened = await openTestStore();
    await take(opened.store, ada);

    expect(await opened.store.write((tx) => releaseLease(tx, ada))).toBeTrue();
    expect(await take(opened.store, bob)).toBeTrue();
  });

  test("is released by its holder only", async () => {
    await using opened = await openTestStore();
    await take(opened.store, ada);

    expect(await opened.store.write((tx) => releaseLease(tx, bob))).toBeFalse();
    expect(await opened.store.write((tx) => holdLease(tx, ada))).toBeTrue();
    expect(await opened.store.write((tx) => holdLease(tx, bob))).toBeFalse();
  });
});

test("of twenty who ask at once one has it", async () => {
  await using opened = await openTestStore();
  const holders = Array.from({ length: 20 }, (_, index) => ({ ...ada, holder: `${index}` }));

  const taken = await Promise.all(holders.map((holder) => take(opened.store, holder)));

  expect(taken.filter(Boolean)).toHaveLength(1);
});

test("nobody takes what is held before its transaction ends", async () => {
  await using opened = await openTestStore();
  await take(opened.store, ada);
  const held = Promise.withResolvers<void>();
  const order: string[] = [];
  const holding = opened.store.write(async (tx) => {
    await holdLease(tx, ada);
    held.resolve();
    await findLease(tx, "work");
    order.push("held");
  });
  await held.promise;

  const isTaken = await take(opened.store, bob, 20 * SECOND_MS);
  order.push("taken");
  await holding;

  expect(isTaken).toBeTrue();
  expect(order).toEqual(["held", "taken"]);
});

test("leases that ended long ago are forgotten, others are not", async () => {
  await using opened = await openTestStore();
  await take(opened.store, ada);
  await take(opened.store, { name: "other", holder: "ada" }, SECOND_MS);

  await opened.store.write((tx) => forgetEndedLeases(tx, NOON + 11 * SECOND_MS));

  expect(await findLease(opened.store.read, "work")).toBeUndefined();
  expect(await findLease(opened.store.read, "other")).toBeDefined();
});
