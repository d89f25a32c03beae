// What is remembered is what the rows are: a lookup in memory and one that reads find the same, whatever happens.

import { expect, test } from "bun:test";

import { inArray, sql } from "drizzle-orm";
import fc from "fast-check";

import { products } from "#catalog/rows/tables.ts";
import type { Database, Reader } from "#platform/database/database.ts";
import { prepared, preparedByFilters, preparedWrite } from "#platform/database/prepared.ts";
import { remembered, rememberedAnswer } from "#platform/database/remembered.ts";

import { codeOf, crate, crates, insertCrate, openTestDatabase } from "../../support/database.ts";
import { runs } from "../../support/runs.ts";
import { openBeside } from "../../support/sqlite-file.ts";

let reads = 0;
const crateLabels = preparedByFilters<{ ids: readonly string[] }>()((db, given) =>
  db
    .select({ id: crates.id, label: crates.label })
    .from(crates)
    .where(inArray(crates.id, given.each("ids"))),
);
const readLabels = async (db: Reader, ids: readonly string[]) =>
  new Map((await crateLabels(db, { ids })).map(({ id, label }) => [id, label]));
const labels = remembered([crates], (db, ids: readonly string[]) => {
  reads += 1;
  return readLabels(db, ids);
});
const relabel = preparedWrite<{ id: string; label: string }>()((tx, at) =>
  tx
    .update(crates)
    .set({ label: sql`${at.label}` })
    .where(sql`${crates.id} = ${at.id}`),
);
const allIds = prepared()((db) => db.select({ id: crates.id }).from(crates));

/** A database with two crates, and how often their labels are read from it by the work. */
async function openLabelled() {
  const opened = await openTestDatabase();
  await opened.database.write(async (tx) => {
    await insertCrate(tx, crate("a", { label: "mugs" }));
    await insertCrate(tx, crate("b", { label: "kangas" }));
  });
  return opened;
}

async function readsOf(work: () => Promise<unknown>): Promise<number> {
  const before = reads;
  await work();
  return reads - before;
}

const aTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
const labelOf = async (db: Reader, id: string) => (await labels(db, [id])).get(id);

test("a lookup reads once until a row of its tables changes", async () => {
  await using opened = await openLabelled();
  const { database } = opened;

  const twice = await readsOf(async () => {
    await labels(database.read, ["a"]);
    await database.write((tx) => labels(tx, ["a"]));
  });
  await database.write((tx) => relabel(tx, { id: "b", label: "baskets" }));

  expect(twice).toBe(1);
  expect(await readsOf(() => labels(database.read, ["a"]))).toBe(1);
});

test("a lookup reads only what it does not know", async () => {
  await using opened = await openLabelled();
  const { read } = opened.database;
  await labels(read, ["a"]);

  const found = await labels(read, ["b", "a", "none"]);

  expect([...found]).toEqual([
    ["b", "kangas"],
    ["a", "mugs"],
  ]);
});

test("a lookup of other tables is not read again", async () => {
  await using opened = await openLabelled();
  const { database } = opened;
  let asked = 0;
  const names = remembered([products], async (_, ids: readonly string[]) => {
    asked += 1;
    return new Map(ids.map((id) => [id, `name of ${id}`]));
  });
  await names(database.read, ["a"]);

  const inside = await database.write(async (tx) => {
    await relabel(tx, { id: "a", label: "baskets" });
    return names(tx, ["a"]);
  });

  expect([...inside]).toEqual([["a", "name of a"]]);
  expect(asked).toBe(1);
});

test("a lookup that is first asked in a story is not believed beyond it", async () => {
  await using opened = await openLabelled();
  const { database } = opened;
  const fresh = remembered([crates], readLabels);

  const refused = database.write(async (tx) => {
    await relabel(tx, { id: "a", label: "baskets" });
    await fresh(tx, ["a"]);
    throw new Error("the shelf broke");
  });

  expect(await codeOf(refused)).not.toBeNull();
  expect((await fresh(database.read, ["a"])).get("a")).toBe("mugs");
});

test("a question is read once until a row of its tables changes", async () => {
  await using opened = await openLabelled();
  const { database } = opened;
  let asked = 0;
  const labelled = rememberedAnswer([crates], async (db, { label }: { readonly label: string }) => {
    asked += 1;
    const all = await readLabels(
      db,
      (await allIds(db, {})).map(({ id }) => id),
    );
    return [...all].filter(([, one]) => one === label).map(([id]) => id);
  });

  const before = [
    await labelled(database.read, { label: "mugs" }),
    await labelled(database.read, { label: "mugs" }),
    await labelled(database.read, { label: "baskets" }),
  ];
  await database.write((tx) => relabel(tx, { id: "a", label: "baskets" }));

  expect([before, asked]).toEqual([[["a"], ["a"], []], 2]);
  expect(await labelled(database.read, { label: "baskets" })).toEqual(["a"]);
});

