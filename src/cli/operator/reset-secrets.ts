// `duka secrets reset`: the way on where the key of a shop is lost. It can be stopped at any moment: the same command
// goes on with the database that still has secrets of another key.

import { distrustHook } from "#accounts/hook/set-hook.ts";
import { forgetCodes } from "#customers/sessions/end-sessions.ts";
import { realClock } from "#kernel/time.ts";
import { distrustSecrets } from "#messaging/webhooks/endpoints/secrets.ts";
import { requireOwnKey } from "#open-shops.ts";
import { removeAllAccounts } from "#payments/gateways/accounts.ts";
import { distrustCustom } from "#payments/gateways/custom-gateways.ts";
import { lockDataDirectory } from "#platform/data-directory/data-directory.ts";
import { requireOwner } from "#platform/data-directory/own-files.ts";
import { operator, type Reader, type Tx } from "#platform/database/database.ts";
import { requireNewestSchema } from "#platform/database/migrations.ts";
import {
  type DatabasePlace,
  openDatabase,
  requireAlone,
} from "#platform/database/open-database.ts";
import { requireMarkKey, resealMark } from "#platform/database/postgres/key-mark.ts";
import { type Mode, modes } from "#platform/database/shop.ts";
import { dropSecretAnswers } from "#platform/http/calls/idempotency.ts";
import { userName } from "#platform/process/environment.ts";
import { print } from "#platform/process/output.ts";
import { openVault, OtherKey, type Vault } from "#platform/vault/vault.ts";
import { dropLinkSecret } from "#sales/links/link-terms.ts";
import { recordAct } from "#shop/audit/record-act.ts";
import { distrustConnections } from "#shop/connections/push-keys.ts";
import { distrustSubscriptions } from "#shop/people/sessions/subscriptions.ts";

import { requireShop } from "./require-shop.ts";
import { readSettings, type SettingOptions, UsageFault } from "./settings.ts";

/** Prints what is lost with the former key. Throws UsageFault where the present one opens the shop's secrets. */
export async function resetAtTerminal(options: SettingOptions): Promise<void> {
  const config = readSettings(options);
  await requireShop(config);
  requireOwner(config.dataDirectory);
  using lock = lockDataDirectory(config.dataDirectory);
  const place = { directory: lock.directory, server: config.server };
  await requireAlone(place);
  const vault = openVault(place.directory, config.secretKey);
  const reset: Mode[] = [];
  for (const mode of modes) if (await resetShop(mode, place, vault)) reset.push(mode);
  if (reset.length === 0) {
    throw new UsageFault("The key opens the secrets of this shop, so nothing was reset.");
  }
  print(
    `The shop has the present key now, in ${reset.join(" and ")} mode. Lost with the former one:
- Webhooks are disabled until they have new secrets, and the message hook is removed.
- No push messages are sent to browsers: each person turns them on again.
- No secret of a gateway is stored: set each again that does not come from a setting, and add your own gateways again.
- Earlier links to carts, to orders and to unsubscribe are not valid, and no code of a customer is.
- Withdrawals of consent stay with the customers on record; those of other addresses are forgotten.
- Earlier backups are restored with a copy of the former key, or as --unverified.`,
  );
  print(
    config.secretKey === null
      ? "Keep a copy of secret.key in another place."
      : "Keep a copy of DUKA_SECRET_KEY in another place.",
  );
}

/** Returns false, having changed nothing, if the key opens the secrets of the mode. */
async function resetShop(mode: Mode, place: DatabasePlace, vault: Vault): Promise<boolean> {
  const { database } = await openDatabase(mode, place, {
    clock: realClock,
    vault,
    isKeyReplaced: true,
    // The story that follows fails with it.
    onFault: () => {},
  });
  try {
    if (await hasKey(database.read)) return false;
    await database.write(takeKey, { actor: operator });
    return true;
  } finally {
    await database.close();
  }
}

async function hasKey(db: Reader): Promise<boolean> {
  try {
    await requireMarkKey(db);
    await requireOwnKey(db);
    return true;
  } catch (error) {
    if (error instanceof OtherKey) return false;
    throw error;
  }
}

async function takeKey(tx: Tx): Promise<void> {
  await requireNewestSchema(tx);
  await giveUpSecrets(tx);
  await forgetCodes(tx);
  await resealMark(tx);
  await recordAct(tx, { actorName: userName(), action: "secrets reset", subject: null });
}

// Gives up the secrets in a database that this shop cannot read, or that another one may know.

/** Afterwards none of them is used; the next start makes a new secret of links. */
export async function giveUpSecrets(tx: Tx): Promise<void> {
  await distrustSecrets(tx);
  await distrustHook(tx);
  await dropSecretAnswers(tx);
  await dropLinkSecret(tx);
  await removeAllAccounts(tx);
  await distrustCustom(tx);
  await distrustConnections(tx);
  await distrustSubscriptions(tx);
}
