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

test("with DUKA_SANDBOX the suite of the guide uses the sandbox of that name, and leaves it", async () => {
  using folder = openScratchFolder();
  writeSuite(folder, "bun test");
  const duka = (...args: readonly string[]) =>
    runSuite(folder, [folder.file("duka"), "sandbox", ...args]);
  await duka("--detach", "--name", "ci", "--clock", "2030-01-31T12:00:00Z");

  const ended = await runSuite(folder, [process.execPath, "test"], { DUKA_SANDBOX: "ci" });
  const missed = await runSuite(folder, [process.execPath, "test"], { DUKA_SANDBOX: "other" });
  const stopped = await duka("stop", "ci");

  expect(ended.printed).toContain(" 2 pass\n 0 fail");
  expect(missed.printed).toContain('No sandbox "other" runs: duka sandbox --detach --name other');
  expect(stopped).toEqual({ code: 0, printed: 'The sandbox "ci" has ended.\n' });
});
