// Copies of backups in a bucket: `duka-TIME/` has both databases, the names of its pictures and, last of all, the manifest.
// The pictures are there once for all copies. Invariant: what has no manifest is no copy.

import { rmSync } from "node:fs";
import { basename, join } from "node:path";

import { Refusal } from "#kernel/refusal.ts";
import { SECOND_MS } from "#kernel/time.ts";
import type { Mode } from "#platform/database/shop.ts";
import { writeFileDurably } from "#platform/files/durable-file.ts";
import {
  bytesOf,
  type OpenFile,
  openFolderStore,
  type S3Bucket,
  type StoredFile,
} from "#platform/files/file-store.ts";
import { bucketLabel } from "#platform/files/s3-call.ts";
import { openS3Store, type S3Store } from "#platform/files/s3-store.ts";

import { NAME, type StoredBackup } from "./backup-folder.ts";
import type { TakenBackup } from "./backup.ts";
import {
  asWriteFault,
  backedUpModes,
  BackupFault,
  makeFolder,
  MEDIA_FOLDER,
  mediaOf,
  writeDurably,
} from "./files.ts";
import {
  type BackupManifest,
  MANIFEST_FILE,
  manifestIn,
  packedFile,
  renderManifest,
} from "./manifest.ts";
import { Flushed, type PackingTerms } from "./packing.ts";
import { type BackupWork, beginStep } from "./work.ts";

/** The bucket of the copies, and how their keys begin. */
export interface CopyPlace {
  readonly bucket: S3Bucket;
  /** Up to a final slash; empty for the whole bucket. */
  readonly prefix: string;
}

/** Stands before the name of a copy, in place of its folder. */
export const COPY_SCHEME = "s3:";
/** All names of backups begin with it; the keys of pictures do not. */
const BEGIN = "duka-";
const CONTENT = "application/octet-stream";
/** A longer one is no manifest, which has some lines for each table. */
const MANIFEST_BYTES_MAX = 1_048_576;
/** The names of the pictures: a line each, such as `live/00/med_a-300.webp`. */
const MEDIA_LIST = "media.txt";
const MEDIA_LINE = /^(live|test)\/(\w+\/\w[\w.-]*)$/;
const AT_ONCE = 8;
const DOWNLOAD_TRIES = 3;
const PAUSE_MS = SECOND_MS;

/** The files of a copy; its manifest first, as they are deleted. */
export const OWN_FILES: readonly string[] = [
  MANIFEST_FILE,
  MEDIA_LIST,
  ...backedUpModes.map(packedFile),
];

/** The copies of a bucket, and the pictures of all of them. */
export interface CopyStore {
  /** For people. */
  readonly label: string;
  readonly copies: S3Store;
  readonly media: Readonly<Record<Mode, S3Store>>;
}

/** Opens the bucket; nothing is called yet. */
export function openCopies({ bucket, prefix }: CopyPlace): CopyStore {
  const below = (folder: string) =>
    openS3Store(bucket, { prefix: async () => `${prefix}${folder}`, type: CONTENT });
  return {
    label: bucketLabel(bucket),
    copies: below(BEGIN),
    media: { live: below("media/live/"), test: below("media/test/") },
  };
}

/** The complete copies, newest first. */
export function listCopies(store: CopyStore): Promise<StoredBackup[]> {
  return reaching(async () => copiesIn(store, await groupsIn(store)));
}

/** The manifest of a copy. Throws BackupFault if there is none, or if it was changed. */
export function readCopy(store: CopyStore, name: string): Promise<BackupManifest> {
  return reaching(async () => {
    const found = await store.copies.open(keyOf(name, MANIFEST_FILE));
    if (found === null) throw new BackupFault(`There is no backup ${name} in ${store.label}.`);
    if (found.bytes > MANIFEST_BYTES_MAX) {
      if (!(found.content instanceof Blob)) found.content.end();
      throw new BackupFault(`The manifest of the backup ${name} is damaged.`);
    }
    return manifestIn(new TextDecoder().decode(await bytesOf(found)), `${COPY_SCHEME}${name}`);
  });
}

/** Afterwards the bucket has the backup. What it has of it already is written anew, but for the pictures. */
export function uploadCopy(
  store: CopyStore,
  { path, manifest }: Pick<TakenBackup, "path" | "manifest">,
  work: BackupWork,
): Promise<void> {
  const name = basename(path);
  const { signal } = work;
  const put = (file: string) => store.copies.putFile(keyOf(name, file), join(path, file), signal);
  return reaching(async () => {
    const media = { live: await filesOf(path, "live"), test: await filesOf(path, "test") };
    const lines = backedUpModes.flatMap((mode) =>
      media[mode].map((file) => `${mode}/${file.name}\n`),
    );
    // First: what it names is deleted by none who deletes older copies meanwhile.
    await store.copies.put(keyOf(name, MEDIA_LIST), new TextEncoder().encode(lines.join("")));
    for (const mode of backedUpModes) {
      const folder = mediaOf(path, mode);
      await uploadMedia(store.media[mode], { folder, files: media[mode] }, signal);
      beginStep(work, { mode, step: "uploading", ofBytes: manifest.databases[mode].packedBytes });
      await put(packedFile(mode));
    }
    await put(MANIFEST_FILE);
  });
}

