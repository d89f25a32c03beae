// The places of the files of media: on this server, and in a bucket.

import type { Mode } from "#platform/database/shop.ts";

/** Below this path of the server's address are the files of the mode. */
export function mediaPath(mode: Mode): string {
  return `/media/${mode}`;
}

/** The beginning of the keys of the mode's files in a bucket, which other shops may share. */
export function mediaKeys(storeId: string, mode: Mode): string {
  return `${storeId}/${mode}`;
}
