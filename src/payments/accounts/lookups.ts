// Reads: the stored accounts, and the credentials that are sealed in them.

import type { Reader } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";

import { type Credentials, type GatewayAccount, placesOf } from "./account.ts";
import { findAccountRow, listAccountRows } from "./queries.ts";

/** An account without its secrets. */
export interface ShownAccount extends Pick<
  GatewayAccount,
  "gateway" | "display" | "setAt" | "setBy"
> {
  readonly hasWebhookSecrets: boolean;
}

/** The stored accounts as they may be shown. */
export async function listAccounts(db: Reader): Promise<ShownAccount[]> {
  return (await listAccountRows(db)).map(
    ({ gateway, display, setAt, setBy, placedWebhookSecrets }) => {
      const hasWebhookSecrets = placedWebhookSecrets !== null;
      return { gateway, display, setAt, setBy, hasWebhookSecrets };
    },
  );
}

/** Stored credentials, and when they were set (epoch milliseconds). */
export interface StoredCredentials extends Credentials {
  readonly setAt: number;
}

/**
 * The stored credentials of a gateway; undefined if there are none. Throws SealBroken for those that were sealed with
 * another key, for another mode or for another gateway.
 */
export async function findStoredCredentials(
  db: Reader,
  gateway: string,
  mode: Mode,
): Promise<StoredCredentials | undefined> {
  const account = await findAccountRow(db, gateway);
  if (account === undefined) return undefined;
  const { placedSecret, placedWebhookSecrets, setAt } = account;
  const places = placesOf(gateway, mode);
  const webhookSecrets =
    placedWebhookSecrets === null
      ? []
      : db.vault.unseal(placedWebhookSecrets, places.webhookSecrets).split(",");
  return { secret: db.vault.unseal(placedSecret, places.secret), webhookSecrets, setAt };
}
