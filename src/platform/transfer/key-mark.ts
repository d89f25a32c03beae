// Marks a copied shop with the key of its secrets, so that a program with another key refuses to
// start instead of failing to sign.

import { isSealed, SealBroken, type Vault } from "#platform/vault/vault.ts";

import { type CopiedTable, type CopySide } from "./tables-to-copy.ts";

/** Columns with these names contain sealed text. What is sealed for a place, which is not known here, has other names. */
const SEALED = /^(?:sealed_.+|secret)$/;
const MARKS = "vault_marks";
/** The id of the mark's only row. */
const ID = "1";
const KNOWN = "duka";

/** Tells whether the copied shop has secrets, and whether this key opens them. */
export type Secrets = "none" | "open" | "closed";

export interface Copied {
  readonly target: CopySide;
  readonly tables: readonly CopiedTable[];
}

/** Stores the mark if the key opens the copy's secrets and there is no mark yet. */
export async function markKey({ target, tables }: Copied, vault: Vault | null): Promise<Secrets> {
  const sealed = await someSecret(target, tables);
  if (sealed === null) return "none";
  if (vault === null || !opens(vault, sealed)) return "closed";
  const marks = tables.find(({ name }) => name === MARKS);
  if (marks !== undefined && (await target.count(marks)) === 0) {
    const row = { id: ID, sealed: vault.seal(KNOWN) };
    await target.put(marks, [
      marks.columns.map(({ name }) => (name === "id" ? row.id : row.sealed)),
    ]);
  }
  return "open";
}

async function someSecret(side: CopySide, tables: readonly CopiedTable[]): Promise<string | null> {
  for (const table of tables) {
    const place = table.columns.findIndex(({ name }) => SEALED.test(name));
    if (place < 0) continue;
    for (let rows = await side.rowsAfter(table, null); rows.length > 0;) {
      // A version that did not seal this column yet saved its secrets in the clear.
      const found = rows.map((row) => row[place]).find((text) => text && isSealed(text));
      if (found) return found;
      rows = await side.rowsAfter(table, rows.at(-1) ?? null);
    }
  }
  return null;
}

function opens(vault: Vault, sealed: string): boolean {
  try {
    vault.unseal(sealed);
    return true;
  } catch (error) {
    if (error instanceof SealBroken) return false;
    throw error;
  }
}
