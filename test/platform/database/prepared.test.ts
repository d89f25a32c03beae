// A statement is prepared once per connection and answers right for whatever values it is given.

import { expect, test } from "bun:test";

import { and, asc, eq, gte, inArray, sql } from "drizzle-orm";
import fc from "fast-check";

import type { Database } from "#platform/database/database.ts";
import { prepared, preparedByFilters, preparedWrite } from "#platform/database/prepared.ts";

import {
  crate,
  crateIds,
  crates,
  errorOf,
  findCrate,
  insertCrate,
  openTestDatabase,
  saveCrate,
} from "../../support/database.ts";

interface CrateFilters {
  readonly id?: readonly string[] | undefined;
  readonly quantity?: readonly number[] | undefined;
  readonly atLeast?: number | undefined;
}

const listCrates = preparedByFilters<CrateFilters>()((db, given) =>
  db
    .select({ id: crates.id })
    .from(crates)
    .where(
      and(
        given.has("id") ? inArray(crates.id, given.each("id")) : undefined,
        given.has("quantity") ? inArray(crates.quantity, given.each("quantity")) : undefined,
        given.has("atLeast") ? gte(crates.quantity, given.one("atLeast")) : undefined,
      ),
    )
    .orderBy(asc(crates.id)),
);

const moveQuantity = preparedWrite<{ id: string; quantity: number; expected: number }>()((tx, at) =>
  tx
    .update(crates)
    .set({ quantity: sql`${at.quantity}` })
    .where(and(eq(crates.id, at.id), eq(crates.quantity, at.expected)))
    .returning({ quantity: crates.quantity }),
);

const names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];

/** Ten crates, a to j, with 0 to 9 things in them. */
async function pack(database: Database): Promise<void> {
  await database.write(async (tx) => {
    for (const [index, name] of names.entries()) {
      await insertCrate(tx, crate(name, { quantity: index }));
    }
  });
}

const idsOf = (rows: readonly { id: string }[]) => rows.map((row) => row.id);

test("one statement reads what is committed on a reader and its own writes in a story", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  await database.write((tx) => insertCrate(tx, crate("a", { quantity: 1 })));
  await findCrate(database.read, "a");

  const seen = await database.write(async (tx) => {
    await saveCrate(tx, crate("a", { quantity: 2, version: 2 }));
    return [await findCrate(tx, "a"), await findCrate(database.read, "a")];
  });

  expect(seen.map((row) => row?.quantity)).toEqual([2, 1]);
  expect((await findCrate(database.read, "a"))?.quantity).toBe(2);
});

test("a statement is built once for all connections", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  let built = 0;
  const counted = prepared<{ id: string }>()((db, at) => {
    built += 1;
    return db.select().from(crates).where(eq(crates.id, at.id));
  });

  for (const id of names) {
    await counted(database.read, { id });
    await database.write((tx) => counted(tx, { id }));
  }

  expect(built).toBe(1);
});

test("two stores do not share a statement", async () => {
  await using first = await openTestDatabase();
  await using second = await openTestDatabase();
  await first.database.write((tx) => insertCrate(tx, crate("a", { quantity: 1 })));
  await second.database.write((tx) => insertCrate(tx, crate("a", { quantity: 2 })));

  expect((await findCrate(first.database.read, "a"))?.quantity).toBe(1);
  expect((await findCrate(second.database.read, "a"))?.quantity).toBe(2);
});

test("a conditional write answers whether it was so", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  await database.write((tx) => insertCrate(tx, crate("a", { quantity: 5 })));

  const moved = await database.write((tx) =>
    moveQuantity(tx, { id: "a", quantity: 6, expected: 5 }),
  );
  const again = await database.write((tx) =>
    moveQuantity(tx, { id: "a", quantity: 7, expected: 5 }),
  );

  expect(moved).toEqual([{ quantity: 6 }]);
  expect(again).toEqual([]);
});

