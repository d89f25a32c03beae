// Stores of several programs over one database of PostgreSQL, each as a program of its own would have it.

import { openDatabase } from "#platform/store/open-database.ts";
import type { Store } from "#platform/store/store.ts";
import { passingVault, type Vault } from "#platform/store/vault.ts";

import { databasePlace } from "../../support/postgres-databases.ts";
import { openScratchFolder } from "../../support/scratch.ts";
import { noonClock } from "../../support/store.ts";

export interface SharedDatabase extends AsyncDisposable {
  /** Opens it as one more program; what goes wrong on the way to it is told to `onFault`. */
  join(terms?: { vault?: Vault; onFault?: (error: unknown) => void }): Promise<Store>;
}

/** A migrated database that nobody has opened yet. */
export function openSharedDatabase(): SharedDatabase {
  const folder = openScratchFolder();
  const stores: Store[] = [];
  const shared = passingVault();
  return {
    async join({ vault = shared, onFault = fail } = {}) {
      const place = await databasePlace(folder.path);
      const { store } = await openDatabase("test", place, { clock: noonClock, vault, onFault });
      stores.push(store);
      return store;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(stores.map((store) => store.close()));
      folder[Symbol.dispose]();
    },
  };
}

function fail(error: unknown): never {
  throw error;
}
