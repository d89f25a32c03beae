// `duka secrets rotate`: a new key for everything that is sealed, while no server runs. It can be
// stopped at any moment: both keys open secrets until everything is sealed with the new one, and
// the same command goes on.

import { resealHook } from "#accounts/hook/set-hook.ts";
import { resealContactSecret } from "#customers/consent/contact-vault.ts";
import { forgetCodes } from "#customers/sessions/end-sessions.ts";
import { resealSecrets } from "#messaging/webhooks/endpoints/secrets.ts";
import { type OpenedShops, openShops } from "#open-shops.ts";
import { resealAccounts } from "#payments/gateways/accounts.ts";
import { resealCustom } from "#payments/gateways/custom-gateways.ts";
import { resealAcme } from "#platform/acme/queries.ts";
import type { Config } from "#platform/config/config.ts";
import { lockDataDirectory } from "#platform/data-directory/data-directory.ts";
import { requireOwner } from "#platform/data-directory/own-files.ts";
import { operator, type Tx } from "#platform/database/database.ts";
import { requireNewestSchema } from "#platform/database/migrations.ts";
import { requireAlone } from "#platform/database/open-database.ts";
import { resealMark } from "#platform/database/postgres/key-mark.ts";
import { type Mode, modes } from "#platform/database/shop.ts";
import { resealAnswers } from "#platform/http/calls/idempotency.ts";
import { openLog } from "#platform/log/log.ts";
import { userName } from "#platform/process/environment.ts";
import { print } from "#platform/process/output.ts";
import {
  beginRotation,
  finishRotation,
  type Keys,
  parseKeys,
  retireKeys,
} from "#platform/vault/keys.ts";
import { Resealing, signingKey } from "#platform/vault/vault.ts";
import { renewLinkSecret } from "#sales/links/link-terms.ts";
import { recordAct } from "#shop/audit/record-act.ts";
import { resealConnections } from "#shop/connections/push-keys.ts";
import { resealSubscriptions } from "#shop/people/sessions/subscriptions.ts";

import { requireShop } from "./require-shop.ts";
import { readSettings, type SettingOptions, UsageFault } from "./settings.ts";

/** Prints what was encrypted again, and what the operator has to do next. */
export async function rotateAtTerminal(options: SettingOptions): Promise<void> {
  const config = readSettings(options);
  await requireShop(config);
  requireOwner(config.dataDirectory);
  using lock = lockDataDirectory(config.dataDirectory);
  // One that goes on with the former key alone would seal with it what then opens with none.
  await requireAlone({ directory: lock.directory, server: config.server });
  await requireKeyOfShop(config, lock.directory);
  const [, ...former] = keysToRotate(config, lock.directory);
  const { resealed, unreadable } = await resealShops(config, lock.directory);
  retireKeys(lock.directory, former.map(signingKey));
  if (config.secretKey === null) finishRotation(lock.directory);
  print(`${resealed} secrets are encrypted with the new key. Earlier links are not valid.`);
  if (unreadable > 0) {
    print(`${unreadable} secrets cannot be decrypted: give their endpoints and gateways new ones.`);
  }
  print(
    config.secretKey === null
      ? "Keep a copy of the new secret.key in another place."
      : "Remove the former keys from DUKA_SECRET_KEY.",
  );
}

/** Throws OtherKey before a key is made or put before one that is not the shop's. Refuses with `newer_schema`. */
async function requireKeyOfShop(config: Config, directory: string): Promise<void> {
  await using shops = await openAll(config, directory);
  for (const mode of modes) await requireNewestSchema(shops[mode].database.read);
}

/** The new key and the former ones. The settings cannot be changed here, so they must have both. */
function keysToRotate({ secretKey }: Config, directory: string): Keys {
  if (secretKey === null) return beginRotation(directory);
  const keys = parseKeys(secretKey);
  if (keys !== null && keys.length > 1) return keys;
  throw new UsageFault(
    "The key is in DUKA_SECRET_KEY: put a new one before it, with a comma between them, and repeat " +
      "the command. Every program of the shop needs both until it has ended.",
  );
}

function openAll({ server, secretKey, log }: Config, directory: string): Promise<OpenedShops> {
  const terms = { log: openLog({ ...log, level: "warn" }), secretKey };
  return openShops({ directory, server }, terms);
}

async function resealShops(config: Config, directory: string) {
  await using shops = await openAll(config, directory);
  let resealed = 0;
  let unreadable = 0;
  for (const mode of modes) {
    const { database } = shops[mode];
    const done = await database.write((tx) => resealShop(tx, mode, new Resealing(database.vault)), {
      actor: operator,
    });
    resealed += done.resealed;
    unreadable += done.unreadable;
  }
  return { resealed, unreadable };
}

/** Everything that is sealed in a database. */
async function resealShop(tx: Tx, mode: Mode, resealing: Resealing): Promise<Resealing> {
  await resealSecrets(tx, resealing);
  await resealAccounts(tx, mode, resealing);
  await resealCustom(tx, mode, resealing);
  await resealHook(tx, resealing);
  await resealAcme(tx, resealing);
  await resealConnections(tx, resealing);
  await resealSubscriptions(tx, resealing);
  await resealAnswers(tx, resealing);
  await resealContactSecret(tx, resealing);
  await forgetCodes(tx);
  await resealMark(tx);
  await renewLinkSecret(tx);
  await recordAct(tx, { actorName: userName(), action: "secrets rotate", subject: null });
  return resealing;
}
