// What an engine throws reaches everybody in our own words, however the statement was made.

import { describe, expect, test } from "bun:test";

import { eq } from "drizzle-orm";

import type { Tx } from "#platform/database/database.ts";
import { engine } from "#platform/database/engine.ts";
import { ConstraintViolation } from "#platform/database/errors.ts";

import {
  type Crate,
  crate,
  crateIds,
  crates,
  errorOf,
  findCrate,
  insertCrate,
  openTestDatabase,
} from "../../support/database.ts";

/** What each engine calls the constraints that have no name of ours. */
const names = {
  sqlite: { id: "crates.id", label: "crates.label", inside: "", quantity: "crates.quantity" },
  postgres: {
    id: "crates_pkey",
    label: "crates_label_unique",
    inside: "crates_inside_fkey",
    quantity: "quantity",
  },
}[engine];

const broken: [string, Partial<Crate>, { kind: string; constraint: string }][] = [
  ["a second id", { id: "a" }, { kind: "unique", constraint: names.id }],
  ["a second label", { label: "mugs" }, { kind: "unique", constraint: names.label }],
  [
    "a count below zero",
    { quantity: -1 },
    { kind: "check", constraint: "crates_quantity_not_negative" },
  ],
  ["an unknown crate", { inside: "nowhere" }, { kind: "foreign_key", constraint: names.inside }],
];

describe.each(broken)("%s", (_, given, expected) => {
  test.each<[string, (tx: Tx, row: Crate) => Promise<unknown>]>([
    ["a prepared statement", insertCrate],
    ["a statement of its own", async (tx, row) => tx.insert(crates).values(row)],
  ])("breaks a constraint by name in %s", async (__, insert) => {
    await using opened = await openTestDatabase();
    const { database } = opened;
    await database.write((tx) => insertCrate(tx, crate("a", { label: "mugs" })));

    const error = await errorOf(database.write((tx) => insert(tx, crate("b", given))));

    expect(error).toBeInstanceOf(ConstraintViolation);
    expect(error).toMatchObject(expected);
    expect(await crateIds(database.read)).toEqual(["a"]);
  });
});

test("a missing value breaks its column by name", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  // @ts-expect-error a quantity is not null
  const row: Crate = crate("a", { quantity: null });

  const error = await errorOf(database.write((tx) => insertCrate(tx, row)));

  expect(error).toMatchObject({ kind: "not_null", constraint: names.quantity });
});

test("a statement made in a story and run after it is refused", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  const made = await database.write(async (tx) => {
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
  expect(await findCrate(database.read, "a")).toEqual(crate("a"));
});
