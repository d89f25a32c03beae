// Story: the secrets of the shop at a vendor are stored.

import { realClock } from "#kernel/time.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";

import { placesOf } from "./account.ts";
import { lockAccountRow, putAccountRow } from "./queries.ts";

export interface NewAccount {
  readonly gateway: string;
  readonly mode: Mode;
  readonly secret: string;
  /** What may be shown of the secret. */
  readonly display: string;
  /** Null leaves those that are stored. */
  readonly webhookSecrets: readonly string[] | null;
  /** The user who set it; null if that is not known. */
  readonly by: string | null;
}

/** Afterwards the gateway has this account, sealed, in place of the one that it had. The caller validated the secrets. */
export async function setAccount(tx: Tx, account: NewAccount): Promise<void> {
  const { gateway, mode, secret, webhookSecrets, display, by } = account;
  const before = await lockAccountRow(tx, gateway);
  const places = placesOf(gateway, mode);
  await putAccountRow(tx, {
    gateway,
    placedSecret: tx.vault.seal(secret, places.secret),
    placedWebhookSecrets:
      webhookSecrets === null
        ? (before?.placedWebhookSecrets ?? null)
        : tx.vault.seal(webhookSecrets.join(), places.webhookSecrets),
    display,
    setAt: realClock.now(),
    setBy: by,
  });
}
