// A row that story after story changes is decided on in memory and written once with the group. No story can tell.

import { expect, test } from "bun:test";

import { and, eq, sql } from "drizzle-orm";
import fc from "fast-check";

import { defineRefusal } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { heldRows } from "#platform/database/held-rows.ts";
import { preparedWrite } from "#platform/database/prepared.ts";

import {
  codeOf,
  type Crate,
  crate,
  crateIds,
  crates,
  findCrate,
  insertCrate,
} from "../../support/database.ts";
import { runs } from "../../support/runs.ts";
import { openTestWriter, type TestWriter } from "../../support/sqlite-file.ts";

const tooMany = defineRefusal("too_many", "conflict", "The crate is full.");
const changedMind = defineRefusal("changed_mind", "conflict", "The packer changed their mind.");
const ROOM = 10;

const held = heldRows<Crate>((tx, at) =>
  tx
    .update(crates)
    .set({ quantity: sql`${at.quantity}` })
    .where(and(eq(crates.id, at.id), eq(crates.version, at.version)))
    .returning({ id: crates.id }),
);
const addUnits = preparedWrite<{ id: string; units: number }>({ by: "id" })((tx, at) =>
  tx
    .update(crates)
    .set({ quantity: sql`${crates.quantity} + ${at.units}` })
    .where(and(eq(crates.id, at.id), sql`${crates.quantity} + ${at.units} <= ${ROOM}`))
    .returning(),
);
/** Puts units into a crate and answers how many it has. Refuses with `too_many`. */
async function pack(tx: Tx, id: string, units: number): Promise<number> {
  const known = held.find(tx, id);
  if (known === undefined) {
    const [first] = await addUnits(tx, { id, units });
    if (first === undefined) throw tooMany();
    held.know(tx, id, first);
    return first.quantity;
  }
  const quantity = known.quantity + units;
  if (quantity > ROOM) throw tooMany();
  held.hold(tx, id, { ...known, quantity });
  return quantity;
}

async function openWithCrates(...ids: readonly string[]): Promise<TestWriter> {
  const opened = await openTestWriter();
  await opened.writer.write(async (tx) => {
    for (const id of ids) await insertCrate(tx, crate(id, { quantity: 0 }));
  });
  return opened;
}

/** The quantities that are committed, by crate. */
function quantities({ connection }: TestWriter): Record<string, unknown> {
  const rows = connection.command("SELECT id, quantity FROM crates ORDER BY id");
  return Object.fromEntries(rows.map(({ id, quantity }) => [String(id), quantity]));
}

test("each story decides on what the stories before it left", async () => {
  using opened = await openWithCrates("a");
  const { writer } = opened;

  const told = [4, 5, 3, 1].map((units) => writer.write((tx) => pack(tx, "a", units)));

  expect(await Promise.all(told.map(codeOf))).toEqual([null, null, "too_many", null]);
  expect(await told[3]).toBe(10);
  expect(quantities(opened)).toEqual({ a: 10 });
});

test("what a refused story did to a row is undone", async () => {
  using opened = await openWithCrates("a", "b");
  const { writer } = opened;

  const told = [
    writer.write((tx) => pack(tx, "a", 2)),
    writer.write(async (tx) => {
      await pack(tx, "a", 5);
      await pack(tx, "b", 5);
      throw changedMind();
    }),
    writer.write((tx) => pack(tx, "a", 1)),
  ];

  expect(await Promise.all(told.map(codeOf))).toEqual([null, "changed_mind", null]);
  expect(quantities(opened)).toEqual({ a: 3, b: 0 });
});

test("a statement finds the row as the stories before it left it", async () => {
  using opened = await openWithCrates("a");
  const { writer } = opened;
  const packed = writer.write((tx) => pack(tx, "a", 2));

  const seen = await writer.write(async (tx) => {
    await pack(tx, "a", 3);
    await crateIds(tx);
    return findCrate(tx, "a");
  });

  expect(seen?.quantity).toBe(5);
  await packed;
});

test("a row that another statement changed meanwhile is read anew", async () => {
  using opened = await openWithCrates("a");
  const { writer } = opened;

  await writer.write(async (tx) => {
    await pack(tx, "a", 2);
    await addUnits(tx, { id: "a", units: 4 });
    await pack(tx, "a", 3);
  });

  expect(quantities(opened)).toEqual({ a: 9 });
});

test("a row that is not as it was decided on is not written, and its story runs again", async () => {
  using opened = await openWithCrates("a");
  const { writer, connection } = opened;

  await writer.write(async (tx) => {
    const isFirst = tx.held !== undefined;
    await pack(tx, "a", 2);
    await pack(tx, "a", 1);
    if (isFirst) connection.command("UPDATE crates SET version = version + 1");
  });

  expect(quantities(opened)).toEqual({ a: 3 });
});

test("whatever stories pack at once, the crates have the units of those that were told yes", async () => {
  const step = fc.record({ id: fc.constantFrom("a", "b"), units: fc.integer({ min: 1, max: 6 }) });
  const plan = fc.record({
    steps: fc.array(step, { maxLength: 3 }),
    isRefused: fc.boolean(),
    reads: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(plan, { maxLength: 12 }), async (plans) => {
      using opened = await openWithCrates("a", "b");

      const told = plans.map(({ steps, isRefused, reads }) =>
        opened.writer.write(async (tx) => {
          for (const { id, units } of steps) await pack(tx, id, units);
          if (reads) await crateIds(tx);
          if (isRefused) throw changedMind();
        }),
      );

      const codes = await Promise.all(told.map(codeOf));
      const sum = (crateId: string) =>
        plans
          .filter((_, index) => codes[index] === null)
          .flatMap(({ steps }) => steps)
          .reduce((total, { id, units }) => total + (id === crateId ? units : 0), 0);
      expect(quantities(opened)).toEqual({ a: sum("a"), b: sum("b") });
      expect(Math.max(sum("a"), sum("b"))).toBeLessThanOrEqual(ROOM);
    }),
    { numRuns: runs(15) },
  );
}, 30_000);