test("a row comes back as it was put in, of every kind of column", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  const full = crate("a", {
    label: "mugs 'n' \"more\" ✓",
    quantity: 2_147_483_647,
    isSealed: true,
    inside: "a",
    contents: { mugs: [1, null, { big: "ü" }] },
  });

  await database.write((tx) => insertCrate(tx, full));
  await database.write((tx) => insertCrate(tx, crate("b")));

  expect(await findCrate(database.read, "a")).toEqual(full);
  expect(await findCrate(database.read, "b")).toEqual(crate("b"));
});

test.each(names.slice(0, 9).map((_, index) => [index + 1]))(
  "a list of %d values finds each of them",
  async (length) => {
    await using opened = await openTestDatabase();
    await pack(opened.database);
    const wanted = names.slice(0, length);

    expect(idsOf(await listCrates(opened.database.read, { id: wanted }))).toEqual(wanted);
  },
);

test("a list of no values finds nothing, and one that is not given finds all", async () => {
  await using opened = await openTestDatabase();
  await pack(opened.database);

  expect(await listCrates(opened.database.read, { id: [] })).toEqual([]);
  expect(idsOf(await listCrates(opened.database.read, { id: undefined }))).toEqual(names);
});

test("filters find what a plain filter finds, independent of earlier queries", async () => {
  await using opened = await openTestDatabase();
  await pack(opened.database);
  const filters = fc.record(
    {
      id: fc.array(fc.constantFrom(...names, "nobody"), { maxLength: 9 }),
      quantity: fc.array(fc.integer({ min: -1, max: 10 }), { maxLength: 9 }),
      atLeast: fc.integer({ min: -1, max: 10 }),
    },
    { requiredKeys: [] },
  );

  await fc.assert(
    fc.asyncProperty(filters, async (asked) => {
      const expected = names.filter(
        (name, quantity) =>
          (asked.id?.includes(name) ?? true) &&
          (asked.quantity?.includes(quantity) ?? true) &&
          quantity >= (asked.atLeast ?? 0),
      );

      expect(idsOf(await listCrates(opened.database.read, asked))).toEqual(expected);
    }),
    { numRuns: 200 },
  );
});

test("lists of like lengths share their statement", async () => {
  await using opened = await openTestDatabase();
  let built = 0;
  const counted = preparedByFilters<{ id: readonly string[] }>()((db, given) => {
    built += 1;
    return db
      .select()
      .from(crates)
      .where(inArray(crates.id, given.each("id")));
  });

  for (let length = 1; length <= 9; length += 1) {
    await counted(opened.database.read, { id: names.slice(0, length) });
  }

  // 1, 2, 4, 8 and 16 places.
  expect(built).toBe(5);
});

test("a row is replaced by its next version", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  await database.write((tx) => insertCrate(tx, crate("a")));
  const next = crate("a", { version: 2, label: "new", contents: { mugs: 3 } });

  const replaced = await database.write((tx) => saveCrate(tx, next));

  expect(replaced).toBe(true);
  expect(await findCrate(database.read, "a")).toEqual(next);
});

test.each([
  ["an old version", crate("a", { version: 2, label: "late" })],
  ["a version that was skipped", crate("a", { version: 4, label: "early" })],
  ["a row that is not there", crate("b", { version: 3 })],
])("%s replaces nothing", async (_, row) => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  await database.write((tx) => insertCrate(tx, crate("a", { version: 2 })));

  expect(await database.write((tx) => saveCrate(tx, row))).toBe(false);
  expect(await crateIds(database.read)).toEqual(["a"]);
  expect(await findCrate(database.read, "a")).toEqual(crate("a", { version: 2 }));
});

test("of simultaneous replacements of one version, one succeeds", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  await database.write((tx) => insertCrate(tx, crate("a")));

  const replaced = await Promise.all(
    names.map((label) => database.write((tx) => saveCrate(tx, crate("a", { version: 2, label })))),
  );

  expect(replaced.filter(Boolean)).toHaveLength(1);
  expect((await findCrate(database.read, "a"))?.label).toBe(names[replaced.indexOf(true)]);
});

test("a value that is missing is a bug, not NULL", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  const { label: _, ...incomplete } = crate("a");

  // @ts-expect-error the label is not given
  const error = await errorOf(database.write((tx) => insertCrate(tx, incomplete)));

  expect(error?.message).toContain('"label"');
  expect(await crateIds(database.read)).toEqual([]);
});
