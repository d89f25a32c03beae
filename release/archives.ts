// The archive of a target: the program, and what who installs it needs beside it.

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { readLicenses } from "#platform/process/bundled-texts.ts";

import { root, run } from "./command.ts";
import type { Program } from "./programs.ts";
import { secondsOf, type Source } from "./source.ts";
import { type Entry, gzip, type ReleaseFile, tarOf } from "./tar.ts";

const PROGRAM_MODE = 0o755;
/** The file that each shell looks for. */
const completions = { bash: "duka.bash", zsh: "_duka", fish: "duka.fish" } as const;

/** What is beside the program in each archive. */
export function readCompanions(): Entry[] {
  return [
    { path: "LICENSE", bytes: fileAt("LICENSE") },
    { path: "NOTICES.txt", bytes: readLicenses() },
    { path: "CHANGELOG.md", bytes: fileAt("CHANGELOG.md") },
    { path: "duka.service", bytes: fileAt("src/platform/process/duka.service") },
    ...Object.entries(completions).map(([shell, name]) => ({
      path: `completions/${name}`,
      bytes: run([process.execPath, "src/main.ts", "completion", shell]),
    })),
  ];
}

/** The archive of a program, whose files are in one folder of its name. */
export function archiveOf(
  { version, ...source }: Source,
  { target, file }: Program,
  companions: readonly Entry[],
): ReleaseFile {
  const name = `duka-${version}-${target}`;
  const program = { path: "duka", bytes: readFileSync(file), mode: PROGRAM_MODE };
  const entries = [program, ...companions].map((entry) => ({
    ...entry,
    path: `${name}/${entry.path}`,
  }));
  return { path: `${name}.tar.gz`, bytes: gzip(tarOf(entries, secondsOf({ version, ...source }))) };
}

function fileAt(path: string): Buffer {
  return readFileSync(join(root, path));
}
