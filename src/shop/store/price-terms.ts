// Remembers in the program what decides on prices: it seldom changes, and each sale needs all of it. The store's row
// has its version, which every change replaces by one that never was before, and which a sale reads in its own
// transaction. So nothing has to be forgotten: after a change, of this program or of another one, no sale asks for the
// former version.

import { randomBytes } from "#kernel/random.ts";
import type { Reader, Tx } from "#platform/database/database.ts";

import { dropPriceTermsVersion, lockStore, savePriceTermsVersion } from "./queries.ts";
import type { Store } from "./store.ts";

/** A program has two shops; the versions before the last ones are not asked for any more. */
const VERSIONS_MAX = 16;

const VERSION_BYTES = 16;

/**
 * A version that never was before, in any database. A number would not do: after a rollback the next change would get
 * it once more, for other rows.
 */
function newPriceTermsVersion(): string {
  return Buffer.from(randomBytes(VERSION_BYTES)).toString("hex");
}

/**
 * A read whose result is remembered by the version and by what is asked, which has few values. Without a version, each
 * call reads. What is known is returned as it is: each sale asks several times, and a promise costs more than the answer.
 */
export function rememberedTerms<Asked, Rows extends object>(
  read: (db: Reader, asked: Asked) => Promise<Rows>,
) {
  const versions = new Map<string, Map<Asked, Rows>>();
  const readOf = async (db: Reader, version: string, asked: Asked): Promise<Rows> => {
    const rows = await read(db, asked);
    const ofVersion = versions.get(version) ?? new Map<Asked, Rows>();
    ofVersion.set(asked, rows);
    versions.delete(version);
    versions.set(version, ofVersion);
    for (const oldest of versions.keys()) {
      if (versions.size <= VERSIONS_MAX) break;
      versions.delete(oldest);
    }
    return rows;
  };
  return (
    db: Reader,
    { priceTermsVersion: version }: Pick<Store, "priceTermsVersion">,
    asked: Asked,
  ): Rows | Promise<Rows> => {
    if (version === null) return read(db, asked);
    return versions.get(version)?.get(asked) ?? readOf(db, version, asked);
  };
}

// Story: the shop's settings are locked, since something that decides on prices is about to change.

/**
 * Locks the settings as `lockSettings` does. Every story that adds, changes or removes an automatic discount, a tax
 * rate or a shipping option calls it first: sales remember these by the version that is new afterwards.
 */
export async function lockPriceTerms(tx: Tx): Promise<void> {
  await lockStore(tx);
  await savePriceTermsVersion(tx, { priceTermsVersion: newPriceTermsVersion() });
}

/** Locks the settings. Afterwards sales look for nothing that decides on prices: the caller removes all of it. */
export async function clearPriceTerms(tx: Tx): Promise<void> {
  await lockStore(tx);
  await dropPriceTermsVersion(tx, {});
}
