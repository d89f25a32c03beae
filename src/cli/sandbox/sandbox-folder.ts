// The directory of a sandbox: a data directory with a folder of its own for what the sandbox remembers and for its
// snapshots. Invariant: a directory of another shop never becomes one of a sandbox.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { member, textMember } from "#cli/operator/members.ts";
import { UsageFault } from "#cli/operator/settings.ts";
import { realClock } from "#kernel/time.ts";
import { type ScenarioName, scenarioNames } from "#sandbox/scenarios/scenario-list.ts";

import { type Seed, seeds } from "./sandbox-options.ts";

const PREFIX = "duka-sandbox-";
const FOLDER = "sandbox";
const FACTS_FILE = "sandbox.json";
const OWNER_MODE = 0o700;
const FILE_MODE = 0o600;
/** A directory that no program serves is one that was killed, or one that starts: that takes less. */
const STARTING_MS_MAX = 60_000;

/** The memory of a sandbox about itself. */
export interface SandboxMemory {
  readonly key: string;
  readonly publishableKey: string;
  readonly seed: Seed;
  readonly scenario: ScenarioName | null;
  /** The address of its server, which stands in rows of the shop. */
  readonly url: string;
}

export interface SandboxFolder {
  /** The data directory, an absolute path. */
  readonly directory: string;
  /** The memory that an earlier run left; null for a new sandbox. */
  readonly memory: SandboxMemory | null;
}

/** The place of a sandbox. */
interface Place {
  /** The directory that is kept; null for a temporary one. */
  readonly keep: string | null;
  /** The directory that was opened for it already; null to open one. */
  readonly into?: string | null;
}

/** A new temporary directory, or the one that is kept. Throws UsageFault for the directory of another shop. */
export function openSandboxFolder({ keep, into = null }: Place): SandboxFolder {
  if (into !== null) return { directory: into, memory: readMemory(into) };
  if (keep === null) {
    return { directory: mkdtempSync(join(tmpdir(), PREFIX)), memory: null };
  }
  const directory = resolve(keep);
  const memory = readMemory(directory);
  const isUsed = existsSync(directory) && readdirSync(directory).length > 0;
  if (memory === null && isUsed) {
    throw new UsageFault(
      `${directory} is not empty and is no sandbox: name another directory with --keep.`,
    );
  }
  mkdirSync(directory, { recursive: true, mode: OWNER_MODE });
  return { directory, memory };
}

/** Afterwards the directory is one of a sandbox. */
export function remember(directory: string, memory: SandboxMemory): void {
  mkdirSync(join(directory, FOLDER), { recursive: true, mode: OWNER_MODE });
  writeFileSync(factsFile(directory), JSON.stringify(memory), { mode: FILE_MODE });
}

/** The log of a detached sandbox, in its directory. */
export function logFileOf(directory: string): string {
  mkdirSync(join(directory, FOLDER), { recursive: true, mode: OWNER_MODE });
  return join(directory, FOLDER, "sandbox.log");
}

/** The folder of the snapshots of a sandbox. */
export function snapshotsOf(directory: string): string {
  return join(directory, FOLDER, "snapshots");
}

/** The directories of this user that may belong to sandboxes: the kept one of this folder, and temporary ones. */
export function sandboxDirectories(): string[] {
  const temporary = readdirSync(tmpdir())
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => join(tmpdir(), name))
    .filter(isOwn);
  return [resolve("duka-sandbox"), ...temporary].filter((path) => existsSync(factsFile(path)));
}

/** Deletes temporary directories of this user whose sandbox was killed. */
export function removeLeftOver(): void {
  const before = realClock.now() - STARTING_MS_MAX;
  for (const name of readdirSync(tmpdir())) {
    const path = join(tmpdir(), name);
    if (!name.startsWith(PREFIX) || !isOwn(path) || isServed(path)) continue;
    // Another sandbox may delete the same one at this moment.
    const madeAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (madeAt < before) rmSync(path, { recursive: true, force: true });
  }
}

function isOwn(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.();
}

/** Returns true if the program that serves the directory is alive. */
function isServed(directory: string): boolean {
  try {
    return isRunning(readFileSync(join(directory, "duka.pid"), "utf8"));
  } catch {
    // No note of a program.
    return false;
  }
}

/** Returns true if this user has a program with the id, which is the number that the text begins with. */
export function isRunning(text: string): boolean {
  try {
    process.kill(Number.parseInt(text, 10), 0);
    return true;
  } catch {
    return false;
  }
}

function readMemory(directory: string): SandboxMemory | null {
  const file = factsFile(directory);
  if (!existsSync(file)) return null;
  const written: unknown = JSON.parse(readFileSync(file, "utf8"));
  const seed = seeds.find((known) => known === member(written, "seed"));
  const scenario = scenarioNames.find((known) => known === member(written, "scenario")) ?? null;
  if (seed === undefined) throw new TypeError(`${file} is damaged.`);
  const keys = {
    key: textMember(written, "key"),
    publishableKey: textMember(written, "publishableKey"),
  };
  return { ...keys, seed, scenario, url: textMember(written, "url") };
}

function factsFile(directory: string): string {
  return join(directory, FOLDER, FACTS_FILE);
}
