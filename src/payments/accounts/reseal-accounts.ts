// Story: the secrets of gateways are sealed with another key.

import type { Tx } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";
import type { Resealing } from "#platform/vault/resealing.ts";

import { placesOf } from "./account.ts";
import { listAccountRows, saveAccountSeals } from "./queries.ts";

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
