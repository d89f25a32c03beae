// Stories of one program that share a transaction on PostgreSQL: each as if it had one of its own.

import { expect, test } from "bun:test";

import { eq, sql } from "drizzle-orm";

import { assume } from "#kernel/assume.ts";
import type { Database, Story, Tx } from "#platform/database/database.ts";
import { nextNumber } from "#platform/database/held-rows.ts";
import {
  prepared,
  preparedInsert,
  preparedLock,
  preparedWrite,
} from "#platform/database/prepared.ts";
import { counters, events } from "#platform/database/tables.ts";
import { eventsAfter } from "#platform/event-log/event-log.ts";

import { codeOf } from "../../support/database.ts";
import { openSharedDatabase } from "./postgres-rig.ts";

interface Tally {
  readonly name: string;
  readonly value: number;
}

const insertTally = preparedInsert(counters);
const tallyOf = prepared<{ name: string }>()((db, at) =>
  db.select().from(counters).where(eq(counters.name, at.name)),
);
const lockedTally = preparedLock<{ name: string }>()((db, at) =>
  db.select().from(counters).where(eq(counters.name, at.name)),
);
const setTally = preparedWrite<Tally>()((tx, at) =>
  tx
    .update(counters)
    .set({ value: sql`${at.value}` })
    .where(eq(counters.name, at.name)),
);
const raiseTally = preparedWrite<{ name: string }>({ by: "name", lockPlace: "stock" })((tx, at) =>
  tx
    .update(counters)
    .set({ value: sql`${counters.value} + 1` })
    .where(eq(counters.name, at.name))
    .returning(),
);
const transactionOfEvents = prepared()((db) =>
  db.selectDistinct({ id: sql<string>`xmin::text` }).from(events),
);

const ORDERS = 12;

/** Runs this many stories at once, which may share a transaction. */
const together = <T>(database: Database, story: (tx: Tx, index: number) => Promise<T>) =>
  Promise.allSettled(
    Array.from({ length: ORDERS }, (_, index) =>
      database.write((tx) => story(tx, index), { mayShare: true }),
    ),
  );

/** The values of the stories that committed, in ascending order. */
const committed = (told: readonly PromiseSettledResult<number>[]) =>
  told
    .flatMap((one) => (one.status === "fulfilled" ? [one.value] : []))
    .toSorted((one, other) => one - other);

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

const announced = (index: number) => ({
  name: "crate.moved",
  subject: `crate_${index}`,
  data: { index },
});

const place: (fails: (index: number) => boolean) => (tx: Tx, index: number) => Promise<number> =
  (fails) => async (tx, index) => {
    const number = await nextNumber(tx, "crates", 1);
    await tx.emit(announced(index));
    if (fails(index)) throw new Error("refused");
    return number;
  };

test("stories that come together share a commit", async () => {
  await using shared = openSharedDatabase();
  const database = await shared.join();

  await together(
    database,
    place(() => false),
  );

  expect(await transactionOfEvents(database.read, {})).toHaveLength(1);
});

test("each of them gets a number of its own, and each event its sequence", async () => {
  await using shared = openSharedDatabase();
  const database = await shared.join();

  const told = await together(
    database,
    place(() => false),
  );

  expect(committed(told)).toEqual(upTo(ORDERS));
  const log = await eventsAfter(database.read, { after: 0, limit: 100 });
  expect(log.map(({ sequence }) => sequence)).toEqual(upTo(ORDERS));
});

test("their events are in the order in which they changed a row, whichever came to it first", async () => {
  await using shared = openSharedDatabase();
  const database = await shared.join();
  await database.write((tx) => insertTally(tx, { name: "shelf", value: 0 }));

  const told = await together(database, async (tx, index) => {
    if (index % 2 === 0) await tallyOf(tx, { name: "shelf" });
    const [row] = await raiseTally(tx, { name: "shelf" });
    await tx.emit(announced(index));
    return row?.value ?? 0;
  });

  const changed = told.map((one) => (one.status === "fulfilled" ? one.value : 0));
  const log = await eventsAfter(database.read, { after: 0, limit: 100 });
  const logged = log.map(({ subject }) => Number(subject.slice("crate_".length)));
  expect(logged.map((index) => changed[index])).toEqual(upTo(ORDERS));
});

test("a story that is refused after it wrote leaves nothing, and its neighbors all", async () => {
  await using shared = openSharedDatabase();
  const database = await shared.join();

  const told = await together(
    database,
    place((index) => index % 4 === 0),
  );

  expect(committed(told)).toEqual(upTo(9));
  expect(await eventsAfter(database.read, { after: 0, limit: 100 })).toHaveLength(9);
});

