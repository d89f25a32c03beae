// Files in a bucket of an object store that speaks S3. It is the operator's own, as a mail server is: its address is a
// setting and is not judged. No ACL is set, since stores other than Amazon's ignore or refuse it: the files are read
// through this server, or by a policy of the bucket.

import { openDeadline, untilAborted } from "#platform/net/deadline.ts";

import {
  type FileStore,
  mediaStoreUnavailable,
  type S3Bucket,
  type StoredFile,
} from "./file-store.ts";

/** For one call and its repetitions, of a file of some MB at most. */
const CALL_MS_MAX = 20_000;
const RETRIES_MAX = 1;
/** As many as one list has (ListObjectsV2). */
const KEYS_AT_ONCE = 1_000;

interface S3Terms {
  /** What the keys of the store's files begin with, up to a final slash: the rest of the bucket is not touched. */
  readonly prefix: () => Promise<string>;
  /** The media type of its files. */
  readonly type: string;
}

/** Opens the files below a prefix. Nothing is called before the first of them is asked for. */
export function openS3Store(bucket: S3Bucket, { prefix, type }: S3Terms): FileStore {
  const client = clientOf(bucket);
  const label = bucketLabel(bucket);
  const keyOf = async (name: string) => `${await prefix()}${name}`;
  const sizeOf = async (name: string) => {
    const key = await keyOf(name);
    return (await unlessMissing(label, () => client.stat(key)))?.size ?? null;
  };
  return {
    label,
    folder: null,
    sizeOf,
    put: async (name, bytes) => {
      const key = await keyOf(name);
      await called(label, () => client.write(key, bytes, { type }));
      // The name of a row is only given to what is there whole.
      const size = await sizeOf(name);
      if (size !== bytes.byteLength) throw unavailable(label, `${key} has ${size} bytes`);
    },
    find: async (name) => {
      const key = await keyOf(name);
      const bytes = await unlessMissing(label, () => client.file(key).bytes());
      return bytes === null ? null : new Blob([bytes]);
    },
    remove: async (names) => {
      for (const name of names) {
        const key = await keyOf(name);
        await unlessMissing(label, () => client.delete(key));
      }
    },
    list: () => listBelow(client, label, prefix),
  };
}

/** The bucket for people, without secrets. */
export function bucketLabel({ name, endpoint }: S3Bucket): string {
  return `the bucket ${name} at ${endpoint}`;
}

/** A host that begins with the name of the bucket has it there, else the path begins with it. */
function clientOf({ endpoint, name, key, secret, region }: S3Bucket): Bun.S3Client {
  return new Bun.S3Client({
    endpoint,
    bucket: name,
    accessKeyId: key,
    secretAccessKey: secret,
    region,
    virtualHostedStyle: new URL(endpoint).hostname.startsWith(`${name}.`),
    retry: RETRIES_MAX,
  });
}

async function* listBelow(
  client: Bun.S3Client,
  label: string,
  prefixOf: () => Promise<string>,
): AsyncGenerator<StoredFile> {
  const prefix = await prefixOf();
  for (let token: string | undefined; ;) {
    const from = token === undefined ? {} : { continuationToken: token };
    const page = await called(label, () => client.list({ prefix, maxKeys: KEYS_AT_ONCE, ...from }));
    for (const { key, size, lastModified } of page.contents ?? []) {
      yield {
        name: key.slice(prefix.length),
        bytes: size ?? 0,
        // Where the store tells no time the file is as new as can be.
        writtenAt: lastModified === undefined ? Infinity : Date.parse(lastModified),
      };
    }
    token = page.nextContinuationToken;
    if (token === undefined || page.isTruncated !== true) return;
  }
}

/** The answer of a call, or null if there is no such file. */
async function unlessMissing<T>(label: string, call: () => Promise<T>): Promise<T | null> {
  return called(label, async () => {
    try {
      return await call();
    } catch (error) {
      if (codeOf(error) === "NoSuchKey") return null;
      throw error;
    }
  });
}

/** Refuses with `media_store_unavailable` where the store does not do it in time. */
async function called<T>(label: string, call: () => Promise<T>): Promise<T> {
  using deadline = openDeadline(CALL_MS_MAX);
  try {
    return await untilAborted(call(), deadline.signal);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw unavailable(label, [codeOf(error), words].filter(Boolean).join(", "), error);
  }
}

function unavailable(label: string, what: string, cause?: unknown): Error {
  const refusal = mediaStoreUnavailable();
  refusal.cause = new Error(`${label}: ${what}`, { cause });
  return refusal;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
