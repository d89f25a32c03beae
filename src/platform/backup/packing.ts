// Compresses a database file and back, as a stream, so that memory does not grow with the shop.
// Invariant: the unpacked file equals the packed one byte for byte, or BackupFault is thrown.

import { createReadStream } from "node:fs";
import { type FileHandle, open, rm, stat, truncate } from "node:fs/promises";
import { basename } from "node:path";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";

import { BackupFault, FLUSH_BYTES, OWNER_ONLY_FILE } from "./files.ts";
import type { PackedDatabase } from "./manifest.ts";

/** The usual level 3; the next level with a notably better ratio takes ten times as long. */
const ZSTD_LEVEL = 3;
const CHUNK_BYTES = 1_048_576;
/** Bytes freed at once when a file is deleted. */
const REMOVED_BYTES = 8_388_608;

export interface PackingTerms {
  readonly signal: AbortSignal;
  /** Reports how many bytes of the database are done. */
  readonly onBytes: (bytes: number) => void;
}

/** Sizes and digests of both files, as in the manifest. */
export type PackedSizes = Pick<PackedDatabase, "bytes" | "sha256" | "packedBytes" | "packedSha256">;

/** Compresses the database durably. */
export async function pack(from: string, to: string, terms: PackingTerms): Promise<PackedSizes> {
  const plain = new Measure();
  await using file = await Flushed.create(to);
  const params = {
    [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL,
    [constants.ZSTD_c_checksumFlag]: 1,
  };
  await unlessStopped(
    terms.signal,
    pipeline(
      createReadStream(from, { highWaterMark: CHUNK_BYTES }),
      async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          plain.take(chunk);
          terms.onBytes(plain.bytes);
          yield chunk;
        }
      },
      createZstdCompress({ params, chunkSize: CHUNK_BYTES }),
      async (chunks: AsyncIterable<Uint8Array>) => {
        for await (const chunk of chunks) await file.write(chunk);
      },
      { signal: terms.signal },
    ),
  );
  await file.flush();
  return {
    bytes: plain.bytes,
    sha256: plain.sha256(),
    packedBytes: file.measure.bytes,
    packedSha256: file.measure.sha256(),
  };
}

/** Unpacks the database durably. Throws BackupFault if either file differs from the manifest. */
export async function unpack(
  { from, promised }: { readonly from: string; readonly promised: PackedSizes },
  to: string,
  terms: PackingTerms,
): Promise<void> {
  await requirePromised(from, promised, terms.signal);
  await using file = await Flushed.create(to);
  await unlessStopped(
    terms.signal,
    pipeline(
      createReadStream(from, { highWaterMark: CHUNK_BYTES }),
      createZstdDecompress({ chunkSize: CHUNK_BYTES }),
      async (chunks: AsyncIterable<Uint8Array>) => {
        for await (const chunk of chunks) {
          await file.write(chunk);
          terms.onBytes(file.measure.bytes);
        }
      },
      { signal: terms.signal },
    ),
  );
  await file.flush();
  if (file.measure.bytes === promised.bytes && file.measure.sha256() === promised.sha256) return;
  await rm(to);
  throw new BackupFault(`${basename(from)} does not contain the database of the manifest.`);
}

/** Deletes a file in steps, if it exists: freeing a large one at once would delay commits. */
export async function removeGently(path: string): Promise<void> {
  for (let size = (await sizeOf(path)) ?? 0; size > REMOVED_BYTES;) {
    size -= REMOVED_BYTES;
    await truncate(path, size);
  }
  await rm(path, { force: true });
}

/** Verifies the whole compressed file before unpacking it. */
async function requirePromised(
  path: string,
  promised: PackedSizes,
  signal: AbortSignal,
): Promise<void> {
  const found = await sizeOf(path);
  if (found !== promised.packedBytes) {
    const size =
      found === null ? "missing" : `${found} bytes long instead of ${promised.packedBytes}`;
    throw new BackupFault(`The backup is damaged: ${basename(path)} is ${size}.`);
  }
  const measure = new Measure();
  await unlessStopped(
    signal,
    pipeline(
      createReadStream(path, { highWaterMark: CHUNK_BYTES }),
      async (chunks: AsyncIterable<Uint8Array>) => {
        for await (const chunk of chunks) measure.take(chunk);
      },
      { signal },
    ),
  );
  if (measure.sha256() === promised.packedSha256) return;
  throw new BackupFault(`The backup is damaged: ${basename(path)} does not match its checksum.`);
}

/** Runs the work; if it was aborted, throws the reason instead of the abort error. */
async function unlessStopped(signal: AbortSignal, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

/** Counts and digests the bytes that pass. */
class Measure {
  bytes = 0;
  readonly #hasher = new Bun.CryptoHasher("sha256");

  take(chunk: Uint8Array): void {
    this.bytes += chunk.length;
    this.#hasher.update(chunk);
  }

  sha256(): string {
    return this.#hasher.digest("hex");
  }
}

/** A new file that is synced in small steps. */
export class Flushed implements AsyncDisposable {
  readonly measure = new Measure();
  readonly #file: FileHandle;
  #flushed = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async create(path: string): Promise<Flushed> {
    return new Flushed(await open(path, "wx", OWNER_ONLY_FILE));
  }

  async write(chunk: Uint8Array): Promise<void> {
    for (let done = 0; done < chunk.length;) {
      done += (await this.#file.write(chunk, done, chunk.length - done)).bytesWritten;
    }
    this.measure.take(chunk);
    if (this.measure.bytes - this.#flushed >= FLUSH_BYTES) await this.flush();
  }

  async flush(): Promise<void> {
    await this.#file.datasync();
    this.#flushed = this.measure.bytes;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }
}
