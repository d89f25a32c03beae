// Stores of several programs over one database of PostgreSQL, each as a program of its own would have it.

import { openDatabase } from "#platform/database/open-database.ts";
import type { Store } from "#platform/database/store.ts";
import { passingVault, type Vault } from "#platform/vault/vault.ts";

import { databasePlace } from "../../support/postgres-databases.ts";
import { openScratchFolder } from "../../support/scratch.ts";
import { noonClock } from "../../support/store.ts";

export interface SharedDatabase extends AsyncDisposable {
  /**
   * Opens it as one more program, in a data directory of its own where none is said; what goes wrong on the
   * way to it is told to `onFault`.
   */
  join(terms?: Joining): Promise<Store>;
}

interface Joining {
  readonly directory?: string;
  readonly vault?: Vault;
  readonly onFault?: (error: unknown) => void;
}

/** A migrated database that nobody has opened yet. */
export function openSharedDatabase(): SharedDatabase {
  const folder = openScratchFolder();
  const homes = new DisposableStack();
  const stores: Store[] = [];
  const shared = passingVault();
  return {
    async join({ directory, vault = shared, onFault = fail } = {}) {
      const home = directory ?? homes.use(openScratchFolder()).path;
      const place = { ...(await databasePlace(folder.path)), directory: home };
      const { store } = await openDatabase("test", place, { clock: noonClock, vault, onFault });
      stores.push(store);
      return store;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(stores.map((store) => store.close()));
      homes.dispose();
      folder[Symbol.dispose]();
    },
  };
}

function fail(error: unknown): never {
  throw error;
}
