// A shelf gives what was made before as long as it is made of the same, and keeps what is used.

import { expect, test } from "bun:test";

import { SummaryCache } from "#analytics/summary/summary-cache.ts";

import { errorOf } from "../support/database.ts";

/** A shelf for ten rows, and how often each thing was made for it. */
function openShelf() {
  const shelf = new SummaryCache<string>(10);
  const made: string[] = [];
  const read = (key: string, { stamp = "1", rows = 4 } = {}) =>
    shelf.read(key, stamp, async () => {
      made.push(`${key}${stamp}`);
      return { value: `${key}${stamp}`, rows };
    });
  return { shelf, made, read };
}

test("what is made of the same is made once", async () => {
  const { made, read } = openShelf();

  expect([await read("a"), await read("a")]).toEqual(["a1", "a1"]);
  expect(made).toEqual(["a1"]);
});

test("what is made of something else is made anew", async () => {
  const { made, read } = openShelf();
  await read("a");

  expect([await read("a", { stamp: "2" }), await read("a", { stamp: "2" })]).toEqual(["a2", "a2"]);
  expect(made).toEqual(["a1", "a2"]);
});

test("what nobody used for longest makes room", async () => {
  const { shelf, read } = openShelf();
  await read("a");
  await read("b");
  await read("a");
  await read("c");

  expect(["a", "b", "c"].map((key) => shelf.has(key))).toEqual([true, false, true]);
});

test("what is larger than the shelf stays until another is used", async () => {
  const { shelf, made, read } = openShelf();
  await read("a");
  await read("large", { rows: 50 });

  expect([shelf.has("a"), shelf.has("large")]).toEqual([false, true]);
  await read("large", { rows: 50 });
  expect(made).toEqual(["a1", "large1"]);
  await read("b");
  expect([shelf.has("large"), shelf.has("b")]).toEqual([false, true]);
});

test("what could not be made is tried again", async () => {
  const { shelf, read } = openShelf();
  const failing = shelf.read("a", "1", () => Promise.reject(new Error("The disk is gone.")));

  expect((await errorOf(failing))?.message).toBe("The disk is gone.");
  expect(await read("a")).toBe("a1");
});
