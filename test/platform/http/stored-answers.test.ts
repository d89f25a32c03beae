// The answer of an idempotency key is kept once and forgotten when it is old.

import { expect, test } from "bun:test";

import type { Store } from "#platform/database/store.ts";
import {
  findAnswer,
  keepAnswer,
  pruneAnswers,
  type StoredAnswer,
} from "#platform/http/idempotency/stored-answers.ts";

import { errorOf, NOON, openTestStore } from "../../support/store.ts";

function answer(key: string, createdAt = NOON): StoredAnswer {
  return {
    key,
    fingerprint: "f".repeat(64),
    status: 201,
    headers: { Location: "/v2/orders/ord_1" },
    body: '{"total":249.50}',
    createdAt,
  };
}

async function keep(store: Store, answers: readonly StoredAnswer[]): Promise<void> {
  await store.write(async (tx) => {
    for (const one of answers) await keepAnswer(tx, one);
  });
}

/** Which of the keys still have an answer. */
async function known(store: Store, keys: readonly string[]): Promise<string[]> {
  const found = await Promise.all(keys.map((key) => findAnswer(store.read, key)));
  return found.flatMap((one) => (one === undefined ? [] : [one.key]));
}

test("an answer comes back byte for byte", async () => {
  await using opened = await openTestStore();

  await keep(opened.store, [answer("a")]);

  expect(await findAnswer(opened.store.read, "a")).toEqual(answer("a"));
});

test("a key that was not used has no answer", async () => {
  await using opened = await openTestStore();

  expect(await findAnswer(opened.store.read, "a")).toBeUndefined();
});

test("a key has one answer", async () => {
  await using opened = await openTestStore();
  await keep(opened.store, [answer("a")]);

  const error = await errorOf(keep(opened.store, [{ ...answer("a"), body: "other" }]));

  expect(error).toMatchObject({ kind: "unique" });
  expect(await findAnswer(opened.store.read, "a")).toEqual(answer("a"));
});

test("old answers are forgotten in batches, the oldest first", async () => {
  await using opened = await openTestStore();
  const { store } = opened;
  const keys = ["e", "d", "c", "b", "a"];
  await keep(
    store,
    keys.map((key, age) => answer(key, NOON - age)),
  );
  const prune = () => store.write((tx) => pruneAnswers(tx, NOON, 3));

  expect(await prune()).toBe(3);
  expect(await known(store, keys)).toEqual(["e", "d"]);
  expect(await prune()).toBe(1);
  expect(await prune()).toBe(0);
  expect(await known(store, keys)).toEqual(["e"]);
});
