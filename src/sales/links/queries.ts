// SQL of the secret and the address of links.

import { sql } from "drizzle-orm";

import type { Reader, Tx } from "#platform/database/database.ts";
import { prepared, preparedWrite } from "#platform/database/prepared.ts";

import type { LinkTerms } from "./link-token.ts";
import { linkTerms } from "./tables.ts";

const onlyTerms = prepared()((db) => db.select().from(linkTerms));
const putTerms = preparedWrite<LinkTerms & { id: number }>()((tx, at) =>
  tx
    .insert(linkTerms)
    .values({ id: at.id, secret: at.secret, publicUrl: at.publicUrl })
    .onConflictDoUpdate({
      target: linkTerms.id,
      set: { publicUrl: sql`excluded.public_url` },
    }),
);

/** The terms, or undefined in a shop that was never served. */
export async function findLinkTerms(db: Reader): Promise<LinkTerms | undefined> {
  return (await onlyTerms(db, {}))[0];
}

/** Saves the terms. An existing secret is kept, so that links already sent stay valid. */
export async function putLinkTerms(tx: Tx, terms: LinkTerms): Promise<void> {
  await putTerms(tx, { id: 1, ...terms });
}
