// The files of an archive, one after the other, of which no more than a page of rows or one picture is in memory.

import { type FileHandle, open } from "node:fs/promises";

import { findMedia } from "#catalog/media/lookups.ts";
import { fileName } from "#catalog/rows/image.ts";
import { nextTurn, realClock, toIso } from "#kernel/time.ts";
import { eventWire } from "#messaging/events/schema.ts";
import { bytesOf, type FileStore } from "#platform/files/file-store.ts";
import { version } from "#platform/process/version.ts";
import { getStore } from "#shop/store/lookups.ts";

import {
  type ArchiveManifest,
  FORMAT,
  type ListedFile,
  MANIFEST,
  MEDIA_FILES,
  MEDIA_FOLDER,
  type MediaFileLine,
  pathOf,
} from "./manifest.ts";
import { maskEvents, type MaskLine, maskRows } from "./mask.ts";
import { type Lines, type Moment, readEventLines, readLines, routeOf } from "./read-lines.ts";
import { EVENTS, resources } from "./resources.ts";

const OWNER_ONLY_FILE = 0o600;
const MEDIA_AT_ONCE = 100;

/** The source of an archive. */
export interface Taking extends Moment {
  /** The files of media; null where there is no place for any. */
  readonly media: FileStore | null;
  readonly isMasked: boolean;
  readonly signal: AbortSignal;
  /** Called before each resource. */
  readonly onStep: (resource: string) => void;
  /** The path at which a file of lines is written before it is handed over. */
  readonly pathFor: (name: string) => string;
}

/** A file that is ready: its bytes, or those at a path. */
export interface ArchiveFile {
  readonly name: string;
  readonly bytes: number;
  readonly content: Uint8Array | string;
  /** The content of the last file. */
  readonly manifest?: ArchiveManifest;
}

/** Yields every file, the manifest last. */
export async function* archiveFiles(taking: Taking): AsyncGenerator<ArchiveFile> {
  const takenAt = realClock.now();
  const { id: storeId } = await getStore(taking.db);
  const files: ListedFile[] = [];
  for (const { name, lines } of listsOf(taking)) {
    taking.onStep(name);
    const file = await writeLines(taking, name, lines);
    yield asReady(taking, file);
    files.push(file);
  }
  taking.onStep(MEDIA_FOLDER);
  const { file, missing } = yield* mediaFiles(taking);
  yield asReady(taking, file);
  const manifest: ArchiveManifest = {
    format: FORMAT,
    duka_version: version,
    mode: taking.mode,
    store_id: storeId,
    taken_at: toIso(takenAt),
    masked: taking.isMasked,
    files: [...files, file],
    missing_media_files: missing,
    left_out: resources.filter((one) => isLeftOut(taking, one)).map(({ name }) => name),
  };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  yield { ...inMemory(MANIFEST, Buffer.from(text)), manifest };
}

interface List {
  readonly name: string;
  readonly lines: Lines;
}

function* listsOf(taking: Taking): Generator<List> {
  for (const resource of resources) {
    if (isLeftOut(taking, resource)) continue;
    const { name, operationId, lineOf } = resource;
    const lines = readLines(taking, resource);
    // Lines of their own have ids alone.
    const isMasked = taking.isMasked && lineOf === undefined;
    yield {
      name,
      lines: isMasked ? masked(lines, maskRows(routeOf(operationId).response)) : lines,
    };
  }
  const events = readEventLines(taking);
  yield {
    name: EVENTS,
    lines: taking.isMasked ? masked(events, maskEvents(eventWire.schema)) : events,
  };
}

function isLeftOut(
  { isMasked }: Taking,
  { isLeftOutMasked }: { readonly isLeftOutMasked?: true },
): boolean {
  return isMasked && isLeftOutMasked === true;
}

async function* masked(pages: Lines, mask: MaskLine): Lines {
  for await (const lines of pages) yield lines.map(mask);
}

/** Yields the files of all media, then the list of them is written. Those that are missing are counted. */
async function* mediaFiles(
  taking: Taking,
): AsyncGenerator<ArchiveFile, { readonly file: ListedFile; readonly missing: number }> {
  await using list = await LineFile.create(taking, MEDIA_FILES);
  let missing = 0;
  for (let after: string | null = null, hasMore = true; hasMore;) {
    await nextTurn();
    const page: Awaited<ReturnType<typeof findMedia>> = await findMedia(taking.db, {
      limit: MEDIA_AT_ONCE,
      after,
    });
    for (const { id, files } of page.rows) {
      for (const { width } of files) {
        const found = await mediaFile(taking, fileName(id, width));
        if (found === null) missing += 1;
        else {
          yield found.file;
          const line: MediaFileLine = { media_id: id, ...found.sum };
          await list.write([JSON.stringify(line)]);
        }
      }
    }
    ({ hasMore } = page);
    after = page.rows.at(-1)?.id ?? null;
  }
  return { file: await list.end(), missing };
}

/** Null if it is not there: a medium may be deleted after the moment of the archive. */
async function mediaFile({ media, signal }: Taking, name: string) {
  signal.throwIfAborted();
  const found = (await media?.open(name, { signal })) ?? null;
  if (found === null) return null;
  const content = await bytesOf(found);
  const path = `${MEDIA_FOLDER}/${name}`;
  const sha256 = new Bun.CryptoHasher("sha256").update(content).digest("hex");
  return { file: inMemory(path, content), sum: { path, bytes: content.length, sha256 } };
}

async function writeLines(taking: Taking, name: string, pages: Lines): Promise<ListedFile> {
  await using file = await LineFile.create(taking, name);
  for await (const lines of pages) {
    taking.signal.throwIfAborted();
    await file.write(lines);
  }
  return await file.end();
}

/** A file of lines that is being written, with what the manifest says of it. */
class LineFile implements AsyncDisposable {
  readonly #resource: string;
  readonly #file: FileHandle;
  readonly #hash = new Bun.CryptoHasher("sha256");
  #count = 0;
  #bytes = 0;

  private constructor(resource: string, file: FileHandle) {
    this.#resource = resource;
    this.#file = file;
  }

  static async create({ pathFor }: Taking, resource: string): Promise<LineFile> {
    return new LineFile(resource, await open(pathFor(pathOf(resource)), "wx", OWNER_ONLY_FILE));
  }

  async write(lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    const bytes = Buffer.from(`${lines.join("\n")}\n`);
    await this.#file.writeFile(bytes);
    this.#hash.update(bytes);
    this.#count += lines.length;
    this.#bytes += bytes.length;
  }

  /** Afterwards the file is whole and on the disk. */
  async end(): Promise<ListedFile> {
    await this.#file.sync();
    return {
      resource: this.#resource,
      path: pathOf(this.#resource),
      count: this.#count,
      bytes: this.#bytes,
      sha256: this.#hash.digest("hex"),
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#file.close();
  }
}

function asReady({ pathFor }: Taking, { path, bytes }: ListedFile): ArchiveFile {
  return { name: path, bytes, content: pathFor(path) };
}

function inMemory(name: string, content: Uint8Array): ArchiveFile {
  return { name, bytes: content.length, content };
}
