// The test suites that the guide shows, in the runners that most projects have.

import { expect, setDefaultTimeout, test } from "bun:test";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { runSuite, writeSuite } from "../support/guided-suite.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { TOOL_MS_MAX } from "./tools.ts";

setDefaultTimeout(TOOL_MS_MAX);

const packages = join(import.meta.dir, "node_modules");

test.each([
  ["Vitest", ["vitest", "run"], /Tests +1 passed/],
  ["Jest", ["jest"], /Tests: +1 passed, 1 total/],
] as const)("the suite of the guide passes in %s", async (name, [tool, ...args], summary) => {
  using folder = openScratchFolder();
  writeSuite(folder, name);
  writeFileSync(folder.file("package.json"), "{}");
  symlinkSync(packages, folder.file("node_modules"));

  const ended = await runSuite(folder, [join(packages, ".bin", tool), ...args]);

  expect(ended.printed).toMatch(summary);
  expect(ended.code).toBe(0);
});
