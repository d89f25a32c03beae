// What an engine throws reaches everybody in our own words, however the statement was made.

import { describe, expect, test } from "bun:test";

import { eq } from "drizzle-orm";

import {
  ConstraintViolation,
  isDamage,
  storageFull,
  translateError,
} from "#platform/store/errors.ts";
import type { Tx } from "#platform/store/store.ts";

import {
  bulky,
  codeOf,
  type Crate,
  crate,
  crateIds,
  crates,
  errorOf,
  findCrate,
  insertCrate,
  openTestStore,
  openTestWriter,
} from "../../support/store.ts";

const broken: [string, Partial<Crate>, { kind: string; constraint: string }][] = [
  ["a second id", { id: "a" }, { kind: "unique", constraint: "crates.id" }],
  ["a second label", { label: "mugs" }, { kind: "unique", constraint: "crates.label" }],
  [
    "a count below zero",
    { quantity: -1 },
    { kind: "check", constraint: "crates_quantity_not_negative" },
  ],
  ["an unknown crate", { inside: "nowhere" }, { kind: "foreign_key", constraint: "" }],
];

describe.each(broken)("%s", (_, given, expected) => {
  test.each<[string, (tx: Tx, row: Crate) => Promise<unknown>]>([
    ["a prepared statement", insertCrate],
    ["a statement of its own", async (tx, row) => tx.insert(crates).values(row)],
  ])("breaks a constraint by name in %s", async (__, insert) => {
    await using opened = openTestStore();
    const { store } = opened;
    await store.write((tx) => insertCrate(tx, crate("a", { label: "mugs" })));

    const error = await errorOf(store.write((tx) => insert(tx, crate("b", given))));

    expect(error).toBeInstanceOf(ConstraintViolation);
    expect(error).toMatchObject(expected);
    expect(await crateIds(store.read)).toEqual(["a"]);
  });
});

test("a missing value breaks its column by name", async () => {
  await using opened = openTestStore();
  const { store } = opened;
  // @ts-expect-error a quantity is not null
  const row: Crate = crate("a", { quantity: null });

  const error = await errorOf(store.write((tx) => insertCrate(tx, row)));

  expect(error).toMatchObject({ kind: "not_null", constraint: "crates.quantity" });
});

test("a fraction does not fit a column of whole numbers", async () => {
  await using opened = openTestStore();
  const { store } = opened;

  const error = await errorOf(store.write((tx) => insertCrate(tx, crate("a", { quantity: 1.5 }))));

  expect(error?.message).toContain("cannot store REAL value in INTEGER column");
  expect(await crateIds(store.read)).toEqual([]);
});

test("a story may catch a broken constraint and go on", async () => {
  await using opened = openTestStore();
  const { store } = opened;
  await store.write((tx) => insertCrate(tx, crate("a")));

  await store.write(async (tx) => {
    await insertCrate(tx, crate("before"));
    await errorOf(insertCrate(tx, crate("a")));
    await insertCrate(tx, crate("c"));
  });

  expect(await crateIds(store.read)).toEqual(["a", "before", "c"]);
});

test("a statement made in a story and run after it is refused", async () => {
  await using opened = openTestStore();
  const { store } = opened;
  const made = await store.write(async (tx) => {
    await insertCrate(tx, crate("a"));
    return {
      insertion: tx.insert(crates).values(crate("late")),
      change: tx.update(crates).set({ quantity: 9 }),
      deletion: tx.delete(crates).where(eq(crates.id, "a")),
      reading: tx.select().from(crates),
    };
  });

  const ended = "used after its story ended";
  expect((await errorOf(made.insertion))?.message).toContain(ended);
  expect((await errorOf(made.change))?.message).toContain(ended);
  expect((await errorOf(made.deletion))?.message).toContain(ended);
  expect((await errorOf(made.reading))?.message).toContain(ended);
  expect(await findCrate(store.read, "a")).toEqual(crate("a"));
});

test("a full disk met by a statement of its own tells the whole group", async () => {
  using opened = await openTestWriter();
  const { writer } = opened;
  opened.fillDisk();

  const told = [
    writer.write((tx) => insertCrate(tx, crate("a"))),
    writer.write(async (tx) => {
      await errorOf(tx.insert(crates).values(crate("b", { contents: bulky })));
      await errorOf(insertCrate(tx, crate("after")));
    }),
  ];

  expect(await Promise.all(told.map(codeOf))).toEqual(["storage_full", "storage_full"]);
  expect(opened.committed()).toEqual([]);
});

/** What the driver throws with this code; its class is known by its name and cannot be made. */
function driverError(code: string): unknown {
  return Object.assign(new Error(code), { name: "SQLiteError", code });
}

test.each(["SQLITE_FULL", "SQLITE_IOERR_SHMSIZE"])("%s is a full disk, and no damage", (code) => {
  expect(translateError(driverError(code))).toMatchObject({
    definition: storageFull,
    details: { headers: { "Retry-After": "5" } },
  });
});

test.each(["SQLITE_IOERR_WRITE", "SQLITE_IOERR_FSYNC", "SQLITE_CORRUPT"])(
  "%s is damage",
  (code) => {
    const error = driverError(code);

    expect(translateError(error)).toBe(error);
    expect(isDamage(error)).toBe(true);
  },
);
