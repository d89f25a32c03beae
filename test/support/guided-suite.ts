// The test suites that the guide shows: its files in a folder, beside a `duka` to be found on the path, run by a
// runner of tests.

import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { suites } from "#sandbox/suite/suites.ts";

import { type Ended, program } from "./running-duka.ts";
import type { ScratchFolder } from "./scratch.ts";

const guide = readFileSync(join(import.meta.dir, "../../src/guides/testing.md"), "utf8");
/** A file of the guide: a block of code whose first line is a comment with its name. */
const FILE = /```(?:js|python|go)\n(?:\/\/|#) (\S+)\n([\s\S]*?)```/g;

/** Writes the files of a suite, as they are printed, and those below the heading of a runner. */
export function writeSuite(folder: ScratchFolder, heading: string): void {
  writeFileSync(folder.file("sandbox.mjs"), suites.js);
  writeFileSync(folder.file("sandbox.py"), suites.py);
  const [, own = ""] = guide.split(`\n### ${heading}\n`);
  const [section = ""] = own.split(/\n##+ /);
  for (const [, name = "", text = ""] of section.matchAll(FILE)) {
    writeFileSync(folder.file(name), text);
  }
  const command = program.map((word) => `"${word}"`).join(" ");
  writeFileSync(folder.file("duka"), `#!/bin/sh\nexec ${command} "$@"\n`);
  chmodSync(folder.file("duka"), 0o700);
}

/** Runs a runner in the folder to its end. */
export async function runSuite(
  folder: ScratchFolder,
  command: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Pick<Ended, "code"> & { readonly printed: string }> {
  const child = Bun.spawn([...command], {
    cwd: folder.path,
    env: {
      PATH: `${folder.path}:${process.env.PATH ?? ""}`,
      HOME: folder.path,
      NO_COLOR: "1",
      // Runners print less where a machine reads.
      CI: "1",
      ...variables,
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, printed: stdout + stderr };
}
