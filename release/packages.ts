// What the programs are packed into: an archive for each target, and packages for npm, one with the launcher and one with
// the program of each machine. None runs a script when it is installed.

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { readLicenses } from "#platform/process/bundled-texts.ts";

import { root, run } from "./command.ts";
import type { Program, Target } from "./programs.ts";
import { secondsOf, type Source } from "./source.ts";
import { type Entry, gzip, type ReleaseFile, tarOf } from "./tar.ts";

const EXECUTABLE = 0o755;
/** The file that each shell looks for. */
const completions = { bash: "duka.bash", zsh: "_duka", fish: "duka.fish" } as const;
/** The machines that npm can tell apart; the baseline of x64 is none. */
const machines: Partial<Record<Target, { os: string[]; cpu: string[]; libc?: string[] }>> = {
  "linux-x64": { os: ["linux"], cpu: ["x64"], libc: ["glibc"] },
  "linux-arm64": { os: ["linux"], cpu: ["arm64"], libc: ["glibc"] },
  "linux-x64-musl": { os: ["linux"], cpu: ["x64"], libc: ["musl"] },
  "darwin-arm64": { os: ["darwin"], cpu: ["arm64"] },
  "darwin-x64": { os: ["darwin"], cpu: ["x64"] },
};

/** What is beside the program in each archive. */
export function readCompanions({ version }: Source): Entry[] {
  const compose = String(fileAt("release/compose.yaml")).replace("duka:VERSION", `duka:${version}`);
  return [
    { path: "LICENSE", bytes: fileAt("LICENSE") },
    { path: "NOTICES.txt", bytes: readLicenses() },
    { path: "CHANGELOG.md", bytes: fileAt("CHANGELOG.md") },
    { path: "compose.yaml", bytes: compose },
    { path: "duka.service", bytes: fileAt("src/platform/process/duka.service") },
    ...Object.entries(completions).map(([shell, name]) => ({
      path: `completions/${name}`,
      bytes: run([process.execPath, "src/main.ts", "completion", shell]),
    })),
  ];
}

/** The archive of a program, whose files are in one folder of its name. */
export function archiveOf(
  source: Source,
  program: Program,
  companions: readonly Entry[],
): ReleaseFile {
  const name = `duka-${source.version}-${program.target}`;
  return packed(source, [entryOf(program), ...companions], {
    folder: name,
    path: `${name}.tar.gz`,
  });
}

/** The package that people install: it names those of all machines. */
export function launcherPackage(source: Source): ReleaseFile {
  const programs = Object.keys(machines).map((target) => [`duka-${target}`, source.version]);
  const described = {
    type: "module",
    bin: { duka: "bin/duka.js" },
    engines: { node: ">=18" },
    optionalDependencies: Object.fromEntries(programs),
  };
  const launcher = { path: "bin/duka.js", bytes: fileAt("release/launcher.js"), mode: EXECUTABLE };
  const license = { path: "LICENSE", bytes: fileAt("LICENSE") };
  return packageOf(source, [launcher, license], { name: "duka", ...described });
}

/** The package of a program; none where npm cannot tell its machine. */
export function programPackage(
  source: Source,
  program: Program,
  companions: readonly Entry[],
): ReleaseFile[] {
  const machine = machines[program.target];
  if (machine === undefined) return [];
  const licenses = companions.filter(({ path }) => /^(?:LICENSE|NOTICES\.txt)$/.test(path));
  const described = { name: `duka-${program.target}`, ...machine };
  return [packageOf(source, [entryOf(program), ...licenses], described)];
}

function packageOf(
  source: Source,
  entries: readonly Entry[],
  { name, ...described }: { readonly name: string },
): ReleaseFile {
  const { version } = source;
  const about = { license: "MIT", description: "A commerce service in one executable file" };
  const description = JSON.stringify({ name, version, ...about, ...described }, null, 2);
  const all = [{ path: "package.json", bytes: `${description}\n` }, ...entries];
  return packed(source, all, { folder: "package", path: `npm/${name}-${version}.tgz` });
}

function packed(
  source: Source,
  entries: readonly Entry[],
  { folder, path }: { readonly folder: string; readonly path: string },
): ReleaseFile {
  const inside = entries.map((entry) => ({ ...entry, path: `${folder}/${entry.path}` }));
  return { path, bytes: gzip(tarOf(inside, secondsOf(source))) };
}

function entryOf({ file }: Program): Entry {
  return { path: "duka", bytes: readFileSync(file), mode: EXECUTABLE };
}

function fileAt(path: string): Buffer {
  return readFileSync(join(root, path));
}
