// `duka migrate` brings both databases to this version's schema while no server runs.

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";

import { openRunningDuka, runDuka } from "../support/running-duka.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";

setDefaultTimeout(60_000);

let scratch: ScratchFolder;
let folder = "";

beforeEach(() => {
  scratch = openScratchFolder();
  folder = scratch.path;
});

afterEach(() => scratch[Symbol.dispose]());

test("an up-to-date database is not changed", async () => {
  await runDuka(["migrate", "--init"], { folder });

  const again = await runDuka(["migrate"], { folder });

  expect(again).toEqual({
    code: 0,
    stdout: "test: schema is up to date\nlive: schema is up to date\n",
    stderr: "",
  });
});

test("the databases of a running server are not touched", async () => {
  await using duka = await openRunningDuka({ folder });

  const ended = await runDuka(["migrate"], { folder });

  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain(`Another Duka (process ${duka.id}) already serves`);
});
