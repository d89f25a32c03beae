// Story: the shop learns the address it is reached at, and, the first time, gets the secret that its
// recovery links are signed with.

import { randomBytes } from "#kernel/random.ts";
import type { Tx } from "#platform/database/database.ts";
import { findRecoveryTerms, putRecoveryTerms } from "#sales/carts/queries.ts";

import { SECRET_BYTES } from "./recovery.ts";

/** Afterwards links begin with this address; those that are in mailboxes stay good. */
export async function openRecovery(tx: Tx, publicUrl: string): Promise<void> {
  const known = await findRecoveryTerms(tx);
  if (known?.publicUrl === publicUrl) return;
  const secret = known?.secret ?? Buffer.from(randomBytes(SECRET_BYTES)).toString("base64url");
  await putRecoveryTerms(tx, { secret, publicUrl });
}
