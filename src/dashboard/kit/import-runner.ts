// Runs the work on files beside the requests that ask for it.

import { workOnFile } from "#imports/kept/work-on-file.ts";
import type { Actor } from "#platform/database/database.ts";
import { storageFull } from "#platform/database/errors.ts";
import type { Mode } from "#platform/database/shop.ts";

import type { DashboardTerms } from "./terms.ts";

export interface ImportRunner {
  /** Refuses where the disk has no room for more than live orders. */
  requireRoom(): void;
  /** Works on the file until it has its report. Resolves then, or earlier where that takes long. */
  start(id: string, actor: Actor): Promise<void>;
}

/** Most files are checked within it, so that their report is the next page, milliseconds. */
const WAIT_MS = 2_000;

/** The work on files of one shop. */
export function importRunner(
  { shops, hasRoom, onFault }: Pick<DashboardTerms, "shops" | "hasRoom" | "onFault">,
  mode: Mode,
): ImportRunner {
  return {
    requireRoom: () => {
      if (!hasRoom()) throw storageFull();
    },
    start: async (id, actor) => {
      const work = workOnFile(shops[mode], { id, actor }).catch(onFault);
      await Promise.race([work, Bun.sleep(WAIT_MS)]);
    },
  };
}