/** Downloads the copy into the folder, which is made anew. A verification proves its bytes. */
export function downloadCopy(
  store: CopyStore,
  { name, manifest }: { readonly name: string; readonly manifest: BackupManifest },
  { folder, ...work }: BackupWork & { readonly folder: string },
): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  makeFolder(folder);
  return reaching(async () => {
    for (const mode of backedUpModes) {
      const { packedBytes } = manifest.databases[mode];
      const step = beginStep(work, { mode, step: "downloading", ofBytes: packedBytes });
      const file = packedFile(mode);
      const from = { store: store.copies, name: keyOf(name, file), bytes: packedBytes };
      await download(from, join(folder, file), step);
    }
    const names = await mediaIn(store, name);
    await inSlices(names ?? [], work.signal, async (line) => {
      const [, mode, file] = MEDIA_LINE.exec(line) ?? [];
      if (file === undefined) return;
      const found = await store.media[mode === "live" ? "live" : "test"].open(file);
      // The database tells which pictures it misses.
      if (found === null) return;
      await writeFileDurably(join(folder, MEDIA_FOLDER, line), await bytesOf(found));
    });
    writeDurably(join(folder, MANIFEST_FILE), renderManifest(manifest));
  }).catch((error: unknown) => {
    throw asWriteFault(error, folder);
  });
}

/** The files of each copy, also of those that are not complete. */
export type Groups = Map<string, Map<string, StoredFile>>;

/** Lists the files of this program. */
export async function groupsIn({ copies }: CopyStore): Promise<Groups> {
  const groups: Groups = new Map();
  for await (const file of copies.list()) {
    const [stamp = "", own = ""] = file.name.split("/");
    const name = `${BEGIN}${stamp}`;
    if (!NAME.test(name) || !OWN_FILES.includes(own)) continue;
    groups.set(name, (groups.get(name) ?? new Map()).set(own, file));
  }
  return groups;
}

/** Reads the manifests of those that are complete; newest first. */
export async function copiesIn(store: CopyStore, groups: Groups): Promise<StoredBackup[]> {
  const found: StoredBackup[] = [];
  for (const [name, files] of groups) {
    if (!files.has(MANIFEST_FILE)) continue;
    const manifest = await readCopy(store, name).catch((error: unknown) => {
      if (error instanceof BackupFault && !(error.cause instanceof Refusal)) return error;
      throw error;
    });
    const bytes = [...files.values()].reduce((sum, file) => sum + file.bytes, 0);
    found.push({ path: `${COPY_SCHEME}${name}`, bytes, manifest });
  }
  return found.toSorted((one, other) => (one.path < other.path ? 1 : -1));
}

/** The names of its pictures; null for a copy whose list is gone. */
export async function mediaIn({ copies }: CopyStore, name: string): Promise<string[] | null> {
  const found = await copies.open(keyOf(name, MEDIA_LIST));
  return found === null ? null : new TextDecoder().decode(await bytesOf(found)).split("\n");
}

function filesOf(path: string, mode: Mode): Promise<StoredFile[]> {
  return Array.fromAsync(openFolderStore(mediaOf(path, mode)).list());
}

/** A name stands for one content, so what is there is not uploaded again. */
async function uploadMedia(
  store: S3Store,
  { folder, files }: { readonly folder: string; readonly files: readonly StoredFile[] },
  signal: AbortSignal,
): Promise<void> {
  if (files.length === 0) return;
  const there = new Map<string, number>();
  for await (const { name, bytes } of store.list()) there.set(name, bytes);
  const missing = files.filter(({ name, bytes }) => there.get(name) !== bytes);
  await inSlices(missing, signal, ({ name }) => store.putFile(name, join(folder, name), signal));
}

interface Wanted {
  readonly store: S3Store;
  readonly name: string;
  readonly bytes: number;
}

/** Downloads the file; after a break it goes on from there, as long as it comes any further. */
async function download(
  { store, name, bytes }: Wanted,
  to: string,
  { signal, onBytes }: PackingTerms,
): Promise<void> {
  await using file = await Flushed.create(to);
  for (let tries = 1; file.measure.bytes < bytes; tries += 1) {
    const first = file.measure.bytes;
    try {
      const found = await store.open(name, { range: { first, last: bytes - 1 }, signal });
      if (found === null) throw new BackupFault(`The backup is damaged: ${name} is missing.`);
      for await (const part of partsOf(found)) {
        await file.write(part);
        onBytes(file.measure.bytes);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (file.measure.bytes > first) tries = 0;
      if (!(error instanceof Refusal) || tries === DOWNLOAD_TRIES) throw error;
      await Bun.sleep(PAUSE_MS);
    }
  }
  await file.flush();
}

async function* partsOf({ content }: OpenFile): AsyncGenerator<Uint8Array> {
  if (content instanceof Blob) return yield content.bytes();
  for (let part = await content.next(); part !== null; part = await content.next()) yield part;
}

async function inSlices<T>(
  all: readonly T[],
  signal: AbortSignal,
  work: (one: T) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < all.length; from += AT_ONCE) {
    signal.throwIfAborted();
    await Promise.all(all.slice(from, from + AT_ONCE).map(work));
  }
}

/** The name of a file of the copy in the store, whose keys all begin as those of copies do. */
export function keyOf(name: string, file: string): string {
  return `${name.slice(BEGIN.length)}/${file}`;
}

/** Throws a BackupFault with the answer of a bucket that refuses. */
export async function reaching<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || !(error.cause instanceof Error)) throw error;
    throw new BackupFault(`Cannot use ${error.cause.message.replace(/\.$/, "")}.`, {
      cause: error,
    });
  }
}
