// Compares the files of an archive with its manifest, without a shop.

import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";

import { isObject } from "#kernel/assume.ts";
import { BackupFault } from "#platform/backup/files.ts";
import { findGiven } from "#platform/process/given-file.ts";

import { FORMAT, MANIFEST, MEDIA_FILES, pathOf } from "./manifest.ts";
import { readTar, type TarEntry } from "./tar.ts";

const NEWLINE = 10;

/** A file as it was found. */
interface Found {
  readonly bytes: number;
  readonly sha256: string;
  readonly count: number;
}

/** An archive that was read. */
export interface VerifiedArchive {
  readonly takenAt: string;
  /** How many files agree. */
  readonly files: number;
  /** A sentence for each that does not, and for each that no list names; their names may have any characters. */
  readonly faults: readonly string[];
}

/**
 * Reads the whole archive, of which a packed one may come from a pipe, and compares sizes, hashes and counts. Throws BackupFault where there is none that is
 * whole, or one of a format that this version does not know.
 */
export async function verifyArchive(path: string): Promise<VerifiedArchive> {
  const given = findGiven(path);
  const found = new Map<string, Found>();
  const texts = new Map<string, string>();
  const twice: string[] = [];
  try {
    for await (const { name, parts } of given.kind === "folder"
      ? entriesOfFolder(path)
      : entriesOfTar(given.path)) {
      if (found.has(name)) twice.push(`${name} is in the archive twice.`);
      const isKept = name === MANIFEST || name === pathOf(MEDIA_FILES);
      const read = await readEntry(parts, isKept);
      found.set(name, read.found);
      if (isKept) texts.set(name, read.text);
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new BackupFault(`${path} cannot be read: ${error.message}`, { cause: error });
  }
  const manifest = manifestIn(path, texts.get(MANIFEST));
  const media = (texts.get(pathOf(MEDIA_FILES)) ?? "").split("\n").filter((line) => line !== "");
  const promised = [...manifest.files, ...media.map(parsed)];
  const differing = promised.flatMap((one) => faultsOf(one, found));
  const named = new Set([MANIFEST, ...promised.map(pathIn)]);
  const added = [...found.keys()]
    .filter((name) => !named.has(name))
    .map((name) => `${name} is in no list of the archive.`);
  return {
    takenAt: manifest.takenAt,
    files: promised.length - differing.length,
    faults: [...differing, ...twice, ...added],
  };
}

function pathIn(promised: unknown): string {
  return isObject(promised) ? String(promised["path"]) : "";
}

/** Returns true if a program that writes a file of this path below a folder writes it there. */
function staysInside(path: string): boolean {
  return !path.startsWith("/") && !/(?:^|[/\\])\.\.(?:[/\\]|$)/.test(path);
}

/** The value of a text; undefined where it is no JSON, since its bytes were damaged. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function manifestIn(path: string, text: string | undefined) {
  if (text === undefined) {
    throw new BackupFault(
      `${path} has no ${MANIFEST}: its export was stopped, or it is no archive.`,
    );
  }
  const manifest = parsed(text);
  if (!isObject(manifest)) throw new BackupFault(`${MANIFEST} in ${path} is damaged.`);
  if (manifest["format"] !== FORMAT || !Array.isArray(manifest["files"])) {
    throw new BackupFault(`${path} has a format that this version of Duka does not know.`);
  }
  const files: readonly unknown[] = manifest["files"];
  return { files, takenAt: String(manifest["taken_at"]) };
}

/** At most one for each file. */
function faultsOf(promised: unknown, found: ReadonlyMap<string, Found>): string[] {
  if (!isObject(promised)) return [`A line of ${MANIFEST} or ${pathOf(MEDIA_FILES)} is damaged.`];
  const path = pathIn(promised);
  if (!staysInside(path)) return [`${path} leads out of the archive.`];
  const is = found.get(path);
  if (is === undefined) return [`${path} is missing.`];
  const { bytes, sha256, count = is.count } = promised;
  if (is.bytes !== bytes || is.sha256 !== sha256) return [`${path} has other bytes.`];
  return is.count === count ? [] : [`${path} has ${is.count} lines, not ${String(count)}.`];
}

async function readEntry(parts: AsyncIterable<Uint8Array>, isKept: boolean) {
  const hash = new Bun.CryptoHasher("sha256");
  const kept: Uint8Array[] = [];
  let [bytes, count] = [0, 0];
  for await (const part of parts) {
    hash.update(part);
    bytes += part.length;
    for (let at = part.indexOf(NEWLINE); at !== -1; at = part.indexOf(NEWLINE, at + 1)) count += 1;
    if (isKept) kept.push(part);
  }
  const text = Buffer.concat(kept).toString("utf8");
  return { found: { bytes, count, sha256: hash.digest("hex") }, text };
}

function entriesOfTar(path: string): AsyncGenerator<TarEntry> {
  const [file, gunzip] = [createReadStream(path), createGunzip()];
  file.on("error", (error) => gunzip.destroy(error));
  return readTar(file.pipe(gunzip));
}

async function* entriesOfFolder(folder: string): AsyncGenerator<TarEntry> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (entry.isDirectory()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(join(folder, "/").length);
    // An entry that is no file, such as a link, has no bytes of its own.
    yield { name, parts: entry.isFile() ? createReadStream(path) : Readable.from([]) };
  }
}
