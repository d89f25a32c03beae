// Where files are that are written once and never changed: a folder, or a bucket of an object store. Invariant: a file
// with a name of the store is whole, and stays when the program or the machine fails.

import { defineRefusal } from "#kernel/refusal.ts";

/** A file that is there. */
export interface StoredFile {
  /** Relative to the store, with `/` between folders. */
  readonly name: string;
  /** By the clock of the store, epoch milliseconds. */
  readonly writtenAt: number;
  readonly bytes: number;
}

/** A store that is away refuses with `media_store_unavailable`. */
export interface FileStore {
  /** Where it is, for people. */
  readonly label: string;
  /** An absolute path; null where the files are in no folder of this machine. */
  readonly folder: string | null;
  /** Writes the file durably, in place of one of the same name. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Null if there is none. */
  find(name: string): Promise<Blob | null>;
  /** Its bytes; null if there is none. */
  sizeOf(name: string): Promise<number | null>;
  /** Removes those of the files that there are. */
  remove(names: readonly string[]): Promise<void>;
  /** Every file, also those that a crash cut off. */
  list(): AsyncGenerator<StoredFile>;
}

/** A bucket of an object store that speaks S3, and what lets the program in. */
export interface S3Bucket {
  /** An origin. */
  readonly endpoint: string;
  readonly name: string;
  readonly key: string;
  readonly secret: string;
  readonly region: string;
  /** Where browsers read its files, without a final slash; null: through this server. */
  readonly publicUrl: string | null;
}

/** What the operator set: an absolute path, or a bucket. */
export type FilePlace = { readonly folder: string } | { readonly bucket: S3Bucket };

export const mediaStoreUnavailable = defineRefusal("media_store_unavailable", "unavailable", {
  title: "The store of the pictures does not answer.",
  cause:
    "The object store that has the files of media is away, too slow, or does not accept the credentials of this server. Nothing was changed.",
  remedy:
    "Retry with the same `Idempotency-Key`. If it continues, read the server's log: it has what the store answered.",
});
