// `duka migrate`: both databases get the schema of this program. Files need that no server runs.

import { readSettings, type SettingOptions } from "#cli/operator/settings.ts";
import { realClock } from "#kernel/time.ts";
import { lockDataDirectory } from "#platform/backup/data-directory.ts";
import { migrateDatabase } from "#platform/database/open-database.ts";
import { modes } from "#platform/database/shop.ts";

/** Says what was applied, and where the copy from before lies. */
export async function migrateAtTerminal(options: SettingOptions): Promise<void> {
  const { dataDirectory, server } = readSettings(options);
  using lock = lockDataDirectory(dataDirectory);
  const place = { directory: lock.directory, server };
  for (const mode of modes) {
    const { applied, snapshot } = await migrateDatabase(mode, place, realClock);
    console.log(
      applied.length === 0
        ? `${mode}: has this schema already`
        : `${mode}: applied ${applied.join(", ")}`,
    );
    if (snapshot !== null) console.log(`${mode}: the copy from before is ${snapshot}`);
  }
}
