// Which key the secrets of a shared store are sealed with: a known text, sealed with it. A program with
// another key is refused before it seals something that its neighbors cannot read.

import { eq } from "drizzle-orm";

import type { Tx } from "#platform/database/database.ts";
import { prepared, preparedWrite } from "#platform/database/prepared.ts";
import { vaultMarks } from "#platform/database/tables.ts";
import { SealBroken } from "#platform/vault/vault.ts";

/** The table's only row. */
const ID = 1;
const KNOWN = "duka";

const markOf = prepared()((db) => db.select().from(vaultMarks).where(eq(vaultMarks.id, ID)));
const insert = preparedWrite<{ sealed: string }>()((tx, at) =>
  tx.insert(vaultMarks).values({ id: ID, sealed: at.sealed }),
);

/** The secrets of the store are sealed with a key that this program does not have. */
export class OtherKey extends Error {
  constructor(cause: unknown) {
    super(
      "The secrets of this shop are sealed with another key than this program's. Give every program " +
        "the same DUKA_SECRET_KEY: what stands in secret.key of the data directory that was first.",
      { cause },
    );
    this.name = "OtherKey";
  }
}

/** Marks the store with this program's key where nobody did. Throws OtherKey where it is another one. */
export async function requireSameKey(tx: Tx): Promise<void> {
  const [mark] = await markOf(tx, {});
  if (mark === undefined) await insert(tx, { sealed: tx.vault.seal(KNOWN) });
  else requireUnsealed(tx, mark.sealed);
}

function requireUnsealed({ vault }: Tx, sealed: string): void {
  try {
    vault.unseal(sealed);
  } catch (error) {
    throw error instanceof SealBroken ? new OtherKey(error) : error;
  }
}
