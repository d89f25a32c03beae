// On SQLite, empty migrated database files, made once per version of the schema and copied for each test.
// Invariant: a copy has no store, no key and no row, so each test's shop is new.

import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

import { realClock } from "#kernel/time.ts";
import { engine } from "#platform/database/engine.ts";
import { schemaMark } from "#platform/database/migrations.ts";
import { type Mode, modes } from "#platform/database/shop.ts";
import { migrate, sqliteMigrations } from "#platform/database/sqlite/migrate.ts";

/** The migrated files of this schema, made by the first process that needs them. */
const template = join(tmpdir(), `duka-template-${userInfo().uid}-${schemaMark(sqliteMigrations)}`);

/** Copies migrated, empty databases into a data directory that has none. Does nothing on PostgreSQL. */
export function copyTemplateInto(directory: string, wanted: readonly Mode[] = modes): void {
  if (engine !== "sqlite") return;
  if (!existsSync(template)) makeTemplate();
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const mode of wanted) {
    const file = join(directory, `${mode}.sqlite`);
    if (existsSync(file)) continue;
    copyFileSync(join(template, `${mode}.sqlite`), file, constants.COPYFILE_FICLONE);
    chmodSync(file, 0o600);
  }
}

/** Two processes may make it at once: the first rename wins, the other folder is deleted. */
function makeTemplate(): void {
  const folder = mkdtempSync(join(tmpdir(), "duka-template-making-"));
  for (const mode of modes) migrate(join(folder, `${mode}.sqlite`), { clock: realClock });
  try {
    renameSync(folder, template);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    if (!existsSync(template)) throw error;
  }
}
