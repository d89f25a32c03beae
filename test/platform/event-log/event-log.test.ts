// The log is in the order of commits and has no gaps. It holds committed events alone, and listeners
// are called after the commit.

import { expect, test } from "bun:test";
import { join } from "node:path";

import { instantOf } from "#kernel/id.ts";
import type { Database } from "#platform/database/database.ts";
import { nextNumber } from "#platform/database/held-rows.ts";
import { eventsAfter, findEvent } from "#platform/event-log/event-log.ts";
import { emptyTables } from "#platform/event-log/reset.ts";

import { codeOf, errorOf, NOON, openTestDatabase } from "../../support/database.ts";
import { databaseSettings } from "../../support/postgres-databases.ts";
import { openScratchFolder } from "../../support/scratch.ts";

const packed = (subject: string) => ({ name: "crate.packed", subject, data: { id: subject } });
const opened = (subject: string) => ({ name: "crate.opened", subject, data: { id: subject } });
const everything = { after: 0, limit: 1000 };

async function sequences(database: Database): Promise<number[]> {
  return (await eventsAfter(database.read, everything)).map((event) => event.sequence);
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

test("an event is kept unchanged, with its actor and its time", async () => {
  await using shop = await openTestDatabase();
  const actor = { type: "api_key", id: "key_1" } as const;

  await shop.database.write((tx) => tx.emit(packed("a")), { actor, requestId: "req_1" });

  const [event] = await eventsAfter(shop.database.read, everything);
  expect(event).toEqual({
    id: expect.stringMatching(/^evt_[0-9a-z]{26}$/),
    sequence: 1,
    name: "crate.packed",
    subject: "a",
    actor,
    requestId: "req_1",
    data: '{"id":"a"}',
    createdAt: NOON,
  });
  expect(await findEvent(shop.database.read, event?.id ?? "")).toEqual(event);
});

test("an event that names an earlier instant has that time, also in its id", async () => {
  await using shop = await openTestDatabase();

  await shop.database.write(async (tx) => {
    await tx.emit({ ...packed("a"), at: NOON - 1_000 });
    await tx.emit(packed("b"));
  });

  const events = await eventsAfter(shop.database.read, everything);
  expect(events.map((event) => event.createdAt)).toEqual([NOON - 1_000, NOON]);
  expect(events.map((event) => instantOf(event.id))).toEqual([NOON - 1_000, NOON]);
});

test("an unknown event is not found", async () => {
  await using shop = await openTestDatabase();

  expect(await findEvent(shop.database.read, "evt_none")).toBeUndefined();
});

test("the log is read from a sequence on, so many at once, oldest first", async () => {
  await using shop = await openTestDatabase();
  await shop.database.write((tx) => Promise.all(upTo(9).map((name) => tx.emit(packed(`${name}`)))));

  const page = await eventsAfter(shop.database.read, { after: 3, limit: 4 });

  expect(page.map((event) => [event.sequence, event.subject])).toEqual([
    [4, "4"],
    [5, "5"],
    [6, "6"],
    [7, "7"],
  ]);
});

test("the log is read by names and by what it is about", async () => {
  await using shop = await openTestDatabase();
  await shop.database.write(async (tx) => {
    await tx.emit(packed("a"));
    await tx.emit(packed("b"));
    await tx.emit(opened("a"));
  });
  const read = async (filters: { name?: string[]; subject?: string }) =>
    (await eventsAfter(shop.database.read, { ...everything, ...filters })).map(
      (event) => event.sequence,
    );

  expect(await read({ name: ["crate.packed"] })).toEqual([1, 2]);
  expect(await read({ name: ["crate.packed", "crate.opened"] })).toEqual([1, 2, 3]);
  expect(await read({ name: [] })).toEqual([]);
  expect(await read({ subject: "a" })).toEqual([1, 3]);
  expect(await read({ subject: "a", name: ["crate.opened", "crate.sold"] })).toEqual([3]);
});

test("refusals among many simultaneous writes leave no gap", async () => {
  await using shop = await openTestDatabase();
  const announce = (index: number) =>
    shop.database.write(async (tx) => {
      await tx.emit(packed(`${index}`));
      await tx.emit(opened(`${index}`));
      if (index % 3 === 0) throw new Error("refused");
    });

  await Promise.allSettled(upTo(60).map(announce));

  const log = await eventsAfter(shop.database.read, everything);
  expect(log.map(({ sequence }) => sequence)).toEqual(upTo(80));
  const subjects = log.map(({ subject }) => Number(subject));
  expect(subjects.filter((_, index) => index % 2 === 0)).toEqual(
    subjects.filter((_, index) => index % 2 === 1),
  );
  expect(new Set(subjects)).toEqual(new Set(upTo(60).filter((index) => index % 3 !== 0)));
});

test("events made in the same breath are all kept, in their order", async () => {
  await using shop = await openTestDatabase();

  await shop.database.write((tx) =>
    Promise.all(["a", "b", "c"].map((one) => tx.emit(packed(one)))),
  );

  const log = await eventsAfter(shop.database.read, everything);
  expect(log.map((event) => [event.sequence, event.subject])).toEqual([
    [1, "a"],
    [2, "b"],
    [3, "c"],
  ]);
});

test.each<[string, unknown]>([
  ["no JSON", 1n],
  ["nothing at all", undefined],
])("an event whose payload is %s leaves no gap when its story goes on", async (_, data) => {
  await using shop = await openTestDatabase();

  await shop.database.write(async (tx) => {
    expect(await errorOf(tx.emit({ ...packed("a"), data }))).not.toBeNull();
    await tx.emit(packed("b"));
  });

  expect(await sequences(shop.database)).toEqual([1]);
});

test("a restart goes on counting", async () => {
  await using shop = await openTestDatabase();
  await shop.database.write((tx) => tx.emit(packed("a")));
  await codeOf(
    shop.database.write(async (tx) => {
      await tx.emit(packed("refused"));
      throw new Error("refused");
    }),
  );

  const again = await shop.reopen();
  await again.write((tx) => tx.emit(packed("b")));

  expect(await sequences(again)).toEqual([1, 2]);
});

test("a restart gives no number of a pruned event again", async () => {
  await using shop = await openTestDatabase();
  await shop.database.write((tx) => tx.emit(packed("a")));
  await shop.database.write((tx) => emptyTables(tx, ["events"]));

  const again = await shop.reopen();
  await again.write((tx) => tx.emit(packed("b")));

  expect(await sequences(again)).toEqual([2]);
});

test("a listener finds the event in the log", async () => {
  await using shop = await openTestDatabase();
  const { promise: heard, resolve } = Promise.withResolvers<number[]>();
  shop.database.onAnnounced(() => resolve(sequences(shop.database)));

  await shop.database.write((tx) => tx.emit(packed("a")));

  expect(await heard).toEqual([1]);
});

test("a refused story and a write without events call no listener", async () => {
  await using shop = await openTestDatabase();
  let told = 0;
  shop.database.onAnnounced(() => (told += 1));

  await errorOf(
    shop.database.write(async (tx) => {
      await tx.emit(packed("a"));
      throw new Error("refused");
    }),
  );
  await shop.database.write((tx) => nextNumber(tx, "silent", 1));

  expect(told).toBe(0);
});

test("a removed listener is not called", async () => {
  await using shop = await openTestDatabase();
  let told = 0;
  const stop = shop.database.onAnnounced(() => (told += 1));
  stop();

  await shop.database.write((tx) => tx.emit(packed("a")));

  expect(told).toBe(0);
});

test("a listener may write", async () => {
  await using shop = await openTestDatabase();
  const { promise: written, resolve } = Promise.withResolvers<void>();
  const stop = shop.database.onAnnounced(() => {
    stop();
    resolve(shop.database.write((tx) => tx.emit(opened("a"))));
  });

  await shop.database.write((tx) => tx.emit(packed("a")));
  await written;

  expect(await sequences(shop.database)).toEqual([1, 2]);
});

test("a listener that throws stops neither the next one nor the writing, and its error is reported", async () => {
  using folder = openScratchFolder();

  const throwing = join(import.meta.dir, "throw-while-listening.ts");
  const child = Bun.spawn([process.execPath, throwing, folder.path], {
    env: { ...process.env, ...(await databaseSettings(folder.path)) },
    stdout: "pipe",
    stderr: "inherit",
  });

  expect(await new Response(child.stdout).json()).toEqual({
    uncaught: ["the listener broke"],
    isHeardByTheNext: true,
    sequences: [1, 2],
  });
});
