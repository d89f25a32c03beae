// The test suite that the guide shows for `bun test`; those for other runners are among the tools.

import { expect, setDefaultTimeout, test } from "bun:test";

import { runSuite, writeSuite } from "../support/guided-suite.ts";
import { openScratchFolder } from "../support/scratch.ts";

setDefaultTimeout(60_000);

test("the suite of the guide passes in bun test", async () => {
  using folder = openScratchFolder();
  writeSuite(folder, "bun test");

  const ended = await runSuite(folder, [process.execPath, "test"]);

  expect(ended.printed).toContain(" 2 pass\n 0 fail");
  expect(ended.code).toBe(0);
});