test("a refused story has its otherwise", async () => {
  await using shared = openSharedDatabase();
  const database = await shared.join();
  const refused: Story<string> = async () => {
    throw new Error("refused");
  };
  const options = { mayShare: true, otherwise: async () => "kept" };

  const told = await Promise.all([
    database.write(refused, options),
    database.write(async () => "placed", options),
  ]);

  expect(told).toEqual(["kept", "placed"]);
});

test("a row that cannot be written fails its own story alone", async () => {
  await using shared = openSharedDatabase();
  const database = await shared.join();
  const tooMuch = 2 ** 70;

  const told = await together(database, async (tx, index) => {
    await insertTally(tx, { name: `crate ${index}`, value: index === 5 ? tooMuch : index });
    return index;
  });

  expect(committed(told)).toEqual([0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11]);
});

test("of stories that insert the same key, one does and the others find it", async () => {
  await using shared = openSharedDatabase();
  const database = await shared.join();

  const told = await together(database, async (tx) => {
    const [found] = await tallyOf(tx, { name: "crates" });
    if (found === undefined) await insertTally(tx, { name: "crates", value: 1 });
    return found === undefined ? 1 : 0;
  });

  expect(committed(told).filter((made) => made === 1)).toHaveLength(1);
  expect(committed(told)).toHaveLength(ORDERS);
});

test("a story that decides on a row that it locks has a transaction of its own", async () => {
  await using shared = openSharedDatabase();
  const database = await shared.join();
  await database.write((tx) => insertTally(tx, { name: "crates", value: 0 }));

  await together(database, async (tx) => {
    const [row] = await lockedTally(tx, { name: "crates" });
    await setTally(tx, { name: "crates", value: (row?.value ?? 0) + 1 });
  });

  expect(await tallyOf(database.read, { name: "crates" })).toEqual([
    { name: "crates", value: ORDERS },
  ]);
});

test("a story that asks for it has a transaction of its own", async () => {
  await using shared = openSharedDatabase();
  const database = await shared.join();

  await together(database, async (tx, index) => {
    tx.alone();
    await tx.emit(announced(index));
  });

  expect(await transactionOfEvents(database.read, {})).toHaveLength(ORDERS);
});

test("stories of two programs that change the same rows in any order all come through", async () => {
  await using shared = openSharedDatabase();
  const programs = [await shared.join(), await shared.join()];
  await programs[0]?.write(async (tx) => {
    for (const name of ["cups", "jugs"]) await insertTally(tx, { name, value: 0 });
  });

  await Promise.all(
    programs.map((database) =>
      together(database, async (tx, index) => {
        const names = index % 2 === 0 ? ["cups"] : ["jugs", "cups"];
        await Promise.all(names.map((name) => raiseTally(tx, { name })));
      }),
    ),
  );

  const database = await shared.join();
  expect(await tallyOf(database.read, { name: "cups" })).toEqual([
    { name: "cups", value: 2 * ORDERS },
  ]);
});

test("a closing database answers those that wait first", async () => {
  await using shared = openSharedDatabase();
  const database = await shared.join();

  const told = together(
    database,
    place(() => false),
  );
  await database.close();

  expect(committed(await told)).toEqual(upTo(ORDERS));
});

test("afterwards the handle is refused", async () => {
  await using shared = openSharedDatabase();
  const database = await shared.join();
  const kept: Tx[] = [];

  await together(database, async (tx) => void kept.push(tx));

  expect(await codeOf(Promise.all(kept.map((tx) => tallyOf(tx, { name: "crates" }))))).toContain(
    "after its story ended",
  );
});

test("a row that another program holds keeps those waiting that need it, and no others", async () => {
  await using shared = openSharedDatabase();
  const [database, other] = [await shared.join(), await shared.join()];
  const names = ["first", "held", "last"];
  await database.write(async (tx) => {
    for (const name of names) await insertTally(tx, { name, value: 0 });
  });
  const isHeld = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  const holding = other.write(async (tx) => {
    await raiseTally(tx, { name: "held" });
    isHeld.resolve();
    await letGo.promise;
  });
  await isHeld.promise;

  const told: string[] = [];
  const raised = names.map(async (name) => {
    await database.write((tx) => raiseTally(tx, { name }), { mayShare: true });
    told.push(name);
  });
  await Promise.all([raised[0], raised[2]]);
  expect(told.toSorted()).toEqual(["first", "last"]);

  letGo.resolve();
  await Promise.all([holding, ...raised]);
  expect(await tallyOf(database.read, { name: "held" })).toMatchObject([{ value: 2 }]);
});

test("a value that the driver refuses undoes the whole group", async () => {
  await using shared = openSharedDatabase();
  const database = await shared.join();

  const told = await together(database, async (tx, index) => {
    if (index === 3) await tallyOf(tx, { name: assume<string>(Symbol("none")) });
    return nextNumber(tx, "crates", 1);
  });

  expect(committed(told)).toEqual(upTo(ORDERS - 1));
});
