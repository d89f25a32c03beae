// A prepared statement is a text that any connection runs.

import { expect, test } from "bun:test";

import { eq } from "drizzle-orm";

import { prepared } from "#platform/store/prepared.ts";

import { crates, openTestStore } from "../../support/store.ts";

const names = ["a", "b", "c"];

test("a statement is built once for all handles", async () => {
  await using opened = await openTestStore();
  const { store } = opened;
  let built = 0;
  const counted = prepared<{ id: string }>()((db, at) => {
    built += 1;
    return db.select().from(crates).where(eq(crates.id, at.id));
  });

  for (const id of names) {
    await counted(store.read, { id });
    await store.write((tx) => counted(tx, { id }));
  }

  expect(built).toBe(1);
});
