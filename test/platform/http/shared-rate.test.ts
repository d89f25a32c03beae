// One limit for several programs over one database: what one let through counts at the others from
// their next look.

import { describe, expect, test } from "bun:test";

import { Refusal } from "#kernel/refusal.ts";
import type { Database } from "#platform/database/database.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import { findUsesOfOthers } from "#platform/http/limits/rate-uses.ts";
import { SharedRate } from "#platform/http/limits/shared-rate.ts";
import { Gate } from "#platform/http/server/gate.ts";

import { NOON, openTestDatabase } from "../../support/database.ts";

const owner: Caller = {
  actor: { type: "api_key", id: "key_1" },
  name: "Key 1",
  lineage: "key_1",
  hasPresetFull: false,
  mode: "test",
  scopes: new Set(),
  isPublic: false,
  ratePerMinute: null,
  expiresAt: null,
};

/** One of several programs: its gate, and what it knows of the others. */
function openProgram(database: Database, { limit = 3, clock = new HandClock() } = {}) {
  const faults: unknown[] = [];
  const shared = new SharedRate({ database, clock, onFault: (error) => faults.push(error) });
  const gate = new Gate({
    requestsPerMinute: limit,
    authenticate: async () => owner,
    addressOf: () => "192.0.2.1",
    share: { test: shared, live: shared },
  });
  return { gate, shared, faults };
}

class HandClock {
  #now = NOON;

  now(): number {
    return this.#now;
  }

  pass(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

describe("what one program let through", () => {
  test("counts at another from its next look", async () => {
    await using opened = await openTestDatabase();
    const one = openProgram(opened.database);
    const other = openProgram(opened.database);
    one.gate.admit(owner);
    one.gate.admit(owner);
    await one.shared.exchange();
    await other.shared.exchange();

    const headers = other.gate.admit(owner);

    expect(headers["RateLimit"]).toStartWith('"default";r=0;t=');
    expect(() => other.gate.admit(owner)).toThrow(Refusal);
  });

  test("is in headers that count no request, too", async () => {
    await using opened = await openTestDatabase();
    const one = openProgram(opened.database);
    const other = openProgram(opened.database);
    one.gate.admit(owner);
    await one.shared.exchange();
    await other.shared.exchange();

    expect(other.gate.rateHeaders(owner)["RateLimit"]).toBe('"default";r=2;t=60');
  });

  test("counts once for itself", async () => {
    await using opened = await openTestDatabase();
    const one = openProgram(opened.database);
    one.gate.admit(owner);
    await one.shared.exchange();
    await one.shared.exchange();

    expect(one.gate.rateHeaders(owner)["RateLimit"]).toStartWith('"default";r=2;');
  });

  test("counts no more when its minute is over", async () => {
    await using opened = await openTestDatabase();
    const clock = new HandClock();
    const one = openProgram(opened.database, { clock });
    const other = openProgram(opened.database, { clock });
    one.gate.admit(owner);
    await one.shared.exchange();
    await other.shared.exchange();
    const known = other.gate.rateHeaders(owner)["RateLimit"];
    clock.pass(61_000);

    expect(known).toStartWith('"default";r=2;');
    expect(other.gate.rateHeaders(owner)["RateLimit"]).toBe('"default";r=3;t=0');
  });

  test("under a key with a limit of its own takes nothing from the mode", async () => {
    await using opened = await openTestDatabase();
    const one = openProgram(opened.database);
    const other = openProgram(opened.database);
    const own: Caller = { ...owner, actor: { type: "api_key", id: "key_2" }, ratePerMinute: 5 };
    one.gate.admit(own);
    await one.shared.exchange();
    await other.shared.exchange();

    expect(other.gate.rateHeaders(owner)["RateLimit"]).toStartWith('"default";r=3;');
    expect(other.gate.rateHeaders(own)["RateLimit"]).toStartWith('"default";r=4;');
  });

  test("is written before it stops", async () => {
    await using opened = await openTestDatabase();
    const one = openProgram(opened.database);
    one.gate.admit(owner);
    one.gate.admit(owner);
    await one.shared.stop();

    expect(await findUsesOfOthers(opened.database.read, { holder: "", since: 0 })).toEqual([
      { window: "test", second: NOON, count: 2 },
    ]);
  });

  test("is written by itself soon after", async () => {
    await using opened = await openTestDatabase();
    const told = Promise.withResolvers<void>();
    const write: Database["write"] = async (story, options) => {
      const written = await opened.database.write(story, options);
      told.resolve();
      return written;
    };
    const one = openProgram({ ...opened.database, write });
    one.gate.admit(owner);

    await told.promise;
    await one.shared.stop();

    expect(await findUsesOfOthers(opened.database.read, { holder: "", since: 0 })).toHaveLength(1);
  });
});

test("seconds outside the window are deleted", async () => {
  await using opened = await openTestDatabase();
  const clock = new HandClock();
  const one = openProgram(opened.database, { clock });
  one.gate.admit(owner);
  await one.shared.exchange();
  clock.pass(121_000);
  one.gate.admit(owner);
  await one.shared.exchange();

  const kept = await findUsesOfOthers(opened.database.read, { holder: "", since: 0 });

  expect(kept.map(({ second }) => second)).toEqual([NOON + 121_000]);
});

test("while the database fails, requests pass, and their count is written later", async () => {
  await using opened = await openTestDatabase();
  let isBroken = true;
  const write: Database["write"] = (story, options) =>
    isBroken ? Promise.reject(new Error("gone")) : opened.database.write(story, options);
  const one = openProgram({ ...opened.database, write });
  one.gate.admit(owner);
  const told = await one.shared.exchange().catch(String);
  const headers = one.gate.admit(owner);
  isBroken = false;
  await one.shared.exchange();

  expect(told).toBe("Error: gone");
  expect(headers["RateLimit"]).toStartWith('"default";r=1;');
  expect(await findUsesOfOthers(opened.database.read, { holder: "", since: 0 })).toMatchObject([
    { count: 2 },
  ]);
});
