// Databases of several programs over one database of PostgreSQL, each as a program of its own would have it.

import type { Database } from "#platform/database/database.ts";
import { openDatabase } from "#platform/database/open-database.ts";
import type { Vault } from "#platform/vault/vault.ts";

import { noonClock } from "../../support/database.ts";
import { passingVault } from "../../support/passing-vault.ts";
import { databasePlace } from "../../support/postgres-databases.ts";
import { openScratchFolder } from "../../support/scratch.ts";

export interface SharedDatabase extends AsyncDisposable {
  /**
   * Opens it as one more program, in a data directory of its own where none is said; what goes wrong on the
   * way to it is told to `onFault`.
   */
  join(terms?: Joining): Promise<Database>;
}

interface Joining {
  readonly directory?: string;
  readonly vault?: Vault;
  readonly onFault?: (error: unknown) => void;
}

/** A migrated database without an open connection. */
export function openSharedDatabase(): SharedDatabase {
  const folder = openScratchFolder();
  const homes = new DisposableStack();
  const databases: Database[] = [];
  const shared = passingVault();
  return {
    async join({ directory, vault = shared, onFault = fail } = {}) {
      const home = directory ?? homes.use(openScratchFolder()).path;
      const place = { ...(await databasePlace(folder.path)), directory: home };
      const { database } = await openDatabase("test", place, { clock: noonClock, vault, onFault });
      databases.push(database);
      return database;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(databases.map((database) => database.close()));
      homes.dispose();
      folder[Symbol.dispose]();
    },
  };
}

function fail(error: unknown): never {
  throw error;
}
