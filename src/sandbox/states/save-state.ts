// Workflow: saves the whole state of a test shop, its clock too, between two commits.

import { constants, copyFileSync, mkdirSync, renameSync } from "node:fs";

import type { MediaShop } from "#catalog/media/files/media-shop.ts";
import { copyFiles } from "#platform/files/copy-files.ts";

import { requireFile } from "./require-file.ts";
import {
  fileOfState,
  mediaOfStates,
  requireStateName,
  saveFacts,
  type StatePlace,
} from "./saved-state.ts";

/**
 * Afterwards the state can be brought back by its name; an earlier one of the name is replaced. `url` is the address
 * of the server. Returns the shop's time, epoch milliseconds. Refuses with `state_name_invalid`.
 */
export async function saveState(shop: MediaShop, place: StatePlace, url: string): Promise<number> {
  requireStateName(place);
  mkdirSync(place.folder, { recursive: true, mode: 0o700 });
  const copy = fileOfState(place);
  let at = shop.clock.now();
  await requireFile(shop)((path) => {
    copyFileSync(path, `${copy}.new`, constants.COPYFILE_FICLONE);
    renameSync(`${copy}.new`, copy);
    at = shop.clock.now();
  });
  const { files } = shop.media;
  // A second name of each file takes no room.
  if (files !== null) await copyFiles(files, mediaOfStates(place), { earlier: files.folder });
  saveFacts(place, { at, url });
  return at;
}
