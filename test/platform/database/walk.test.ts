// Lists that are read in parts: whatever they end after, their pages have every row once, in order.

import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";

import fc from "fast-check";

import { type Reader, run } from "#platform/database/database.ts";
import { type Stream, walk } from "#platform/database/walk.ts";
import { closedVault } from "#platform/vault/vault.ts";

import { errorOf } from "../../support/database.ts";
import { runs } from "../../support/runs.ts";

/** A reader of a shop of its own, which no stream of these asks. */
function readerOf(): Reader {
  return {
    vault: { ...closedVault },
    [run]: async () => {
      throw new Error("No statement is run.");
    },
  };
}

/** Rows of a stream: whether each matches. Ids are numbers of four digits. */
type Rows = ReadonlyMap<string, boolean>;

/** Looks at a few rows in each part. */
function streamOf(rows: Rows, looks: number): Stream {
  const ids = [...rows.keys()].toSorted().toReversed();
  return {
    read: async ({ below, from, rows: most }) => {
      const left = ids.filter(
        (id) => (below === undefined || id < below) && (from === undefined || id >= from),
      );
      const looked = left.slice(0, looks);
      const found = looked.filter((id) => rows.get(id)).slice(0, most);
      if (found.length === most) return { found, last: found.at(-1) ?? null };
      return { found, last: left.length > looks ? (looked.at(-1) ?? null) : null };
    },
  };
}

const streams = fc.array(
  fc.record({
    rows: fc.array(fc.tuple(fc.nat(400), fc.boolean()), { maxLength: 120 }),
    looks: fc.integer({ min: 1, max: 40 }),
  }),
  { maxLength: 5 },
);

let nowMs = 0;
let stepMs = 0;
let clock: ReturnType<typeof spyOn>;
beforeEach(() => {
  clock = spyOn(performance, "now").mockImplementation(() => (nowMs += stepMs));
});
afterEach(() => {
  clock.mockRestore();
});

describe("a walk", () => {
  test.each([
    ["that has time", 0],
    ["that ends after a few parts", 400],
  ])("%s reaches each row that matches once, newest first", async (_, milliseconds) => {
    stepMs = milliseconds;
    await fc.assert(
      fc.asyncProperty(streams, fc.integer({ min: 1, max: 12 }), async (all, limit) => {
        const tables = all.map(({ rows, looks }) => ({
          looks,
          rows: new Map(rows.map(([id, matches]) => [String(1000 + id), matches] as const)),
        }));
        const expected = new Set(
          tables.flatMap(({ rows }) => [...rows].flatMap(([id, matches]) => (matches ? [id] : []))),
        );

        const reached: string[] = [];
        let below: string | undefined;
        for (;;) {
          const read = tables.map(({ rows, looks }) => streamOf(rows, looks));
          const rows = limit + 1;
          const { ids, stop } = await walk(readerOf(), read, { below, from: undefined, rows });
          const page = ids.slice(0, limit);
          reached.push(...page);
          below = stop ?? page.at(-1);
          if (stop === null && ids.length < rows) break;
        }

        expect(reached).toEqual([...expected].toSorted().toReversed());
      }),
      { numRuns: runs(40) },
    );
  });

  test("that reads each of its streams once is never refused, however slow they are", async () => {
    stepMs = 4;
    const db = readerOf();
    const read = () => [streamOf(new Map([["1001", true]]), 1), streamOf(new Map(), 1)];
    const one = () => walk(db, read(), { below: undefined, from: undefined, rows: 2 });

    const many = await Promise.all(Array.from({ length: 20 }, one));

    expect(many).toEqual(many.map(() => ({ ids: ["1001"], stop: null })));
  });

  test("is refused where four go on and eight wait, and those that wait go on", async () => {
    stepMs = 4;
    const db = readerOf();
    const rows = new Map([
      ["1001", false],
      ["1000", true],
    ]);
    const one = () => walk(db, [streamOf(rows, 1)], { below: undefined, from: undefined, rows: 2 });

    const twelve = Array.from({ length: 12 }, one);
    const refused = await errorOf(one());

    expect(refused?.message).toBe("The server is busy with other requests.");
    expect(await Promise.all(twelve)).toEqual(twelve.map(() => ({ ids: ["1000"], stop: null })));
    expect(await one()).toEqual({ ids: ["1000"], stop: null });
  });
});
