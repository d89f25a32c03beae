// What becomes of the secrets in a database that this shop cannot read, or that another one may know.

import { distrustHook } from "#accounts/hook/hook-seals.ts";
import { distrustSecrets } from "#messaging/webhooks/endpoints/secrets.ts";
import { removeAllAccounts } from "#payments/accounts/remove-all-accounts.ts";
import type { Tx } from "#platform/database/database.ts";
import { dropSecretAnswers } from "#platform/http/idempotency/idempotency.ts";
import { dropLinkSecret } from "#sales/links/link-terms.ts";

/** Afterwards none of them is used; the next start makes a new secret of links. */
export async function giveUpSecrets(tx: Tx): Promise<void> {
  await distrustSecrets(tx);
  await distrustHook(tx);
  await dropSecretAnswers(tx);
  await dropLinkSecret(tx);
  await removeAllAccounts(tx);
}
