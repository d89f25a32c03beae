// Rows that stories append are written together at the end of their group. No story can tell: what it reads is there,
// and what cannot be written is its own fault alone.

import { expect, test } from "bun:test";

import { eq, inArray } from "drizzle-orm";

import { defineRefusal } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { prepared, preparedByFilters } from "#platform/database/prepared.ts";

import {
  codeOf,
  crate,
  crateCount,
  crates,
  errorOf,
  findCrate,
  insertCrate,
  saveCrate,
} from "../../support/database.ts";
import { openTestWriter } from "../../support/sqlite-file.ts";

const labelTaken = defineRefusal("label_taken", "conflict", "The label is taken.");

const crateByLabel = prepared<{ label: string }>({ by: "label" })((db, at) =>
  db.select({ id: crates.id }).from(crates).where(eq(crates.label, at.label)),
);

const cratesByLabels = preparedByFilters<{ label: readonly string[] }>({ by: "label" })(
  (db, given) =>
    db
      .select({ id: crates.id })
      .from(crates)
      .where(inArray(crates.label, given.each("label"))),
);

/** Inserts a crate under a label that no other crate may have. */
async function label(tx: Tx, id: string, text: string): Promise<void> {
  if ((await crateByLabel(tx, { label: text })).length > 0) throw labelTaken();
  await insertCrate(tx, crate(id, { label: text }));
}

test("a story reads the rows that it and the story before it appended", async () => {
  using opened = await openTestWriter();
  const { writer } = opened;
  const first = writer.write((tx) => insertCrate(tx, crate("a")));

  const seen = await writer.write(async (tx) => {
    await insertCrate(tx, crate("b"));
    return crateCount(tx);
  });

  expect(seen).toBe(2);
  await first;
});

test("a story that looks for one of several labels finds the row that another story appended", async () => {
  using opened = await openTestWriter();
  const { writer } = opened;
  const first = writer.write((tx) => label(tx, "a", "blue"));

  const seen = await writer.write(async (tx) => {
    await label(tx, "b", "red");
    return [
      await cratesByLabels(tx, { label: ["green", "white"] }),
      await cratesByLabels(tx, { label: ["green", "blue"] }),
    ];
  });

  expect(seen).toEqual([[], [{ id: "a" }]]);
  await first;
});

test("a row that waits can be changed", async () => {
  using opened = await openTestWriter();
  const { writer } = opened;

  const changed = await writer.write(async (tx) => {
    await insertCrate(tx, crate("a"));
    await saveCrate(tx, crate("a", { version: 2, quantity: 7 }));
    return findCrate(tx, "a");
  });

  expect(changed).toMatchObject({ version: 2, quantity: 7 });
});

test("a story that is refused after it appended leaves the rows of its neighbors", async () => {
  using opened = await openTestWriter();
  const { writer } = opened;

  const told = [
    writer.write((tx) => insertCrate(tx, crate("a"))),
    writer.write(async (tx) => {
      await insertCrate(tx, crate("b"));
      throw labelTaken();
    }),
    writer.write((tx) => insertCrate(tx, crate("c"))),
  ];

  expect(await Promise.all(told.map(codeOf))).toEqual([null, "label_taken", null]);
  expect(opened.committed()).toEqual(["a", "c"]);
});

test("a story that is refused after its rows were written leaves none of them", async () => {
  using opened = await openTestWriter();
  const { writer } = opened;

  const told = [
    writer.write((tx) => insertCrate(tx, crate("a"))),
    writer.write(async (tx) => {
      await insertCrate(tx, crate("b"));
      await crateCount(tx);
      await insertCrate(tx, crate("c"));
      throw labelTaken();
    }),
  ];

  expect(await Promise.all(told.map(codeOf))).toEqual([null, "label_taken"]);
  expect(opened.committed()).toEqual(["a"]);
});

test("a row that cannot be written fails its own story alone", async () => {
  using opened = await openTestWriter();
  const { writer } = opened;

  const told = [
    writer.write((tx) => insertCrate(tx, crate("a"))),
    writer.write((tx) => insertCrate(tx, crate("b", { quantity: -1 }))),
    writer.write((tx) => insertCrate(tx, crate("c"))),
  ];

  const errors = await Promise.all(told.map(errorOf));
  expect(errors.map((error) => (error === null ? null : String(error)))).toEqual([
    null,
    expect.stringContaining("crates_quantity_not_negative"),
    null,
  ]);
  expect(opened.committed()).toEqual(["a", "c"]);
});

test("a story that reads is not blamed for a row that another one appended", async () => {
  using opened = await openTestWriter();
  const { writer } = opened;

  const told = [
    writer.write((tx) => insertCrate(tx, crate("a", { quantity: -1 }))),
    writer.write((tx) => crateCount(tx)),
  ];

  const errors = await Promise.all(told.map(errorOf));
  expect(errors.map((error) => error === null)).toEqual([false, true]);
});

test("of two stories of a group that want one label, the second finds the row of the first", async () => {
  using opened = await openTestWriter();
  const { writer } = opened;

  const told = [
    writer.write((tx) => label(tx, "a", "fragile")),
    writer.write((tx) => label(tx, "b", "fragile")),
    writer.write((tx) => label(tx, "c", "heavy")),
  ];

  expect(await Promise.all(told.map(codeOf))).toEqual([null, "label_taken", null]);
  expect(opened.committed()).toEqual(["a", "c"]);
});

test("numbers of the event log have no gap after rows that could not be written", async () => {
  using opened = await openTestWriter();
  const { writer, connection } = opened;
  const packed = (subject: string) => ({ name: "crate.packed", subject, data: null });

  await Promise.all([
    writer.write((tx) => tx.emit(packed("a"))),
    errorOf(
      writer.write(async (tx) => {
        await tx.emit(packed("b"));
        await insertCrate(tx, crate("b", { quantity: -1 }));
      }),
    ),
    writer.write((tx) => tx.emit(packed("c"))),
  ]);

  expect(connection.command("SELECT sequence, subject FROM events ORDER BY sequence")).toEqual([
    { sequence: 1, subject: "a" },
    { sequence: 2, subject: "c" },
  ]);
});
