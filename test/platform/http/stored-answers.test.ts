// The answer of an idempotency key is kept once and forgotten when it is old.

import { expect, test } from "bun:test";

import type { Database } from "#platform/database/database.ts";
import {
  findAnswers,
  pruneAnswers,
  saveAnswer,
  type StoredAnswer,
} from "#platform/http/calls/stored-answers.ts";

import { errorOf, NOON, openTestDatabase } from "../../support/database.ts";

const lineage = "key_1";

function answer(key: string, createdAt = NOON): StoredAnswer {
  return {
    key,
    lineage,
    fingerprint: "f".repeat(64),
    status: 201,
    headers: { Location: "/v2/orders/ord_1" },
    body: '{"total":249.50}',
    about: null,
    isPublic: false,
    createdAt,
  };
}

async function keep(database: Database, answers: readonly StoredAnswer[]): Promise<void> {
  await database.write(async (tx) => {
    for (const one of answers) await saveAnswer(tx, one);
  });
}

function find(database: Database, key: string): Promise<StoredAnswer[]> {
  return findAnswers(database.read, { key, lineage, elsewhere: lineage });
}

/** Which of the keys still have an answer. */
async function known(database: Database, keys: readonly string[]): Promise<string[]> {
  const found = await Promise.all(keys.map((key) => find(database, key)));
  return found.flat().map((one) => one.key);
}

test("an answer comes back byte for byte", async () => {
  await using opened = await openTestDatabase();

  await keep(opened.database, [answer("a")]);

  expect(await find(opened.database, "a")).toEqual([answer("a")]);
});

test("a key that was not used has no answer", async () => {
  await using opened = await openTestDatabase();

  expect(await find(opened.database, "a")).toEqual([]);
});

test("a key has one answer", async () => {
  await using opened = await openTestDatabase();
  await keep(opened.database, [answer("a")]);

  const error = await errorOf(keep(opened.database, [{ ...answer("a"), body: "other" }]));

  expect(error).toMatchObject({ kind: "unique" });
  expect(await find(opened.database, "a")).toEqual([answer("a")]);
});

test("old answers are forgotten in batches, the oldest first", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  const keys = ["e", "d", "c", "b", "a"];
  await keep(
    database,
    keys.map((key, age) => answer(key, NOON - age)),
  );
  const prune = () =>
    database.write((tx) => pruneAnswers(tx, { isPublic: false, before: NOON, limit: 3 }));

  expect(await prune()).toBe(3);
  expect(await known(database, keys)).toEqual(["e", "d"]);
  expect(await prune()).toBe(1);
  expect(await prune()).toBe(0);
  expect(await known(database, keys)).toEqual(["e"]);
});
