// What an engine throws becomes an error of our own, however the statement was made.

import { describe, expect, test } from "bun:test";

import { engine } from "#platform/database/engine.ts";
import { ConstraintViolation } from "#platform/database/errors.ts";

import {
  type Crate,
  crate,
  crateIds,
  errorOf,
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
  test("breaks a constraint by name", async () => {
    await using opened = await openTestDatabase();
    const { database } = opened;
    await database.write((tx) => insertCrate(tx, crate("a", { label: "mugs" })));

    const error = await errorOf(database.write((tx) => insertCrate(tx, crate("b", given))));

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
