// SQL of the secret and the address of links.

import { eq, sql } from "drizzle-orm";

import type { Tx } from "#platform/database/database.ts";
import { prepared, preparedWrite } from "#platform/database/prepared.ts";
import { rememberedOne } from "#platform/database/remembered.ts";

import type { StoredLinkTerms } from "./link-token.ts";
import { linkTerms } from "./tables.ts";

const onlyTerms = prepared()((db) => db.select().from(linkTerms));
const putTerms = preparedWrite<StoredLinkTerms & { id: number }>()((tx, at) =>
  tx
    .insert(linkTerms)
    .values({ id: at.id, secret: at.secret, publicUrl: at.publicUrl })
    .onConflictDoUpdate({
      target: linkTerms.id,
      set: { publicUrl: sql`excluded.public_url` },
    }),
);

const replaceSecret = preparedWrite<{ before: string; after: string }>()((tx, at) =>
  tx
    .update(linkTerms)
    .set({ secret: sql`${at.after}` })
    .where(eq(linkTerms.secret, at.before)),
);

/** The terms as they are stored, or undefined in a shop that was never served. */
export const findLinkTerms = rememberedOne<StoredLinkTerms>(
  [linkTerms],
  async (db) => (await onlyTerms(db, {}))[0],
);

/** Saves the terms. An existing secret is kept, so that links already sent stay valid. */
export async function putLinkTerms(tx: Tx, terms: StoredLinkTerms): Promise<void> {
  await putTerms(tx, { id: 1, ...terms });
}

/** Replaces the stored secret unless another program replaced it first. */
export async function replaceLinkSecret(tx: Tx, before: string, after: string): Promise<void> {
  await replaceSecret(tx, { before, after });
}

const dropTerms = preparedWrite()((tx) => tx.delete(linkTerms));

export async function dropLinkTerms(tx: Tx): Promise<void> {
  await dropTerms(tx, {});
}
