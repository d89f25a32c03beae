// Files that are named on the command line. A plain file is read where it is; a pipe, a FIFO or stdin (`-`) has an end that
// nothing tells beforehand, and can be read once. Invariant: what is read of them is bounded, and a text is kept for those who read it again.

import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const STDIN = "/dev/stdin";
const CHUNK_BYTES = 1_048_576;
/** A pipe that does not block may be empty: it is tried again this soon. */
const PAUSE_MS = 2;
/** A file of texts, such as settings, is smaller by far. */
const TEXT_BYTES_MAX = 1_048_576;
/** A table of a million rows; the disk of temporary files has more room. */
const FILE_BYTES_MAX = 268_435_456;

/** A path of the command line that cannot be read. */
export class UnreadablePath extends Error {
  constructor(detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.name = "UnreadablePath";
  }
}

/** The end of a path of the command line. */
export interface Given {
  readonly path: string;
  /** A stream ends some time, and can be read once. */
  readonly kind: "file" | "folder" | "stream";
}

/** Throws UnreadablePath where there is nothing. `-` is stdin. */
export function findGiven(named: string): Given {
  const path = named === "-" ? STDIN : named;
  const found = statOf(path, named);
  if (found.isDirectory()) return { path, kind: "folder" };
  return { path, kind: found.isFile() ? "file" : "stream" };
}

function statOf(path: string, named: string): Stats {
  try {
    return statSync(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code !== "ENOENT" && code !== "ENOTDIR" && code !== "ELOOP") throw error;
    throw new UnreadablePath(`There is no file ${named}.`, { cause: error });
  }
}

/** Texts of streams, for those who read them again. */
const texts = new Map<string, string>();

/** The text of the file. Throws UnreadablePath for a folder, and for a stream that does not end. */
export function readGivenText(named: string): string {
  const { path, kind } = findGiven(named);
  requireFile(named, kind);
  if (kind === "file") return readFileSync(path, "utf8");
  const known = texts.get(path);
  if (known !== undefined) return known;
  const parts = [...chunksOf(path, { named, bytesMax: TEXT_BYTES_MAX })];
  const text = Buffer.concat(parts).toString("utf8");
  texts.set(path, text);
  return text;
}

/** A plain file with the bytes of the one that is named. Disposing it removes a copy. */
export interface GivenFile extends Disposable {
  readonly path: string;
  readonly named: string;
  /** Tells whether the file is the one that was opened, as it was. */
  readonly stamp: string;
}

/** Reads the file. Throws UnreadablePath where it has changed since it was opened, whatever was read of it. */
export async function readUnchanged<T>(
  { path, named, stamp }: GivenFile,
  read: () => Promise<T>,
): Promise<T> {
  const [outcome] = await Promise.allSettled([read()]);
  if (stampOf(path) !== stamp) {
    throw new UnreadablePath(
      `${named} changed while it was read, and nothing of it was taken. Run the command again when it is whole.`,
    );
  }
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}

function stampOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : [found.dev, found.ino, found.size, found.mtimeNs].join();
}

/** Copies a stream into a temporary file. Throws UnreadablePath for a folder, and for a stream that does not end. */
export function openGivenFile(named: string): GivenFile {
  const { path, kind } = findGiven(named);
  requireFile(named, kind);
  if (kind === "file") return givenFile(path, named, () => {});
  const folder = mkdtempSync(join(tmpdir(), "duka-given-"));
  const discard = () => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, "file");
    const target = openSync(copy, "wx", 0o600);
    try {
      for (const chunk of chunksOf(path, { named, bytesMax: FILE_BYTES_MAX })) {
        for (let at = 0; at < chunk.length;) at += writeSync(target, chunk, at);
      }
    } finally {
      closeSync(target);
    }
    return givenFile(copy, named, discard);
  } catch (error) {
    discard();
    throw error;
  }
}

function givenFile(path: string, named: string, discard: () => void): GivenFile {
  return { path, named, stamp: stampOf(path) ?? "", [Symbol.dispose]: discard };
}

function requireFile(named: string, kind: Given["kind"]): void {
  if (kind === "folder") throw new UnreadablePath(`${named} is a folder, not a file.`);
}

interface Bounds {
  readonly named: string;
  readonly bytesMax: number;
}

function* chunksOf(path: string, { named, bytesMax }: Bounds): Generator<Uint8Array> {
  const source = openSync(path, "r");
  try {
    for (let bytes = 0; ;) {
      const chunk = readChunk(source);
      if (chunk.length === 0) return;
      bytes += chunk.length;
      if (bytes > bytesMax) {
        throw new UnreadablePath(
          `${named} has more than ${bytesMax / 1_048_576} MiB, which is too much.`,
        );
      }
      yield chunk;
    }
  } finally {
    closeSync(source);
  }
}

function readChunk(source: number): Uint8Array {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (;;) {
    try {
      return chunk.subarray(0, readSync(source, chunk, 0, CHUNK_BYTES, null));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
      Bun.sleepSync(PAUSE_MS);
    }
  }
}
