// Whose the background is: of two programs over one database it is one's, and the other's when that one
// stops, is gone or does not come back in time.

import { describe, expect, test } from "bun:test";

import type { Database } from "#platform/database/database.ts";
import { findLease } from "#platform/database/leases.ts";
import { LeaderElection, soleLeader } from "#platform/scheduler/leader-election.ts";

import { NOON, openTestDatabase } from "../../support/database.ts";

const SECOND_MS = 1_000;

/** A machine's two clocks, which a test moves together. */
class Machine {
  #passedMs = 0;

  now(): number {
    return NOON + this.#passedMs;
  }

  passed(): number {
    return this.#passedMs;
  }

  pass(milliseconds: number): void {
    this.#passedMs += milliseconds;
  }
}

/** One of several programs; nothing happens by itself unless it is started. */
function openProgram(database: Database, machine = new Machine()) {
  const gained: string[] = [];
  const faults: unknown[] = [];
  const leadership = new LeaderElection({
    database,
    clock: machine,
    passedMs: () => machine.passed(),
    onFault: (error) => faults.push(error),
  });
  leadership.onGained((isTaken) => gained.push(isTaken ? "anew" : "again"));
  return { leadership, gained, faults };
}

/** Two on one machine; the first has it. */
async function openTwo(database: Database) {
  const machine = new Machine();
  const [one, other] = [openProgram(database, machine), openProgram(database, machine)];
  await one.leadership.poll();
  await other.leadership.poll();
  return { machine, one, other };
}

describe("of two programs", () => {
  test("the first that looks has it", async () => {
    await using opened = await openTestDatabase();
    const { one, other } = await openTwo(opened.database);

    expect([one.leadership.isLeader(), other.leadership.isLeader()]).toEqual([true, false]);
    expect([one.gained, other.gained]).toEqual([["anew"], []]);
  });

  test("one of two simultaneous requests gains the lead", async () => {
    await using opened = await openTestDatabase();
    const programs = [openProgram(opened.database), openProgram(opened.database)];

    await Promise.all(programs.map(({ leadership }) => leadership.poll()));

    expect(programs.filter(({ leadership }) => leadership.isLeader())).toHaveLength(1);
  });

  test("the leader keeps the lead while it renews in time", async () => {
    await using opened = await openTestDatabase();
    const { machine, one, other } = await openTwo(opened.database);
    machine.pass(11 * SECOND_MS);
    await one.leadership.poll();
    machine.pass(11 * SECOND_MS);
    await other.leadership.poll();

    expect([one.leadership.isLeader(), other.leadership.isLeader()]).toEqual([true, false]);
    expect(one.gained).toEqual(["anew"]);
  });

  test("a leader that stops hands the lead over at once", async () => {
    await using opened = await openTestDatabase();
    const { one, other } = await openTwo(opened.database);
    await one.leadership.stop();
    await other.leadership.poll();

    expect([one.leadership.isLeader(), other.leadership.isLeader()]).toEqual([false, true]);
    expect(other.gained).toEqual(["anew"]);
  });

  test("a leader that is gone loses the lead when its lease ends, not before", async () => {
    await using opened = await openTestDatabase();
    const { machine, other } = await openTwo(opened.database);
    machine.pass(15 * SECOND_MS - 1);
    await other.leadership.poll();
    const early = other.leadership.isLeader();
    machine.pass(1);
    await other.leadership.poll();

    expect([early, other.leadership.isLeader()]).toEqual([false, true]);
  });
});

describe("a leader", () => {
  test("thinks so no more seconds before another may take it", async () => {
    await using opened = await openTestDatabase();
    const { machine, one, other } = await openTwo(opened.database);
    machine.pass(12 * SECOND_MS);
    await other.leadership.poll();

    expect([one.leadership.isLeader(), other.leadership.isLeader()]).toEqual([false, false]);
  });

  test("keeps the lead where it was late and no other program took it", async () => {
    await using opened = await openTestDatabase();
    const { machine, one } = await openTwo(opened.database);
    machine.pass(60 * SECOND_MS);
    await one.leadership.poll();

    expect(one.leadership.isLeader()).toBeTrue();
    expect(one.gained).toEqual(["anew", "again"]);
  });

  test("learns that the lead was taken, and gains it again later", async () => {
    await using opened = await openTestDatabase();
    const { machine, one, other } = await openTwo(opened.database);
    machine.pass(15 * SECOND_MS);
    await other.leadership.poll();
    await one.leadership.poll();
    const meanwhile = one.leadership.isLeader();
    await other.leadership.stop();
    await one.leadership.poll();

    expect([meanwhile, one.leadership.isLeader()]).toEqual([false, true]);
    expect(one.gained).toEqual(["anew", "anew"]);
  });

  test("holds it to the end of a transaction, and no more when it was taken", async () => {
    await using opened = await openTestDatabase();
    const { machine, one, other } = await openTwo(opened.database);
    const before = await opened.database.write((tx) => one.leadership.lock(tx));
    machine.pass(15 * SECOND_MS);
    await other.leadership.poll();

    const after = await opened.database.write((tx) => one.leadership.lock(tx));

    expect([before, after]).toEqual([true, false]);
  });
});

test("a started one looks by itself, and releases when it stops", async () => {
  await using opened = await openTestDatabase();
  const gained = Promise.withResolvers<void>();
  const leadership = new LeaderElection({ database: opened.database, onFault: gained.reject });
  leadership.onGained(() => gained.resolve());
  leadership.start();
  await gained.promise;
  const isLeader = leadership.isLeader();
  await leadership.stop();

  expect(isLeader).toBeTrue();
  expect(leadership.isLeader()).toBeFalse();
  expect(await findLease(opened.database.read, "background")).toBeUndefined();
});

test("no program leads while the database fails", async () => {
  await using opened = await openTestDatabase();
  const machine = new Machine();
  const broken: Database = { ...opened.database, write: () => Promise.reject(new Error("gone")) };
  const { leadership } = openProgram(broken, machine);

  const told = await leadership.poll().catch(String);

  expect([told, leadership.isLeader()]).toEqual(["Error: gone", false]);
});

test("a single program always leads", async () => {
  await using opened = await openTestDatabase();

  expect(soleLeader.isLeader()).toBeTrue();
  expect(await opened.database.write((tx) => soleLeader.lock(tx))).toBeTrue();
});
