// Leases of a killed program: free when the program starts again on its directory, and not taken by
// another program before.

import { expect, test } from "bun:test";
import { cpSync } from "node:fs";

import type { Database } from "#platform/database/database.ts";
import { findLease, newHolder, takeLease } from "#platform/database/leases.ts";
import { LeaderElection } from "#platform/scheduler/leader-election.ts";

import { NOON } from "../../support/database.ts";
import { openScratchFolder } from "../../support/scratch.ts";
import { openSharedDatabase } from "./postgres-rig.ts";

const HOUR_MS = 3_600_000;

function fail(error: unknown): never {
  throw error;
}

/** Takes it for an hour, and is never heard of again. */
async function takeForGood(database: Database): Promise<string> {
  const holder = newHolder(database);
  const lease = { name: "work", holder, now: NOON, until: NOON + HOUR_MS };
  await database.write((tx) => takeLease(tx, lease));
  return holder;
}

test("the leases of a killed program are free when it starts again on its directory", async () => {
  await using database = openSharedDatabase();
  using directory = openScratchFolder();
  const killed = await database.join({ directory: directory.path });
  await takeForGood(killed);

  const again = await database.join({ directory: directory.path });

  expect(await findLease(again.read, "work")).toBeUndefined();
});

test("the background of a killed program is its own as soon as it starts again", async () => {
  await using shared = openSharedDatabase();
  using directory = openScratchFolder();
  const join = () => shared.join({ directory: directory.path });
  const lead = async (database: Database) => {
    const leadership = new LeaderElection({ database, onFault: fail });
    await leadership.poll();
    return leadership.isLeader();
  };
  const before = await lead(await join());

  const after = await lead(await join());

  expect([before, after]).toEqual([true, true]);
});

test("a program keeps its leases while others start", async () => {
  await using database = openSharedDatabase();
  const one = await database.join();
  const holder = await takeForGood(one);

  const other = await database.join();

  expect(other.home).not.toBe(one.home);
  expect(await findLease(other.read, "work")).toMatchObject({ holder });
});

test("a copy of a data directory is another home", async () => {
  await using database = openSharedDatabase();
  using directory = openScratchFolder();
  using elsewhere = openScratchFolder();
  const one = await database.join({ directory: directory.path });
  const holder = await takeForGood(one);
  const copy = elsewhere.file("copy");
  cpSync(directory.path, copy, { recursive: true });

  await database.join({ directory: copy });

  expect(await findLease(one.read, "work")).toMatchObject({ holder });
});
