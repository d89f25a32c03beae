// Files in a bucket of an object store that speaks S3. It is the operator's own, as a mail server is: its address is a
// setting and is not judged. No ACL is set, since stores other than Amazon's ignore or refuse it: the files are read
// through this server, or by a policy of the bucket.

import { type Parts, type PartsAnswer, wholeOf } from "#platform/net/call-for-parts.ts";

import type { ByteRange, FileStore, OpenFile, S3Bucket, StoredFile } from "./file-store.ts";
import {
  allOf,
  bucketLabel,
  elementOf,
  openS3Call,
  type S3Call,
  textOf,
  unavailable,
} from "./s3-call.ts";

/** A file of at most so many bytes is in memory before it is handed over: nearly every picture of a page. */
const AT_HAND_BYTES_MAX = 262_144;

/** Deletions at once: a reset has thousands. */
const REMOVED_AT_ONCE = 8;
/**
 * The form of a name of a store, in one folder. A bucket may have other keys, such as those that consoles make for a
 * folder; a name with `..` would lead out of the folder of a backup.
 */
const NAME = /^\w[\w.-]*\/\w[\w.-]*$/;

interface S3Terms {
  /** The beginning of the keys of the store's files, up to a final slash: the rest of the bucket is not touched. */
  readonly prefix: () => Promise<string>;
  /** The media type of its files. */
  readonly type: string;
}

/** A store that takes files of any size. */
export interface S3Store extends FileStore {
  /** Writes the file of the path, as `put` does; memory holds a part of it. */
  putFile(name: string, path: string, signal: AbortSignal): Promise<void>;
  /** Aborts what began before the instant, epoch milliseconds, to upload in parts and was not ended. */
  endUploads(before: number): Promise<void>;
}

/** Opens the files below a prefix. Nothing is called before the first of them is asked for. */
export function openS3Store(bucket: S3Bucket, { prefix, type }: S3Terms): S3Store {
  const call = openS3Call(bucket);
  const keyOf = async (name: string) => `${await prefix()}${name}`;
  return {
    label: bucketLabel(bucket),
    folder: null,
    sizeOf: async (name) => call({ method: "HEAD", key: await keyOf(name) }, lengthOf),
    put: async (name, bytes) => {
      const key = await keyOf(name);
      const answer = await call({ method: "PUT", key, body: { bytes, type } }, allOf);
      if (answer === null) throw unavailable(bucket, `${key} was not taken`);
    },
    putFile: async (name, path, signal) => {
      const target = { bucket, call, key: await keyOf(name), type };
      const { putFile } = await import("./s3-upload.ts");
      const bytes = await putFile(target, path, signal);
      const found = await call({ method: "HEAD", key: target.key }, lengthOf, signal);
      if (found !== bytes) {
        throw unavailable(bucket, `${target.key} has ${found ?? "none"} of ${bytes} bytes`);
      }
    },
    endUploads: async (before) => {
      const { endUploads } = await import("./s3-upload.ts");
      await endUploads({ bucket, call }, { prefix: await prefix(), before });
    },
    open: async (name, { range, signal } = {}) =>
      call(
        { method: "GET", key: await keyOf(name), range },
        (answer) => openFile(bucket, range, answer),
        signal,
      ),
    remove: async (names) => {
      const below = await prefix();
      for (let from = 0; from < names.length; from += REMOVED_AT_ONCE) {
        const some = names.slice(from, from + REMOVED_AT_ONCE);
        await Promise.all(
          some.map((name) => call({ method: "DELETE", key: `${below}${name}` }, allOf)),
        );
      }
    },
    list: () => listBelow(bucket, call, prefix),
  };
}

async function openFile(
  bucket: S3Bucket,
  range: ByteRange | undefined,
  answer: PartsAnswer,
): Promise<OpenFile> {
  const bytes = lengthOf(answer);
  if (range !== undefined && bytes !== range.last - range.first + 1) {
    throw new Error(`of ${range.first} to ${range.last} it has ${bytes} bytes`);
  }
  const { next, end } = exactly(bytes, answer.parts);
  if (bytes <= AT_HAND_BYTES_MAX) {
    return { bytes, content: new Blob([await wholeOf({ next, end }, bytes)]) };
  }
  const nextOrRefusal = () =>
    next().catch((error: unknown) => {
      throw unavailable(bucket, error);
    });
  return { bytes, content: { next: nextOrRefusal, end } };
}

/** The bytes of a file. Compressed ones are not its own; some stores name encodings that compress nothing. */
function lengthOf({ headers }: Pick<PartsAnswer, "headers">): number {
  const [length, encoding] = [headers.get("content-length"), headers.get("content-encoding")];
  if (/gzip|deflate|compress|br|zstd/i.test(encoding ?? "")) {
    throw new Error(`a file has the encoding ${String(encoding)}`);
  }
  if (length === null || !/^\d{1,15}$/.test(length))
    throw new Error("it tells no length of a file");
  return Number(length);
}

/** The same parts. Those that are other than so many bytes reject. */
function exactly(bytes: number, { next, end }: Parts): Parts {
  let left = bytes;
  return {
    next: async () => {
      const part = await next();
      left -= part?.length ?? 0;
      if (left >= 0 && (part !== null || left === 0)) return part;
      end();
      throw new Error(`a file has other than ${bytes} bytes`);
    },
    end,
  };
}

async function* listBelow(
  bucket: S3Bucket,
  call: S3Call,
  prefixOf: () => Promise<string>,
): AsyncGenerator<StoredFile> {
  const prefix = await prefixOf();
  for (let token = ""; ;) {
    const from: Record<string, string> = token === "" ? {} : { "continuation-token": token };
    const query = { ...from, "list-type": "2", prefix };
    const page = (await call({ method: "GET", query }, textOf)) ?? "";
    if (!page.includes("</ListBucketResult>")) throw unavailable(bucket, "its list is no list");
    yield* filesIn(page, prefix);
    token = elementOf(page, "NextContinuationToken");
    if (token === "" || elementOf(page, "IsTruncated") !== "true") return;
  }
}

function* filesIn(page: string, prefix: string): Generator<StoredFile> {
  for (const [entry] of page.matchAll(/<Contents>.*?<\/Contents>/gs)) {
    const key = elementOf(entry, "Key");
    const name = key.slice(prefix.length);
    if (!key.startsWith(prefix) || !NAME.test(name)) continue;
    const written = Date.parse(elementOf(entry, "LastModified"));
    yield {
      name,
      bytes: Number(elementOf(entry, "Size")),
      // A file whose time the store does not tell is as new as can be.
      writtenAt: Number.isNaN(written) ? Infinity : written,
    };
  }
}
