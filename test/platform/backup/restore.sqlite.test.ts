// The databases of a shop are replaced together, at whatever step a crash stops it: these tests write
// by hand the files that a power cut would leave.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";

import {
  finishInterruptedSwap,
  finishSwap,
  noteSwap,
  shareDatabases,
} from "#platform/backup/swap.ts";

import { openScratchFolder, type ScratchFolder } from "../../support/scratch.ts";

const swap = { staged: "restore-1", aside: "before-restore-1", backup: "/backups/monday" };
const FILES = ["live.sqlite", "live.sqlite-wal", "test.sqlite", "test.sqlite-wal"];

let scratch: ScratchFolder;

beforeEach(() => {
  scratch = openScratchFolder();
  for (const name of FILES) writeFileSync(scratch.file(name), "old");
  mkdirSync(scratch.file("restore-1"));
  writeFileSync(scratch.file("restore-1/live.sqlite"), "new");
  writeFileSync(scratch.file("restore-1/test.sqlite"), "new");
});

afterEach(() => scratch[Symbol.dispose]());

function move(from: string, to: string): void {
  renameSync(scratch.file(from), scratch.file(to));
}

/** Every file below, with what is in it; `secret.key` and others are not among them. */
function whatIsThere(): Record<string, string> {
  const names = readdirSync(scratch.path, { recursive: true, encoding: "utf8" }).toSorted();
  const files = names.filter((name) => /\.sqlite|\.json/.test(name));
  return Object.fromEntries(files.map((name) => [name, readFileSync(scratch.file(name), "utf8")]));
}

const replaced = {
  "before-restore-1/live.sqlite": "old",
  "before-restore-1/live.sqlite-wal": "old",
  "before-restore-1/test.sqlite": "old",
  "before-restore-1/test.sqlite-wal": "old",
  "live.sqlite": "new",
  "test.sqlite": "new",
};

/** What a replacement does after its note, one name at a time. */
const steps: readonly (() => void)[] = [
  () => mkdirSync(scratch.file("before-restore-1")),
  () => move("live.sqlite-wal", "before-restore-1/live.sqlite-wal"),
  () => move("live.sqlite", "before-restore-1/live.sqlite"),
  () => move("restore-1/live.sqlite", "live.sqlite"),
  () => move("test.sqlite-wal", "before-restore-1/test.sqlite-wal"),
  () => move("test.sqlite", "before-restore-1/test.sqlite"),
  () => move("restore-1/test.sqlite", "test.sqlite"),
];

describe("a restore that was decided", () => {
  test.each(Array.from({ length: steps.length + 1 }, (_, done) => done))(
    "is finished from where %d of its steps were done",
    (done) => {
      noteSwap(scratch.path, swap);
      steps.slice(0, done).forEach((step) => step());

      const finished = finishSwap(scratch.path);

      expect(finished).toEqual(swap);
      expect(whatIsThere()).toEqual(replaced);
      expect(existsSync(scratch.file("restore-1"))).toBe(false);
    },
  );

  test("is finished once", () => {
    noteSwap(scratch.path, swap);
    finishSwap(scratch.path);

    expect(finishSwap(scratch.path)).toBeNull();
    expect(whatIsThere()).toEqual(replaced);
  });

  test("never writes over a database that was kept", () => {
    noteSwap(scratch.path, swap);
    mkdirSync(scratch.file("before-restore-1"));
    writeFileSync(scratch.file("before-restore-1/live.sqlite"), "older");

    expect(() => finishSwap(scratch.path)).toThrow("exists already");
    expect(readFileSync(scratch.file("before-restore-1/live.sqlite"), "utf8")).toBe("older");
    expect(readFileSync(scratch.file("live.sqlite"), "utf8")).toBe("old");
  });

  test("stays in its directory, whatever its note says", () => {
    noteSwap(scratch.path, { ...swap, aside: "../elsewhere/before-restore-1" });

    finishSwap(scratch.path);

    expect(whatIsThere()).toEqual(replaced);
  });
});

test("a start finishes a restore, but not beside a backup that still copies", () => {
  noteSwap(scratch.path, swap);
  const share = shareDatabases(scratch.path);
  expect(() => finishInterruptedSwap(scratch.path)).toThrow("A backup is copying");
  share[Symbol.dispose]();

  const finished = finishInterruptedSwap(scratch.path);

  expect(finished).toEqual(swap);
  expect(whatIsThere()).toEqual(replaced);
});

test("a restore that was not decided changes nothing", () => {
  const before = whatIsThere();

  const finished = finishSwap(scratch.path);

  expect(finished).toBeNull();
  expect(whatIsThere()).toEqual(before);
});
