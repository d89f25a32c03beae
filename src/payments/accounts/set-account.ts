// Story: the secrets of the shop at a vendor are stored.

import { realClock } from "#kernel/time.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";
import { SealBroken } from "#platform/vault/vault.ts";

import { type GatewayAccount, placesOf } from "./account.ts";
import { lockAccountRow, putAccountRow } from "./queries.ts";

export interface NewAccount {
  readonly gateway: string;
  readonly mode: Mode;
  readonly secret: string;
  /** The part of the secret that may be shown. */
  readonly display: string;
  /** Null leaves those that are stored. */
  readonly webhookSecrets: readonly string[] | null;
  /** True if the secret signs notices, too: what the former one signed is still taken for a while. */
  readonly signsNotices?: boolean;
  /** The user who set it; null if that is not known. */
  readonly by: string | null;
}

/** Afterwards the gateway has this account, sealed, in place of the one that it had. The caller validated the secrets. */
export async function setAccount(tx: Tx, account: NewAccount): Promise<void> {
  const { gateway, mode, secret, display, by } = account;
  const before = await lockAccountRow(tx, gateway);
  const places = placesOf(gateway, mode);
  await putAccountRow(tx, {
    gateway,
    placedSecret: tx.vault.seal(secret, places.secret),
    placedWebhookSecrets: placedWebhookSecretsOf(tx, account, before),
    display,
    setAt: realClock.now(),
    setBy: by,
  });
}

function placedWebhookSecretsOf(
  tx: Tx,
  account: NewAccount,
  before: GatewayAccount | undefined,
): string | null {
  const { gateway, mode, webhookSecrets, signsNotices = false } = account;
  const place = placesOf(gateway, mode).webhookSecrets;
  if (webhookSecrets !== null) return tx.vault.seal(webhookSecrets.join(), place);
  const kept = before?.placedWebhookSecrets ?? null;
  if (!signsNotices || before === undefined) return kept;
  const former = secretOf(tx, account, before);
  return former === null || former === account.secret ? kept : tx.vault.seal(former, place);
}

/** Null for a secret that no key opens. */
function secretOf(tx: Tx, { gateway, mode }: NewAccount, before: GatewayAccount): string | null {
  try {
    return tx.vault.unseal(before.placedSecret, placesOf(gateway, mode).secret);
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
}
