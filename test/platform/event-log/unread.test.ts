// How far those who read the log of events are behind.

import { expect, test } from "bun:test";

import { countUnread, moveLogCursor } from "#platform/event-log/log-cursors.ts";

import { openTestDatabase } from "../../support/database.ts";

test("counts the events after the cursor of each reader that has begun", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  const packed = { name: "crate.packed", subject: "a", data: null };
  for (let count = 0; count < 3; count += 1) await database.write((tx) => tx.emit(packed));
  await database.write((tx) => moveLogCursor(tx, "sums", { from: 0, to: 2 }));
  await database.write((tx) => moveLogCursor(tx, "others", { from: 0, to: 1 }));

  const unread = await countUnread(database.read, ["sums", "letters"]);

  expect(unread).toEqual({ sums: 1 });
});
