// A story happens as a whole or not at all, alone, and its handle is dead when it is over.

import { expect, test } from "bun:test";

import { eq } from "drizzle-orm";

import { defineRefusal, Refusal } from "#kernel/refusal.ts";
import type { Announcement, Tx } from "#platform/database/database.ts";
import { prepared } from "#platform/database/prepared.ts";
import { eventsAfter } from "#platform/event-log/event-log.ts";

import {
  codeOf,
  crate,
  crateIds,
  crates,
  errorOf,
  findCrate,
  insertCrate,
  NOON,
  openTestDatabase,
} from "../../support/database.ts";

const crateTaken = defineRefusal("crate_taken", "conflict", "The crate is taken.");
const countSealed = prepared()((db) => db.select().from(crates).where(eq(crates.isSealed, true)));
const packed: Announcement = { name: "crate.packed", subject: "a", data: { id: "a" } };

/** Ends in another turn of the event loop, as a slow story does. */
const aTurnLater = () => new Promise<void>((resolve) => setImmediate(resolve));

test("a story that throws after an await leaves no row, no event and no number", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;

  const told = database.write(async (tx) => {
    await insertCrate(tx, crate("a"));
    await tx.emit(packed);
    await aTurnLater();
    await insertCrate(tx, crate("b"));
    throw new Error("the shelf broke");
  });

  expect((await errorOf(told))?.message).toContain("the shelf broke");
  expect(await crateIds(database.read)).toEqual([]);
  expect(await eventsAfter(database.read, { after: 0, limit: 10 })).toEqual([]);
  await database.write((tx) => tx.emit(packed));
  const [first] = await eventsAfter(database.read, { after: 0, limit: 10 });
  expect(first?.sequence).toBe(1);
});

test("a story's result is returned, and its rows are committed", async () => {
  await using opened = await openTestDatabase();

  const answer = await opened.database.write(async (tx) => {
    await insertCrate(tx, crate("a"));
    return { now: tx.now, actor: tx.actor };
  });

  expect(answer).toEqual({ now: NOON, actor: { type: "system", id: null } });
  expect(await crateIds(opened.database.read)).toEqual(["a"]);
});

test("a story knows its actor", async () => {
  await using opened = await openTestDatabase();
  const actor = { type: "api_key", id: "key_1" } as const;

  const known = await opened.database.write(async (tx) => tx.actor, { actor });

  expect(known).toEqual(actor);
});

test("a story sees its own writes before the world does", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;

  const seen = await database.write(async (tx) => {
    await insertCrate(tx, crate("a"));
    await aTurnLater();
    return { within: await crateIds(tx), outside: await crateIds(database.read) };
  });

  expect(seen).toEqual({ within: ["a"], outside: [] });
});

test.each<[string, (tx: Tx) => unknown]>([
  ["a prepared read", (tx) => countSealed(tx, {})],
  ["a prepared write", (tx) => insertCrate(tx, crate("late"))],
  ["emit", (tx) => tx.emit(packed)],
])("a handle kept past the end of its story refuses %s", async (_, use) => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  const kept = await database.write(async (tx) => {
    await insertCrate(tx, crate("a"));
    return { handle: tx };
  });

  const used = Promise.resolve().then(() => use(kept.handle));

  expect((await errorOf(used))?.message).toContain("used after its story ended");
  expect(await crateIds(database.read)).toEqual(["a"]);
  expect((await findCrate(database.read, "a"))?.quantity).toBe(1);
});

test("the handle of a story that threw is dead too", async () => {
  await using opened = await openTestDatabase();
  const kept: Tx[] = [];
  const told = opened.database.write(async (tx) => {
    kept.push(tx);
    throw crateTaken();
  });
  expect(await codeOf(told)).toBe("crate_taken");

  const used = Promise.all(kept.map((tx) => insertCrate(tx, crate("late"))));

  expect((await errorOf(used))?.message).toContain("used after its story ended");
});

test("a write inside a story is refused, not waited for", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;

  const told = database.write(async () => {
    await database.write((tx) => insertCrate(tx, crate("inner")));
  });

  expect((await errorOf(told))?.message).toContain("A write inside a story");
  expect(await crateIds(database.read)).toEqual([]);
});

