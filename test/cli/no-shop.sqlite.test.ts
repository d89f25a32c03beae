// Commands on a place without a shop: they create none.

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";

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

test.each([
  [["keys", "create", "--mode", "test"]],
  [["keys", "list"]],
  [["keys", "revoke", "key_01h455vb4pex5vsknk084sn02q"]],
  [["analytics", "rebuild"]],
  [["books", "rebuild"]],
  [["migrate"]],
  [["check"]],
])("%j creates no shop", async (args) => {
  const ended = await runDuka(args, { folder });

  expect([ended.code, ended.stdout]).toEqual([1, ""]);
  expect(ended.stderr).toMatch(
    /^There is no shop at .+\.\nStart one there with ".+ serve", or name/,
  );
  expect(existsSync(scratch.file("data"))).toBeFalse();
});

test("a command in another folder names the server that runs", async () => {
  await using duka = await openRunningDuka({ folder });
  using elsewhere = openScratchFolder();
  const settings = { DUKA_PORT: new URL(duka.url).port };

  const ended = await runDuka(["keys", "create", "--mode", "test"], {
    folder: elsewhere.path,
    settings,
  });

  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain(`A server runs at ${duka.url}: name its data directory`);
});

test("a command beside the server needs the server's data directory only", async () => {
  await using duka = await openRunningDuka({ folder });
  using elsewhere = openScratchFolder();
  const args = ["keys", "create", "--mode", "test", "--data-dir", scratch.file("data")];

  const { stdout } = await runDuka(args, { folder: elsewhere.path });

  expect((await duka.request("GET", "/v2/store", { key: stdout.trim() })).status).toBe(200);
});
