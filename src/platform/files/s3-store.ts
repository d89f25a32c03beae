// Files in a bucket of an object store that speaks S3. It is the operator's own, as a mail server is: its address is a
// setting and is not judged. No ACL is set, since stores other than Amazon's ignore or refuse it: the files are read
// through this server, or by a policy of the bucket.

import type { FileStore, S3Bucket, StoredFile } from "./file-store.ts";
import { bucketLabel, elementOf, openS3Call, type S3Call, unavailable } from "./s3-call.ts";

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
  const call = openS3Call(bucket);
  const keyOf = async (name: string) => `${await prefix()}${name}`;
  return {
    label: bucketLabel(bucket),
    folder: null,
    sizeOf: async (name) => {
      const answer = await call({ method: "HEAD", key: await keyOf(name) });
      return answer === null ? null : Number(answer.headers.get("content-length"));
    },
    put: async (name, bytes) => {
      const key = await keyOf(name);
      const answer = await call({ method: "PUT", key, body: { bytes, type } });
      if (answer === null) throw unavailable(bucket, `${key} was not taken`);
    },
    find: async (name) => {
      const answer = await call({ method: "GET", key: await keyOf(name) });
      return answer === null ? null : new Blob([answer.bytes]);
    },
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

async function* listBelow(
  bucket: S3Bucket,
  call: S3Call,
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