test("a story finds what an earlier story of its group wrote, and readers do not", async () => {
  await using opened = await openLabelled();
  const { database } = opened;
  await labels(database.read, ["a"]);

  const [, seen] = await Promise.all([
    database.write((tx) => relabel(tx, { id: "a", label: "baskets" })),
    database.write(async (tx) => [await labelOf(tx, "a"), await labelOf(database.read, "a")]),
  ]);

  expect(seen).toEqual(["baskets", "mugs"]);
  expect(await labelOf(database.read, "a")).toBe("baskets");
});

test("what a refused story wrote is not remembered", async () => {
  await using opened = await openLabelled();
  const { database } = opened;

  const refused = database.write(async (tx) => {
    await relabel(tx, { id: "a", label: "baskets" });
    await labels(tx, ["a"]);
    throw new Error("the shelf broke");
  });

  expect(await codeOf(refused)).not.toBeNull();
  expect(await labelOf(database.read, "a")).toBe("mugs");
  expect(await database.write((tx) => labelOf(tx, "a"))).toBe("mugs");
});

test("what another connection wrote is found in the next turn", async () => {
  await using opened = await openLabelled();
  const { database, path } = opened;
  await labels(database.read, ["a"]);
  using beside = openBeside(path);

  beside.run("UPDATE crates SET label = 'baskets' WHERE id = 'a'");
  await aTurn();

  expect(await labelOf(database.read, "a")).toBe("baskets");
});

test("a row that changed while it was read is not remembered as it was", async () => {
  await using opened = await openLabelled();
  const { database } = opened;
  const slowLabels = remembered([crates], async (db, ids: readonly string[]) => {
    const found = await readLabels(db, ids);
    await aTurn();
    await aTurn();
    return found;
  });

  const [, overlapping] = await Promise.all([
    database.write((tx) => relabel(tx, { id: "a", label: "baskets" })),
    slowLabels(database.read, ["a"]),
  ]);

  expect(overlapping.get("a")).toBe("baskets");
  expect((await slowLabels(database.read, ["a"])).get("a")).toBe("baskets");
});

test("another file in place of the old one is read anew", async () => {
  await using opened = await openLabelled();
  const { database } = opened;
  await labels(database.read, ["a"]);

  await database.whileClosed?.((path) => {
    using file = openBeside(path);
    file.run("UPDATE crates SET label = 'baskets' WHERE id = 'a'");
  });

  expect(await labelOf(database.read, "a")).toBe("baskets");
});

const step = fc.record({
  act: fc.constantFrom("relabel", "relabel and fail", "read", "wait"),
  id: fc.constantFrom("a", "b", "c", "d"),
  together: fc.boolean(),
});

test("a lookup in memory and one that reads find the same", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      await using opened = await openLabelled();
      const { database } = opened;
      const pending: Promise<unknown>[] = [];
      for (const [index, { act, id, together }] of steps.entries()) {
        const done = perform(database, { act, id, label: `${index}` });
        if (together) pending.push(done);
        else await done;
      }
      await Promise.all(pending);
      await expectSame(database.read);
    }),
    { numRuns: runs(40) },
  );
});

interface Step {
  readonly act: string;
  readonly id: string;
  readonly label: string;
}

async function perform(database: Database, { act, id, label }: Step): Promise<void> {
  if (act === "wait") return aTurn();
  if (act === "read") return expectSame(database.read);
  const isDone = await database
    .write(async (tx) => {
      await expectSame(tx);
      const isNew = !(await readLabels(tx, [id])).has(id);
      if (isNew) await insertCrate(tx, crate(id, { label }));
      else await relabel(tx, { id, label });
      await expectSame(tx);
      if (act === "relabel and fail") throw new ShelfBroke();
      return true;
    })
    .catch(orBroke);
  expect(isDone).toBe(act !== "relabel and fail");
}

class ShelfBroke extends Error {}

function orBroke(error: unknown): false {
  if (error instanceof ShelfBroke) return false;
  throw error;
}

async function expectSame(db: Reader): Promise<void> {
  const ids = (await allIds(db, {})).map(({ id }) => id);
  expect([...(await labels(db, ids))]).toEqual(
    [...(await readLabels(db, ids))].toSorted(byPlace(ids)),
  );
}

function byPlace(ids: readonly string[]) {
  return ([one]: readonly [string, unknown], [other]: readonly [string, unknown]) =>
    ids.indexOf(one) - ids.indexOf(other);
}

test("the state of a table is another one after a commit that changed it, of this program or another one", async () => {
  await using opened = await openLabelled();
  const { database } = opened;
  const state = async () => {
    await aTurn();
    return database.read.memory?.stateOf(["crates"]);
  };
  const first = await state();
  const during: (string | undefined)[] = [];
  await database.write(async (tx) => {
    await relabel(tx, { id: crate("a").id, label: "bowls" });
    during.push(await state());
  });
  const second = await state();
  await database.write(async (tx) => {
    await labels(tx, [crate("a").id]);
  });
  const third = await state();

  expect(during).toEqual([first]);
  expect(second).not.toBe(first);
  expect(third).toBe(second);
});
