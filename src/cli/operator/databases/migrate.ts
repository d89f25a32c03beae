// `duka migrate`: brings both databases to the schema of this version. Refuses while a server has the data
// directory.

import { requireShop } from "#cli/operator/require-shop.ts";
import { type InitOptions, readSettings } from "#cli/operator/settings.ts";
import { realClock } from "#kernel/time.ts";
import { lockDataDirectory } from "#platform/data-directory/data-directory.ts";
import { requireOwner } from "#platform/data-directory/own-files.ts";
import { migrateDatabase } from "#platform/database/open-database.ts";
import { modes } from "#platform/database/shop.ts";

/** Prints each step as it begins, the migrations applied and the path of the snapshot made before them. */
export async function migrateAtTerminal(options: InitOptions): Promise<void> {
  const config = readSettings(options);
  const { dataDirectory, server } = config;
  if (options.init !== true) await requireShop(config);
  requireOwner(dataDirectory);
  using lock = lockDataDirectory(dataDirectory);
  const place = { directory: lock.directory, server };
  for (const mode of modes) {
    const { applied, snapshot } = await migrateDatabase(mode, place, {
      clock: realClock,
      onStep: ({ step, number, of }) => console.log(`${mode}: ${step} (${number} of ${of})`),
    });
    console.log(
      applied.length === 0
        ? `${mode}: schema is up to date`
        : `${mode}: applied ${applied.join(", ")}`,
    );
    if (snapshot !== null) console.log(`${mode}: snapshot before the migration: ${snapshot}`);
  }
}
