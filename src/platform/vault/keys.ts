// The keys of a vault and the files they are in. Invariant: a key that may still be needed is on the
// disk before anything is sealed with the next one, so that a crash at any moment loses nothing.

import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

import { randomBytes } from "#kernel/random.ts";

export const KEY_FILE = "secret.key";
/** The signing keys of former keys: they prove older backups, and decrypt nothing. */
const RETIRED_FILE = "secret.key.retired";
const KEY_BYTES = 32;

/** A file holds something else than keys. */
export class UnusableKeyFile extends Error {
  constructor(path: string) {
    super(`${path} must contain a key of 32 bytes in base64.`);
    this.name = "UnusableKeyFile";
  }
}

/** The first key seals. The others are of a rotation that has not finished: they only open. */
export type Keys = readonly [Uint8Array, ...Uint8Array[]];

/** Reads keys of 32 bytes in base64, one per line or separated by commas; null if one is not. */
export function parseKeys(text: string): Keys | null {
  const [first, ...others] = text
    .trim()
    .split(/\s*[,\n]\s*/)
    .map(parseKey);
  if (first === undefined || first === null) return null;
  const former = others.filter((key) => key !== null);
  return former.length === others.length ? [first, ...former] : null;
}

function parseKey(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, "base64");
  return bytes.length === KEY_BYTES && bytes.toString("base64") === text ? bytes : null;
}

/** The keys in the file of a data directory, which is created (mode 0600) if it is missing. */
export function keysOf(directory: string): Keys {
  const path = join(directory, KEY_FILE);
  return readKeyFile(path) ?? makeKey(directory);
}

/** The keys in a file; null if there is none. */
export function readKeyFile(path: string): Keys | null {
  const text = readText(path);
  return text === null ? null : keysIn(text, path);
}

/** The keys in the text of a file. Throws UnusableKeyFile, which names its path. */
export function keysIn(text: string, path: string): Keys {
  const keys = parseKeys(text);
  if (keys === null) throw new UnusableKeyFile(path);
  return keys;
}

/**
 * Puts a new key before the present one. Where a rotation has not finished, its keys stay as they
 * are: each of them may have sealed something.
 */
export function beginRotation(directory: string): Keys {
  const present = keysOf(directory);
  if (present.length > 1) return present;
  const keys: Keys = [randomBytes(KEY_BYTES), ...present];
  replaceDurably(directory, KEY_FILE, keys);
  return keys;
}

/** Keeps the first key alone. The caller has sealed everything with it. */
export function finishRotation(directory: string): void {
  const [key] = keysOf(directory);
  replaceDurably(directory, KEY_FILE, [key]);
}

/** The signing keys that rotations retired, newest first. */
export function retiredKeys(directory: string): readonly Uint8Array[] {
  const text = readText(join(directory, RETIRED_FILE));
  return text === null ? [] : (parseKeys(text) ?? []);
}

/** Adds signing keys to the retired ones. */
export function retireKeys(directory: string, retired: readonly Uint8Array[]): void {
  const known = retiredKeys(directory);
  const added = retired.filter((key) => !known.some((one) => Buffer.from(one).equals(key)));
  if (added.length > 0) replaceDurably(directory, RETIRED_FILE, [...added, ...known]);
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** Links the file into place, so that of two programs that begin at once the first one's key holds. */
function makeKey(directory: string): Keys {
  const keys: Keys = [randomBytes(KEY_BYTES)];
  const draft = writeDraft(directory, KEY_FILE, keys);
  linkSync(draft, join(directory, KEY_FILE));
  rmSync(draft);
  syncEntries(directory);
  return keys;
}

function replaceDurably(directory: string, name: string, keys: readonly Uint8Array[]): void {
  renameSync(writeDraft(directory, name, keys), join(directory, name));
  syncEntries(directory);
}

/**
 * Complete and synced before it gets its name: a key cut short by a crash would make everything
 * sealed with it unreadable.
 */
function writeDraft(directory: string, name: string, keys: readonly Uint8Array[]): string {
  const draft = join(directory, `${name}.new`);
  rmSync(draft, { force: true });
  const file = openSync(draft, "wx", 0o600);
  writeSync(file, keys.map((key) => `${Buffer.from(key).toString("base64")}\n`).join(""));
  fsyncSync(file);
  closeSync(file);
  return draft;
}

function syncEntries(directory: string): void {
  const folder = openSync(directory, "r");
  fsyncSync(folder);
  closeSync(folder);
}
