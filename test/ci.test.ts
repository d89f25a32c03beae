// The script that CI runs, with an npm that only says what it is told to.

import { expect, test } from "bun:test";
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { openScratchFolder } from "./support/scratch.ts";

const RUN = join(import.meta.dir, "../.ci/run");
/** What npm answers to the last word of its command: a line to run, in shell syntax. */
type Answers = Readonly<Record<string, string>>;
const PASSING = "printf ' 3000 pass\\n 0 fail\\n'";

/** The commands that the script would install where they are missing. */
function debianCommands(): string[] {
  const [, needed = ""] = /^for needed in (.+); do$/m.exec(readFileSync(RUN, "utf8")) ?? [];
  return needed.split(" ").map((one) => one.replace(/:.*/, ""));
}

/** Runs the script. Each command that is not named passes 3,000 tests. */
function runCi(answers: Answers, ...words: string[]): { code: number; lines: string[] } {
  using folder = openScratchFolder();
  const programs = folder.file("programs");
  const cases = Object.entries(answers).map(([name, answer]) => `${name}) ${answer} ;;`);
  mkdirSync(folder.file(".ci"));
  mkdirSync(programs);
  cpSync(RUN, folder.file(".ci/run"));
  const npm = `for word; do :; done; case $word in ${cases.join(" ")} install) ;; *) ${PASSING} ;; esac`;
  const installed = ["initdb", ...debianCommands()].map((name) => [name, ":"] as const);
  for (const [name, text] of [["npm", npm] as const, ...installed]) {
    writeFileSync(join(programs, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(programs, name), 0o755);
  }
  const { exitCode, stdout } = Bun.spawnSync(["bash", folder.file(".ci/run"), ...words], {
    env: { PATH: `${programs}:${process.env.PATH}` },
    stderr: "ignore",
  });
  return { code: exitCode, lines: stdout.toString().trimEnd().split("\n") };
}

test("a run ends with the time of each step and the number of tests", () => {
  const { code, lines } = runCi({});

  expect(code).toBe(0);
  expect(lines.slice(-11).map((line) => line.replace(/^ +\d+:\d\d/, "time"))).toEqual([
    "time  npm ci",
    "time  npm run tidy",
    "time  npm install && npm test",
    "time  npm run test:browser beside test:programs",
    "time  npm run test:models",
    "time  npm run test:faults",
    "time  npm run test:binary",
    "time  npm run test:tools",
    "time  npm run test:postgres",
    "time  sum, without Debian packages",
    "24000 passed, 0 failed",
  ]);
});

test("a step that fails ends the run, with the times until then", () => {
  const { code, lines } = runCi({ "test:models": "printf ' 5 pass\\n 2 fail\\n'; exit 1" });

  expect(code).toBe(1);
  expect(lines.at(-4)).toEndWith("npm run test:models");
  expect(lines.slice(-2)).toEqual(["Failed at: npm run test:models", "9005 passed, 2 failed"]);
});

test.each(["test:browser", "test:programs"])("%s fails the run beside the other", (failing) => {
  const { code, lines } = runCi({ [failing]: "printf ' 1 pass\\n 1 fail\\n'; exit 1" });

  expect(code).toBe(1);
  expect(lines.slice(-2)).toEqual([
    "Failed at: npm run test:browser beside test:programs",
    "6001 passed, 1 failed",
  ]);
});

test("the logs of two steps at the same time are not mixed", () => {
  const { lines } = runCi({
    "test:browser": "echo browser; sleep 0.2; echo browser; echo ' 1 pass'",
    "test:programs": "sleep 0.1; echo program; sleep 0.2; echo program; echo ' 1 pass'",
  });

  expect(lines.filter((line) => /^(?:browser|program)$/.test(line))).toEqual([
    "program",
    "program",
    "browser",
    "browser",
  ]);
});

test("a step without a test fails the run", () => {
  const { code, lines } = runCi({ "test:binary": "echo nothing" });

  expect(code).toBe(1);
  expect(lines.at(-2)).toBe("Failed at: npm run test:binary");
});

test("a selection that has lost its tests fails the run", () => {
  const { code, lines } = runCi({ "test:postgres": "printf ' 2799 pass\\n'" });

  expect(code).toBe(1);
  expect(lines).toContain("2799 tests passed, of at least 2800.");
});

test("tests that failed without an exit code fail the run", () => {
  const { code, lines } = runCi({ "test:tools": "printf ' 3 pass\\n 1 fail\\n'" });

  expect(code).toBe(1);
  expect(lines.at(-2)).toBe("Failed at: count of tests");
});

test("the whole runs every test on PostgreSQL and every hostile value", () => {
  const { code, lines } = runCi({}, "all");

  expect(code).toBe(0);
  expect(lines.slice(-5, -2).map((line) => line.slice(9))).toEqual([
    "npm run test:hostile",
    "npm run test:postgres:all",
    "npm run test:rolling",
  ]);
});
