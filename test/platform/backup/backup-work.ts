// Shared by the tests of backups: the databases of a data directory, and the work of taking a backup of them.

import { join } from "node:path";

import { HOUR_MS } from "#kernel/time.ts";
import type { BackupTaking } from "#platform/backup/backup.ts";
import type { VerifyingWork } from "#platform/backup/verify.ts";
import { migrate, sqliteMigrations } from "#platform/database/sqlite/migrate.ts";
import { vaultWith } from "#platform/vault/vault.ts";

import { NOON, noonClock } from "../../support/database.ts";

export const vault = vaultWith([new Uint8Array(32).fill(7)], []);

/** Both databases, empty, with the first migrations; all of them where nothing is said. */
export function makeDatabases(directory: string, migrations = sqliteMigrations): void {
  for (const mode of ["live", "test"]) {
    migrate(join(directory, `${mode}.sqlite`), { clock: noonClock, migrations });
  }
}

/** The work of a backup, of the shop and at the hour after noon that are said. */
export function workOf(
  terms: { storeId?: string; hour?: number } & Partial<BackupTaking & VerifyingWork> = {},
): BackupTaking & VerifyingWork {
  const { storeId = "str_ada", hour = 0, ...others } = terms;
  return {
    shop: {
      audits: [],
      async *auditFiles() {},
      storeIdOf: async () => storeId,
      keysIn: async () => [],
      peopleIn: async () => [],
    },
    isUnverifiedAllowed: false,
    vault,
    clock: { now: () => NOON + hour * HOUR_MS },
    signal: new AbortController().signal,
    onProgress: () => {},
    ...others,
  };
}
