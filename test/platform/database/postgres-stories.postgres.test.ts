// Stories of several programs at the same moment: each as if it had been alone, or run again.

import { expect, test } from "bun:test";

import { eq, sql } from "drizzle-orm";

import { type Database, type Tx, WriteConflict } from "#platform/database/database.ts";
import { ConstraintViolation } from "#platform/database/errors.ts";
import { prepared, preparedLock, preparedWrite } from "#platform/database/prepared.ts";
import { counters } from "#platform/database/tables.ts";
import { eventsAfter } from "#platform/event-log/event-log.ts";

import { codeOf, errorOf } from "../../support/database.ts";
import { openSharedDatabase } from "./postgres-rig.ts";

interface Tally {
  readonly name: string;
  readonly value: number;
}

const tallyOf = prepared<{ name: string }>()((db, at) =>
  db.select().from(counters).where(eq(counters.name, at.name)),
);
const heldTally = preparedLock<{ name: string }>()((db, at) =>
  db.select().from(counters).where(eq(counters.name, at.name)),
);
const insertTally = preparedWrite<Tally>()((tx, at) =>
  tx.insert(counters).values({ name: at.name, value: at.value }),
);
const setTally = preparedWrite<Tally>()((tx, at) =>
  tx
    .update(counters)
    .set({ value: sql`${at.value}` })
    .where(eq(counters.name, at.name)),
);

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const valueOf = async (database: Database, name: string) =>
  (await tallyOf(database.read, { name }))[0]?.value;

/** Adds one the careless way: reads, then writes what it made of it. */
async function addOne(tx: Tx, name: string): Promise<void> {
  const [row] = await heldTally(tx, { name });
  await setTally(tx, { name, value: (row?.value ?? 0) + 1 });
}

test("rows that are held are read and changed by one story at a time", async () => {
  await using shared = openSharedDatabase();
  const programs = [await shared.join(), await shared.join()];
  await programs[0]?.write((tx) => insertTally(tx, { name: "crates", value: 0 }));

  await Promise.all(
    programs.flatMap((database) => times(20, () => database.write((tx) => addOne(tx, "crates")))),
  );

  expect(await valueOf(await shared.join(), "crates")).toBe(40);
});

test("of simultaneous stories that insert a missing row, one inserts it and the others find it", async () => {
  await using shared = openSharedDatabase();
  const programs = [await shared.join(), await shared.join()];

  const told = await Promise.all(
    programs.flatMap((database) =>
      times(10, () =>
        database.write(async (tx) => {
          const [found] = await tallyOf(tx, { name: "crates" });
          if (found === undefined) await insertTally(tx, { name: "crates", value: 1 });
          return found === undefined ? "made" : "found";
        }),
      ),
    ),
  );

  expect(told.filter((one) => one === "made")).toHaveLength(1);
});

test("a story that was overtaken runs again, and nothing of its first run stays", async () => {
  await using shared = openSharedDatabase();
  const database = await shared.join();
  let runs = 0;

  await database.write(async (tx) => {
    runs += 1;
    await insertTally(tx, { name: `run ${runs}`, value: runs });
    await tx.emit({ name: "crate.packed", subject: "a", data: { runs } });
    if (runs < 3) throw new WriteConflict("The crate");
  });

  expect(await valueOf(database, "run 1")).toBeUndefined();
  expect(await valueOf(database, "run 3")).toBe(3);
  expect(
    (await eventsAfter(database.read, { after: 0, limit: 10 })).map((one) => one.data),
  ).toEqual(['{"runs":3}']);
});

test("a story that loses every race is asked to retry, and is not reported as a bug", async () => {
  await using shared = openSharedDatabase();
  const database = await shared.join();

  const told = await codeOf(
    database.write(async () => {
      throw new WriteConflict("The crate");
    }),
  );

  expect(told).toBe("storage_unavailable");
});

test("stories that wait for each other both come through", async () => {
  await using shared = openSharedDatabase();
  const database = await shared.join();
  await database.write(async (tx) => {
    await insertTally(tx, { name: "left", value: 0 });
    await insertTally(tx, { name: "right", value: 0 });
  });
  const bothHold = Promise.withResolvers<void>();
  let holding = 0;
  const addInOrder = async (tx: Tx, names: readonly [string, string]) => {
    await addOne(tx, names[0]);
    holding += 1;
    if (holding === 2) bothHold.resolve();
    await bothHold.promise;
    await addOne(tx, names[1]);
  };

  await Promise.all([
    database.write((tx) => addInOrder(tx, ["left", "right"])),
    database.write((tx) => addInOrder(tx, ["right", "left"])),
  ]);

  expect([await valueOf(database, "left"), await valueOf(database, "right")]).toEqual([2, 2]);
});

test("a failing statement that was not awaited undoes its story", async () => {
  await using shared = openSharedDatabase();
  const database = await shared.join();

  const told = await errorOf(
    database.write(async (tx) => {
      await insertTally(tx, { name: "crates", value: -1 });
      await tx.emit({ name: "crate.packed", subject: "a", data: {} });
    }),
  );

  expect(told).toBeInstanceOf(ConstraintViolation);
  expect(told?.message).toContain("counters_value_not_negative");
  expect(await eventsAfter(database.read, { after: 0, limit: 10 })).toEqual([]);
});

test("a read after a failed statement reports that failure", async () => {
  await using shared = openSharedDatabase();
  const database = await shared.join();

  const told = await errorOf(
    database.write(async (tx) => {
      await insertTally(tx, { name: "crates", value: -1 });
      await tallyOf(tx, { name: "crates" });
    }),
  );

  expect(told?.message).toContain("counters_value_not_negative");
});

test("the log of many programs has no gaps, and its events become visible in order", async () => {
  await using shared = openSharedDatabase();
  const programs = [await shared.join(), await shared.join(), await shared.join()];
  const reader = await shared.join();
  const looks: { count: number; last: number }[] = [];
  const written = new AbortController();
  const looking = (async () => {
    while (!written.signal.aborted) {
      const seen = await eventsAfter(reader.read, { after: 0, limit: 1_000 });
      looks.push({ count: seen.length, last: seen.at(-1)?.sequence ?? 0 });
    }
  })();

  await Promise.all(
    programs.flatMap((database, program) =>
      times(40, (index) =>
        database.write(async (tx) => {
          await tx.emit({ name: "crate.packed", subject: `${program}`, data: { index } });
          // Some stories take longer, so that those who began later are sooner through.
          if (index % 3 === 0) await tallyOf(tx, { name: "nothing" });
          await tx.emit({ name: "crate.sealed", subject: `${program}`, data: { index } });
        }),
      ),
    ),
  );
  written.abort();
  await looking;

  const all = await eventsAfter(reader.read, { after: 0, limit: 1_000 });
  expect(all.map((one) => one.sequence)).toEqual(times(240, (index) => index + 1));
  expect(looks.filter((look) => look.count !== look.last)).toEqual([]);
});

test("an event of one program wakes the listeners of the others", async () => {
  await using shared = openSharedDatabase();
  const teller = await shared.join();
  const listener = await shared.join();
  const heard = Promise.withResolvers<number>();
  listener.onAnnounced(() => {
    void eventsAfter(listener.read, { after: 0, limit: 10 }).then((found) => {
      if (found.length > 0) heard.resolve(found.length);
    });
  });

  await teller.write((tx) => tx.emit({ name: "crate.packed", subject: "a", data: {} }));

  expect(await heard.promise).toBe(1);
});
