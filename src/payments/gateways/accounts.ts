// The accounts of the shop at vendors: the credentials that the operator gives in the environment or has stored, where
// they are sealed.

import { defineRefusal } from "#kernel/refusal.ts";
import { HOUR_MS, realClock } from "#kernel/time.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";
import { type Resealing, SealBroken } from "#platform/vault/vault.ts";
import { lockConnections } from "#shop/store/lookups.ts";

import {
  deleteAccountRow,
  deleteAccountRows,
  findAccountRow,
  listAccountRows,
  lockAccountRow,
  putAccountRow,
  saveAccountSeals,
} from "./queries.ts";
import type { GatewayAccountRow } from "./tables.ts";

/** The secrets that calls to a vendor and notices from it need. */
export interface Credentials {
  readonly secret: string;
  /** The newest first. */
  readonly webhookSecrets: readonly string[];
}

/** The secret before, of a vendor or an adapter that signs notices with its secret. */
export interface FormerSecret {
  readonly secret: string;
  /** Epoch milliseconds: what it signed is taken until then. */
  readonly until: number;
}

/** A notice that was not taken is sent again for 72 hours (Paystack, Webhooks), as it was signed at first. */
const FORMER_MS = 73 * HOUR_MS;

/** The former secret of an account that was set then; undefined without one. */
export function formerOf(secrets: readonly string[], setAt: number): FormerSecret | undefined {
  const [secret] = secrets;
  return secret === undefined ? undefined : { secret, until: setAt + FORMER_MS };
}

/**
 * The places for which the secrets of a gateway are sealed, so that a row that is copied elsewhere means nothing there.
 */
function placesOf(gateway: string, mode: "test" | "live") {
  return {
    secret: `gateway ${gateway} ${mode} secret`,
    webhookSecrets: `gateway ${gateway} ${mode} webhook secrets`,
  };
}

const gatewayAccountNotFound = defineRefusal(
  "gateway_account_not_found",
  "not_found",
  "The shop has no stored secret for this gateway.",
);

interface NewAccount {
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

/**
 * Afterwards the gateway has this account, sealed, in place of the one that it had. The caller validated the secrets.
 */
export async function setAccount(tx: Tx, account: NewAccount): Promise<void> {
  const { gateway, mode, secret, display, by } = account;
  await lockConnections(tx);
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
  before: GatewayAccountRow | undefined,
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
function secretOf(tx: Tx, { gateway, mode }: NewAccount, before: GatewayAccountRow): string | null {
  try {
    return tx.vault.unseal(before.placedSecret, placesOf(gateway, mode).secret);
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
}

/** Afterwards no secret of the gateway is stored. Refuses with `gateway_account_not_found`. */
export async function removeAccount(tx: Tx, gateway: string): Promise<void> {
  await lockConnections(tx);
  if (!(await deleteAccountRow(tx, gateway))) throw gatewayAccountNotFound();
}

/** Afterwards no secret of any gateway is stored, as in a backup of another shop. */
export async function removeAllAccounts(tx: Tx): Promise<void> {
  await deleteAccountRows(tx);
}

/** Seals every secret with the vault's present key, for its place. Leaves those that no key opens. */
export async function resealAccounts(tx: Tx, mode: Mode, resealing: Resealing): Promise<void> {
  for (const account of await listAccountRows(tx)) {
    const { gateway, placedSecret, placedWebhookSecrets } = account;
    const places = placesOf(gateway, mode);
    await saveAccountSeals(tx, {
      ...account,
      placedSecret: resealing.reseal(placedSecret, places.secret),
      placedWebhookSecrets:
        placedWebhookSecrets === null
          ? null
          : resealing.reseal(placedWebhookSecrets, places.webhookSecrets),
    });
  }
}

/** An account without its secrets. */
export interface ShownAccount extends Pick<
  GatewayAccountRow,
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
interface StoredCredentials extends Credentials {
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
