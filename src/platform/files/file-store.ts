// Stores files that are written once and never changed: a folder, or a bucket of an object store. Invariant: a file
// with a name of the store is whole, and stays when the program or the machine fails.

import { defineRefusal } from "#kernel/refusal.ts";
import { type Parts, wholeOf } from "#platform/net/call-for-parts.ts";

/** A file that is there. */
export interface StoredFile {
  /** Relative to the store, with `/` between folders. */
  readonly name: string;
  /** By the clock of the store, epoch milliseconds. */
  readonly writtenAt: number;
  readonly bytes: number;
}

/** The bytes of a file from the first to the last of these, counted from 0. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** A file that is being read. */
export interface OpenFile {
  /** As many as are read. */
  readonly bytes: number;
  /**
   * On a disk or in memory; or on its way, and read no faster than it is taken: one that breaks off, or has other than
   * so many bytes, rejects with `media_store_unavailable`.
   */
  readonly content: Blob | Parts;
}

export interface Reading {
  /** By default the whole file. It has to be within the file. */
  readonly range?: ByteRange | undefined;
  /** Ends the reading. */
  readonly signal?: AbortSignal | undefined;
}

/** A store that is away refuses with `media_store_unavailable`. */
export interface FileStore {
  /** Its place, for people. */
  readonly label: string;
  /** An absolute path; null where the files are in no folder of this machine. */
  readonly folder: string | null;
  /** Writes the file durably, in place of one of the same name. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Begins to read it; null if there is none. */
  open(name: string, reading?: Reading): Promise<OpenFile | null>;
  /** Its bytes; null if there is none. */
  sizeOf(name: string): Promise<number | null>;
  /** Removes those of the files that there are. */
  remove(names: readonly string[]): Promise<void>;
  /** Every file, also those that a crash cut off. */
  list(): AsyncGenerator<StoredFile>;
}

/** The bytes of a file that was opened, all in memory. */
export async function bytesOf({ bytes, content }: OpenFile): Promise<Uint8Array> {
  return content instanceof Blob ? content.bytes() : wholeOf(content, bytes);
}

/** A bucket of an object store that speaks S3, and what lets the program in. */
export interface S3Bucket {
  /** An origin. */
  readonly endpoint: string;
  readonly name: string;
  readonly key: string;
  readonly secret: string;
  readonly region: string;
  /** The address at which browsers read its files, without a final slash; null: through this server. */
  readonly publicUrl: string | null;
}

/** The place that the operator set: an absolute path, or a bucket. */
export type FilePlace = { readonly folder: string } | { readonly bucket: S3Bucket };

export const mediaStoreUnavailable = defineRefusal("media_store_unavailable", "unavailable", {
  title: "The store of the pictures does not answer.",
  cause:
    "The object store that has the files of media is away, too slow, or does not accept the credentials of this server. Nothing was changed.",
  remedy:
    "Retry with the same `Idempotency-Key`. If it continues, read the server's log: it has what the store answered.",
});