test("a write inside a story is refused however many turns later", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  const elsewhere = async () => {
    await aTurnLater();
    // A later turn of the event loop, in which the story still runs.
    await Bun.sleep(1);
    await database.write((tx) => insertCrate(tx, crate("inner")));
  };

  const told = database.write(async () => {
    await Promise.resolve();
    await elsewhere();
  });

  expect((await errorOf(told))?.message).toContain("A write inside a story");
});

test("work that a story started may write after the story", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  const left: Promise<void>[] = [];

  await database.write(async () => {
    // After the story has ended.
    left.push(Bun.sleep(5).then(() => database.write((tx) => insertCrate(tx, crate("later")))));
  });
  await Promise.all(left);

  expect(await crateIds(database.read)).toEqual(["later"]);
});

test("after a refusal its substitute is kept and what the story wrote is not", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;

  const answer = await database.write<string>(
    async (tx) => {
      await insertCrate(tx, crate("wanted"));
      await tx.emit(packed);
      throw crateTaken();
    },
    {
      otherwise: async (tx, error) => {
        await insertCrate(tx, crate("instead"));
        await tx.emit({ ...packed, name: "crate.replaced" });
        return error instanceof Refusal ? error.definition.code : "none";
      },
    },
  );

  expect(answer).toBe("crate_taken");
  expect(await crateIds(database.read)).toEqual(["instead"]);
  const log = await eventsAfter(database.read, { after: 0, limit: 10 });
  expect(log.map((event) => [event.sequence, event.name])).toEqual([[1, "crate.replaced"]]);
});

test("a branch that a refused story did not wait for writes nothing into the substitute", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  const slowly = async (tx: Tx) => {
    await aTurnLater();
    await insertCrate(tx, crate("stray"));
  };

  await database.write<unknown>((tx) => Promise.all([slowly(tx), Promise.reject(crateTaken())]), {
    otherwise: async (tx) => {
      await insertCrate(tx, crate("instead"));
      await aTurnLater();
      await aTurnLater();
    },
  });

  expect(await crateIds(database.read)).toEqual(["instead"]);
});

test("a branch that a story did not wait for writes nothing after it", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  const strays: Promise<Error | null>[] = [];

  await database.write(async (tx) => {
    await insertCrate(tx, crate("kept"));
    strays.push(errorOf(aTurnLater().then(() => insertCrate(tx, crate("stray")))));
  });

  expect((await strays[0])?.message).toContain("used after its story ended");
  expect(await crateIds(database.read)).toEqual(["kept"]);
});

test("when the substitute throws, nothing is kept and its error is returned", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;

  const told = database.write(
    async (tx) => {
      await insertCrate(tx, crate("wanted"));
      throw crateTaken();
    },
    {
      otherwise: async (tx) => {
        await insertCrate(tx, crate("instead"));
        throw new Error("no answer can be kept");
      },
    },
  );

  expect((await errorOf(told))?.message).toContain("no answer can be kept");
  expect(await crateIds(database.read)).toEqual([]);
});

test("a store that is closed finishes what is queued and refuses what comes later", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;

  const queued = database.write((tx) => insertCrate(tx, crate("queued")));
  const closed = database.close();
  const late = database.write((tx) => insertCrate(tx, crate("late")));

  expect(await codeOf(late)).toBe("storage_unavailable");
  await queued;
  await closed;
  const again = await opened.reopen();
  expect(await crateIds(again.read)).toEqual(["queued"]);
});

test("a refusal does not disturb its neighbors", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  const names = Array.from({ length: 64 }, (_, index) => String(index + 100));

  const told = names.map((name, index) =>
    database.write(async (tx) => {
      await insertCrate(tx, crate(name));
      if (index % 3 === 0) throw crateTaken();
    }),
  );

  expect(await Promise.all(told.map(codeOf))).toEqual(
    names.map((_, index) => (index % 3 === 0 ? "crate_taken" : null)),
  );
  expect(await crateIds(database.read)).toEqual(names.filter((_, index) => index % 3 !== 0));
});

test("a story is acknowledged after its commit", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;

  const seen = await Promise.all(
    Array.from({ length: 32 }, async (_, index) => {
      const name = String(index);
      await database.write((tx) => insertCrate(tx, crate(name)));
      return (await crateIds(database.read)).includes(name);
    }),
  );

  expect(seen).toEqual(Array(32).fill(true));
});
