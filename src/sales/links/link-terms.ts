// What the links of a shop are made with: made at the first start, read with every link.

import { randomBytes } from "#kernel/random.ts";
import type { Reader, Tx } from "#platform/database/database.ts";

import { type LinkTerms, SECRET_BYTES } from "./link-token.ts";
import { findLinkTerms, putLinkTerms } from "./queries.ts";

/**
 * Saves the address that new links start with. The secret is made once, so earlier links stay
 * valid.
 */
export async function openLinks(tx: Tx, publicUrl: string): Promise<void> {
  const saved = await findLinkTerms(tx);
  if (saved?.publicUrl === publicUrl) return;
  const secret = saved?.secret ?? Buffer.from(randomBytes(SECRET_BYTES)).toString("base64url");
  await putLinkTerms(tx, { secret, publicUrl });
}

/** Returns the terms of a shop that `openLinks` opened. */
export async function getLinkTerms(db: Reader): Promise<LinkTerms> {
  const terms = await findLinkTerms(db);
  if (terms === undefined) throw new Error("The shop was opened without the terms of its links.");
  return terms;
}
