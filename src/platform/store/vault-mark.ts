// Which key the secrets of a shared store are sealed with: a known text, sealed with it. A program with
// another key is refused before it seals something that its neighbors cannot read.

import { eq } from "drizzle-orm";

import { prepared, preparedWrite } from "./prepared.ts";
import type { Tx } from "./store.ts";
import { vaultMarks } from "./tables.ts";

/** The table's only row. */
const ID = 1;
const KNOWN = "duka";

const markOf = prepared()((db) => db.select().from(vaultMarks).where(eq(vaultMarks.id, ID)));
const insert = preparedWrite<{ sealed: string }>()((tx, at) =>
  tx.insert(vaultMarks).values({ id: ID, sealed: at.sealed }),
);

/** Marks the store with this program's key where nobody did. Throws SealBroken where it is another one. */
export async function requireSameKey(tx: Tx): Promise<void> {
  const [mark] = await markOf(tx, {});
  if (mark === undefined) await insert(tx, { sealed: tx.vault.seal(KNOWN) });
  else tx.vault.unseal(mark.sealed);
}
