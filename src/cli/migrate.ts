// `duka migrate`: both databases get the schema of this program while no server runs.

import { join } from "node:path";

import { realClock } from "#kernel/time.ts";
import { modes } from "#open-shops.ts";
import { lockDataDirectory } from "#platform/store/lock.ts";
import { migrate } from "#platform/store/migrate.ts";

import { readSettings, type SettingOptions } from "./settings.ts";

/** Says what was applied, and where the copy from before lies. */
export function migrateAtTerminal(options: SettingOptions): void {
  using lock = lockDataDirectory(readSettings(options).dataDirectory);
  for (const mode of modes) {
    const { applied, snapshot } = migrate(join(lock.directory, `${mode}.sqlite`), {
      clock: realClock,
    });
    console.log(
      applied.length === 0
        ? `${mode}: has this schema already`
        : `${mode}: applied ${applied.join(", ")}`,
    );
    if (snapshot !== null) console.log(`${mode}: the copy from before is ${snapshot}`);
  }
}
