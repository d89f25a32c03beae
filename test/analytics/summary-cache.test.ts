// A summary cache returns a value as long as its stamp is the same, and keeps what is used.

import { expect, test } from "bun:test";

import { SummaryCache } from "#analytics/summary/summary-caches.ts";

import { errorOf } from "../support/database.ts";

/** A cache of ten rows, and the values that were made for it. */
function openCache() {
  const cache = new SummaryCache<string>(10);
  const made: string[] = [];
  const read = (key: string, { stamp = "1", rows = 4 } = {}) =>
    cache.read(key, stamp, async () => {
      made.push(`${key}${stamp}`);
      return { value: `${key}${stamp}`, rows };
    });
  return { cache, made, read };
}

test("a value with the same stamp is made once", async () => {
  const { made, read } = openCache();

  expect([await read("a"), await read("a")]).toEqual(["a1", "a1"]);
  expect(made).toEqual(["a1"]);
});

test("a value with another stamp is made again", async () => {
  const { made, read } = openCache();
  await read("a");

  expect([await read("a", { stamp: "2" }), await read("a", { stamp: "2" })]).toEqual(["a2", "a2"]);
  expect(made).toEqual(["a1", "a2"]);
});

test("the least recently used value is dropped", async () => {
  const { cache, read } = openCache();
  await read("a");
  await read("b");
  await read("a");
  await read("c");

  expect(["a", "b", "c"].map((key) => cache.has(key))).toEqual([true, false, true]);
});

test("a value larger than the cache stays until another one is used", async () => {
  const { cache, made, read } = openCache();
  await read("a");
  await read("large", { rows: 50 });

  expect([cache.has("a"), cache.has("large")]).toEqual([false, true]);
  await read("large", { rows: 50 });
  expect(made).toEqual(["a1", "large1"]);
  await read("b");
  expect([cache.has("large"), cache.has("b")]).toEqual([false, true]);
});

test("a value that could not be made is made at the next read", async () => {
  const { cache, read } = openCache();
  const failing = cache.read("a", "1", () => Promise.reject(new Error("The disk is gone.")));

  expect((await errorOf(failing))?.message).toBe("The disk is gone.");
  expect(await read("a")).toBe("a1");
});
