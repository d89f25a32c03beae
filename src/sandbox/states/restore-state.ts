// Workflow: brings a saved state of a test shop back, its clock too. Invariant: what the program remembers of the
// former rows is forgotten with them.

import { constants, copyFileSync, renameSync, rmSync } from "node:fs";

import type { AnalyticsShop } from "#analytics/analytics-shop.ts";
import type { MediaShop } from "#catalog/media/files/media-shop.ts";
import { saveMediaAddress } from "#catalog/media/save-media-address.ts";
import { planPolls } from "#payments/attempts/plan-polls.ts";
import { dropLeasesOf } from "#platform/database/leases.ts";
import { replaceText } from "#platform/database/sqlite/replace-text.ts";
import { copyFiles } from "#platform/files/copy-files.ts";
import { openLinks } from "#sales/links/link-terms.ts";
import { requireSandbox } from "#sandbox/require-sandbox.ts";

import { requireFile } from "./require-file.ts";
import { fileOfState, mediaOfStates, readFacts, type StatePlace } from "./saved-state.ts";

/**
 * Afterwards everything in the shop is as it was, and its clock goes on from the time of the state, which it returns,
 * epoch milliseconds. `url` is the address of the server. Refuses with `state_name_invalid`, `state_not_found` and
 * `state_of_other_version`.
 */
export async function restoreState(
  shop: AnalyticsShop & MediaShop,
  place: StatePlace,
  url: string,
): Promise<number> {
  const facts = readFacts(place);
  const { files } = shop.media;
  if (files !== null) await copyFiles(mediaOfStates(place), files);
  await requireSandbox(shop).startAnewAt(facts.at, async () => {
    await requireFile(shop)((path) => {
      // Another file in one step: a copy that fails half-way leaves the shop as it is.
      copyFileSync(fileOfState(place), `${path}.new`, constants.COPYFILE_FICLONE);
      if (facts.url !== url) replaceText(`${path}.new`, facts.url, url);
      for (const log of [`${path}-wal`, `${path}-shm`]) rmSync(log, { force: true });
      renameSync(`${path}.new`, path);
    });
    shop.summaryCaches.clear();
    await shop.database.write(async (tx) => {
      await dropLeasesOf(tx, shop.database.home);
      await openLinks(tx, url);
      await saveMediaAddress(tx, shop, url);
      await planPolls(tx);
    });
  });
  return facts.at;
}
