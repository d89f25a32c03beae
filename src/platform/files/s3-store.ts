// Files in a bucket of an object store that speaks S3. It is the operator's own, as a mail server is: its address is a
// setting and is not judged. No ACL is set, since stores other than Amazon's ignore or refuse it: the files are read
// through this server, or by a policy of the bucket.

import { type Parts, wholeOf } from "#platform/net/call-for-parts.ts";

import type { FileStore, OpenFile, Reading, S3Bucket, StoredFile } from "./file-store.ts";
import { bucketLabel, elementOf, openS3Calls, type S3Calls, unavailable } from "./s3-call.ts";

/** A file of at most so many bytes is in memory before it is handed over: nearly every picture of a page. */
const AT_HAND_BYTES_MAX = 262_144;

/** Deletions at once: a reset has thousands. */
const REMOVED_AT_ONCE = 8;
/**
 * What a name of a store is, in one folder. A bucket may have other keys, such as those that consoles make for a
 * folder; a name with `..` would lead out of the folder of a backup.
 */
const NAME = /^\w+\/\w[\w.-]*$/;

interface S3Terms {
  /** What the keys of the store's files begin with, up to a final slash: the rest of the bucket is not touched. */
  readonly prefix: () => Promise<string>;
  /** The media type of its files. */
  readonly type: string;
}

/** Opens the files below a prefix. Nothing is called before the first of them is asked for. */
export function openS3Store(bucket: S3Bucket, { prefix, type }: S3Terms): FileStore {
  const calls = openS3Calls(bucket);
  const { call } = calls;
  const keyOf = async (name: string) => `${await prefix()}${name}`;
  return {
    label: bucketLabel(bucket),
    folder: null,
    sizeOf: async (name) => {
      const answer = await call({ method: "HEAD", key: await keyOf(name) });
      return answer === null ? null : lengthIn(bucket, answer.headers);
    },
    put: async (name, bytes) => {
      const key = await keyOf(name);
      const answer = await call({ method: "PUT", key, body: { bytes, type } });
      if (answer === null) throw unavailable(bucket, `${key} was not taken`);
    },
    open: async (name, reading = {}) =>
      openFile(bucket, calls, { key: await keyOf(name), ...reading }),
    remove: async (names) => {
      const below = await prefix();
      for (let from = 0; from < names.length; from += REMOVED_AT_ONCE) {
        const some = names.slice(from, from + REMOVED_AT_ONCE);
        await Promise.all(some.map((name) => call({ method: "DELETE", key: `${below}${name}` })));
      }
    },
    list: () => listBelow(bucket, call, prefix),
  };
}

async function openFile(
  bucket: S3Bucket,
  { read }: S3Calls,
  { key, range, signal }: Reading & { readonly key: string },
): Promise<OpenFile | null> {
  const answer = await read({ method: "GET", key, range }, signal);
  if (answer === null) return null;
  const { headers, parts } = answer;
  try {
    const bytes = lengthIn(bucket, headers);
    if (range !== undefined && bytes !== range.last - range.first + 1) {
      throw unavailable(bucket, `${key} has ${bytes} bytes of ${range.first} to ${range.last}`);
    }
    const whole = wholeParts(parts, { bytes, fault: (what) => unavailable(bucket, what) });
    if (bytes > AT_HAND_BYTES_MAX) return { bytes, content: whole };
    return { bytes, content: new Blob([await wholeOf(whole, bytes)]) };
  } catch (error) {
    parts.end();
    throw error;
  }
}

/** The bytes of a file. Compressed ones are not its own; some stores name encodings that compress nothing. */
function lengthIn(bucket: S3Bucket, headers: Headers): number {
  const [length, encoding] = [headers.get("content-length"), headers.get("content-encoding")];
  if (/gzip|deflate|compress|br|zstd/i.test(encoding ?? "")) {
    throw unavailable(bucket, `a file has the encoding ${String(encoding)}`);
  }
  if (length === null || !/^\d{1,15}$/.test(length))
    throw unavailable(bucket, "it names no length");
  return Number(length);
}

/** The same parts. One that breaks off, or has other than so many bytes, rejects with the fault. */
function wholeParts(
  { next, end }: Parts,
  { bytes, fault }: { readonly bytes: number; readonly fault: (what: unknown) => Error },
): Parts {
  let left = bytes;
  return {
    next: async () => {
      const part = await next().catch((error: unknown) => {
        throw fault(error);
      });
      left -= part?.length ?? 0;
      if (left >= 0 && (part !== null || left === 0)) return part;
      end();
      throw fault(`a file has other than ${bytes} bytes`);
    },
    end,
  };
}

async function* listBelow(
  bucket: S3Bucket,
  call: S3Calls["call"],
  prefixOf: () => Promise<string>,
): AsyncGenerator<StoredFile> {
  const prefix = await prefixOf();
  for (let token = ""; ;) {
    const from: Record<string, string> = token === "" ? {} : { "continuation-token": token };
    const answer = await call({ method: "GET", query: { ...from, "list-type": "2", prefix } });
    const page = new TextDecoder().decode(answer?.bytes);
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
      // Where the store tells no time the file is as new as can be.
      writtenAt: Number.isNaN(written) ? Infinity : written,
    };
  }
}
