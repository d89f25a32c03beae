// Receives files. Invariant: a file goes to the disk piece by piece, so that no memory is held for it; it is deleted
// when the request that brought it ends, and what a program that was killed left is deleted by the next one.

import { mkdirSync, rmSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";

import { newRequestId } from "#kernel/id.ts";
import { MINUTE_MS } from "#kernel/time.ts";
import { line, object, verbatim, whole } from "#platform/http/contract/words.ts";
import { lazy } from "#platform/process/lazy.ts";

import type { BodyFault } from "./bodies.ts";

/** Unfinished ones of the whole server: they count apart from the bodies in memory, and bound the disk. */
const UNFINISHED_MAX = 16;
/** Long enough for 20 MiB over a poor line. */
const WITHIN_MS = 10 * MINUTE_MS;
const OWNER_ONLY_FOLDER = 0o700;
const OWNER_ONLY_FILE = 0o600;

/** The body of a route that takes a file, as its handler has it. */
export const receivedFile = object({
  path: line(4096, verbatim),
  sha256: line(64, verbatim),
  bytes: whole(0),
});

/** A file on the disk of this machine; disposing it deletes it. */
export interface ReceivedFile extends AsyncDisposable {
  readonly path: string;
  /** In hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
}

export class Uploads {
  readonly #folder: () => string;
  #unfinished = 0;

  /** The folder is this program's alone. */
  constructor(folder: string) {
    this.#folder = lazy(() => {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
      return folder;
    });
  }

  /** Bytes that were received otherwise, as a file. */
  async keep(bytes: Uint8Array): Promise<ReceivedFile> {
    const path = join(this.#folder(), newRequestId());
    await using file = await open(path, "wx", OWNER_ONLY_FILE);
    await writeFully(file, bytes);
    const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
    const discard = () => rm(path, { force: true });
    return { path, sha256, bytes: bytes.byteLength, [Symbol.asyncDispose]: discard };
  }

  /** The whole body as a file, or why there is none. */
  async receive(request: Request, bytesMax: number): Promise<ReceivedFile | BodyFault> {
    if (Number(request.headers.get("content-length")) > bytesMax) return "too_large";
    if (this.#unfinished >= UNFINISHED_MAX) return "too_busy";
    this.#unfinished += 1;
    const path = join(this.#folder(), newRequestId());
    const discard = async () => {
      this.#unfinished -= 1;
      await rm(path, { force: true });
    };
    const received = await write(request, path, bytesMax).catch(async (error: unknown) => {
      await discard();
      throw error;
    });
    if (typeof received !== "string") return { ...received, [Symbol.asyncDispose]: discard };
    await discard();
    return received;
  }
}

async function write(
  request: Request,
  path: string,
  bytesMax: number,
): Promise<Pick<ReceivedFile, "path" | "sha256" | "bytes"> | BodyFault> {
  const hasher = new Bun.CryptoHasher("sha256");
  await using file = await open(path, "wx", OWNER_ONLY_FILE);
  let bytes = 0;
  const fault = await readPieces(request, async (piece) => {
    bytes += piece.byteLength;
    if (bytes > bytesMax) return "too_large";
    hasher.update(piece);
    await writeFully(file, piece);
    return null;
  });
  return fault ?? { path, sha256: hasher.digest("hex"), bytes };
}

/** Takes piece after piece until one is refused; null at the end of the body. */
async function readPieces(
  { body, signal }: Request,
  take: (piece: Uint8Array) => Promise<BodyFault | null>,
): Promise<BodyFault | null> {
  if (body === null) return null;
  const reader = body.getReader();
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), WITHIN_MS);
  try {
    for (;;) {
      const read = await Promise.race([nextPiece(reader, signal), late.promise]);
      if (read === null) return "too_late";
      if (read === "cut_off") return read;
      if (read.done) return null;
      const fault = await take(read.value);
      if (fault !== null) return fault;
    }
  } finally {
    clearTimeout(timer);
    // Resolves at once after the end. A sender that has disconnected makes it reject.
    reader.cancel().catch(() => undefined);
  }
}

async function nextPiece(
  reader: Pick<ReadableStreamDefaultReader<Uint8Array>, "read">,
  signal: AbortSignal,
) {
  try {
    return await reader.read();
  } catch (error) {
    if (!signal.aborted) throw error;
    return "cut_off";
  }
}

async function writeFully(file: FileHandle, piece: Uint8Array): Promise<void> {
  for (let done = 0; done < piece.length;) {
    done += (await file.write(piece, done, piece.length - done)).bytesWritten;
  }
}
