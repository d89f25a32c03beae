// The short form of the starts of `clock-jumps`; `bun run faults --long clock-jumps` does each twenty times.

import { expect, setDefaultTimeout, test } from "bun:test";

import { jumpAtStarts } from "./clock-starts.ts";

setDefaultTimeout(240_000);

test("a clock that is advanced as soon as the program listens moves, and the program answers", async () => {
  const { starts, broken } = await jumpAtStarts(1);

  expect(broken).toEqual([]);
  expect(starts).toBe(6);
});
