// A start refuses what Bun has read for itself.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { type Runtime, runtimeFaults } from "#platform/process/runtime-faults.ts";

import { openScratchFolder, type ScratchFolder } from "../../support/scratch.ts";

let scratch: ScratchFolder;

beforeEach(() => {
  scratch = openScratchFolder();
});

afterEach(() => scratch[Symbol.dispose]());

/** What is refused of a program in the scratch folder, without the folder. */
function refused(runtime: Partial<Runtime>): string[] {
  const usual = { variables: {}, directory: scratch.path, flags: [], isBinary: false };
  return runtimeFaults({ ...usual, ...runtime }).map(({ setting }) =>
    setting.replace(`${scratch.path}/`, ""),
  );
}

function writeFiles(...names: string[]): void {
  for (const name of names) writeFileSync(scratch.file(name), "");
}

test("from source, the files that Bun reads in the working directory are refused", () => {
  writeFiles(
    ".env",
    ".env.local",
    ".env.production",
    ".env.test.local",
    ".environment",
    "shop.env",
  );
  writeFiles("bunfig.toml");

  expect(refused({}).toSorted()).toEqual([
    ".env",
    ".env.local",
    ".env.production",
    ".env.test.local",
    "bunfig.toml",
  ]);
});

test("from source, a folder without such files is accepted", () => {
  expect(refused({ variables: { BUN_OPTIONS: "--smol" } })).toEqual([]);
});

test("the project's own folder is accepted, since its bunfig.toml switches .env off", () => {
  expect(refused({ directory: join(import.meta.dir, "../../..") })).toEqual([]);
});

test.each([
  [["--no-env-file"], ["bunfig.toml"]],
  [["--env-file=shop.env"], ["bunfig.toml"]],
  [["--config=/duka/bunfig.toml"], [".env"]],
  [["-c=/duka/bunfig.toml", "--no-env-file"], []],
])("with %j, %j is refused", (flags, files) => {
  writeFiles(".env", "bunfig.toml");

  expect(refused({ flags })).toEqual(files);
});

test("the binary reads no file, and refuses BUN_OPTIONS", () => {
  writeFiles(".env", "bunfig.toml");

  expect(refused({ isBinary: true })).toEqual([]);
  expect(refused({ isBinary: true, variables: { BUN_OPTIONS: " " } })).toEqual([]);
  expect(refused({ isBinary: true, variables: { BUN_OPTIONS: "--preload ./a.ts" } })).toEqual([
    "BUN_OPTIONS",
  ]);
});
