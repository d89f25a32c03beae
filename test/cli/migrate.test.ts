// `duka migrate` brings the databases up to date while no server has them.

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

test("a database that is up to date is left as it is", async () => {
  await runDuka(["migrate"], { folder });

  const again = await runDuka(["migrate"], { folder });

  expect(again).toEqual({
    code: 0,
    stdout: "test: has this schema already\nlive: has this schema already\n",
    stderr: "",
  });
});

test("the databases of a server that runs are not touched", async () => {
  await using duka = await openRunningDuka({ folder });

  const ended = await runDuka(["migrate"], { folder });

  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain(`Another Duka (process ${duka.id}) already serves`);
});
