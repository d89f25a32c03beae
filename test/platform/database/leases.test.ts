// Leases: one holder at a time under concurrent requests; and what remains after a holder is gone.

import { describe, expect, test } from "bun:test";

import type { Database } from "#platform/database/database.ts";
import {
  findLease,
  forgetEndedLeases,
  lockLease,
  releaseLease,
  renewLease,
  takeLease,
} from "#platform/database/leases.ts";

import { NOON, openTestDatabase } from "../../support/database.ts";

const SECOND_MS = 1_000;
const ada = { name: "work", holder: "ada" };
const bob = { name: "work", holder: "bob" };

/** Asks for ten seconds, so long after noon. */
function take(database: Database, who: typeof ada, afterMs = 0): Promise<boolean> {
  const now = NOON + afterMs;
  return database.write((tx) => takeLease(tx, { ...who, now, until: now + 10 * SECOND_MS }));
}

describe("a lease", () => {
  test("without a holder is taken", async () => {
    await using opened = await openTestDatabase();

    expect(await take(opened.database, ada)).toBeTrue();
    expect(await findLease(opened.database.read, "work")).toEqual({
      ...ada,
      until: NOON + 10 * SECOND_MS,
    });
  });

  test("of another holder stays as it is", async () => {
    await using opened = await openTestDatabase();
    await take(opened.database, ada);

    expect(await take(opened.database, bob, 9 * SECOND_MS)).toBeFalse();
    expect(await findLease(opened.database.read, "work")).toMatchObject(ada);
  });

  test("that ended goes to the next request", async () => {
    await using opened = await openTestDatabase();
    await take(opened.database, ada);

    expect(await take(opened.database, bob, 10 * SECOND_MS)).toBeTrue();
    expect(
      await opened.database.write((tx) => renewLease(tx, { ...ada, until: NOON })),
    ).toBeFalse();
  });

  test("is extended when its holder takes it again", async () => {
    await using opened = await openTestDatabase();
    await take(opened.database, ada);

    expect(await take(opened.database, ada, SECOND_MS)).toBeTrue();
    expect(await findLease(opened.database.read, "work")).toMatchObject({
      until: NOON + 11 * SECOND_MS,
    });
  });

  test("that ended and was not taken is renewed", async () => {
    await using opened = await openTestDatabase();
    await take(opened.database, ada);
    const until = NOON + 60 * SECOND_MS;

    expect(await opened.database.write((tx) => renewLease(tx, { ...ada, until }))).toBeTrue();
    expect(await take(opened.database, bob, 20 * SECOND_MS)).toBeFalse();
  });

  test("that was released is free", async () => {
    await using opened = await openTestDatabase();
    await take(opened.database, ada);

    expect(await opened.database.write((tx) => releaseLease(tx, ada))).toBeTrue();
    expect(await take(opened.database, bob)).toBeTrue();
  });

  test("is released by its holder only", async () => {
    await using opened = await openTestDatabase();
    await take(opened.database, ada);

    expect(await opened.database.write((tx) => releaseLease(tx, bob))).toBeFalse();
    expect(await opened.database.write((tx) => lockLease(tx, ada))).toBeTrue();
    expect(await opened.database.write((tx) => lockLease(tx, bob))).toBeFalse();
  });
});

test("one of twenty simultaneous requests takes the lease", async () => {
  await using opened = await openTestDatabase();
  const holders = Array.from({ length: 20 }, (_, index) => ({ ...ada, holder: `${index}` }));

  const taken = await Promise.all(holders.map((holder) => take(opened.database, holder)));

  expect(taken.filter(Boolean)).toHaveLength(1);
});

test("a locked lease is not taken before its transaction ends", async () => {
  await using opened = await openTestDatabase();
  await take(opened.database, ada);
  const held = Promise.withResolvers<void>();
  const order: string[] = [];
  const holding = opened.database.write(async (tx) => {
    await lockLease(tx, ada);
    held.resolve();
    await findLease(tx, "work");
    order.push("held");
  });
  await held.promise;

  const isTaken = await take(opened.database, bob, 20 * SECOND_MS);
  order.push("taken");
  await holding;

  expect(isTaken).toBeTrue();
  expect(order).toEqual(["held", "taken"]);
});

test("leases that ended long ago are forgotten, others are not", async () => {
  await using opened = await openTestDatabase();
  await take(opened.database, ada);
  await take(opened.database, { name: "other", holder: "ada" }, SECOND_MS);

  await opened.database.write((tx) => forgetEndedLeases(tx, NOON + 11 * SECOND_MS));

  expect(await findLease(opened.database.read, "work")).toBeUndefined();
  expect(await findLease(opened.database.read, "other")).toBeDefined();
});
