// Where the files of media are served.

import type { Mode } from "#platform/database/shop.ts";

/** Below this path of the server's address are the files of the mode. */
export function mediaPath(mode: Mode): string {
  return `/media/${mode}`;
}
