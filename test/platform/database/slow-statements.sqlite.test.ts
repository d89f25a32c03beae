// Statements that held the thread are told, each once a minute.

import { expect, test } from "bun:test";

import { type SlowStatement, SlowStatements } from "#platform/database/sqlite/connection.ts";

test("tells each slow statement once, whatever its values took", () => {
  const told: SlowStatement[] = [];
  const slow = new SlowStatements((one) => told.push(one));

  slow.note({ text: "select 1", tookMs: 60 });
  slow.note({ text: "select 1", tookMs: 90 });
  slow.note({ text: "select 2", tookMs: 70 });

  expect(told).toEqual([
    { text: "select 1", tookMs: 60 },
    { text: "select 2", tookMs: 70 },
  ]);
});
