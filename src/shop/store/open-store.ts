// Story: create the shop's row in a new database, and save what the gateways of this start take.

import type { Id } from "#kernel/id.ts";
import type { GatewayMethod } from "#kernel/payment-method.ts";
import { nextNumber } from "#platform/database/counters.ts";
import type { Tx } from "#platform/database/database.ts";

import { findStore, storeRows } from "./queries.ts";
import { newStoreSettings, type Store } from "./store.ts";

/**
 * Inserts the shop under this id unless the database already has one, and saves the methods that its
 * gateways take. Returns the shop's id.
 */
export async function openStore(
  tx: Tx,
  id: Id<"store">,
  gatewayMethods: readonly GatewayMethod[] = [],
): Promise<Id<"store">> {
  const known = await findStore(tx);
  if (known !== undefined) return adopt(tx, known, gatewayMethods);
  // The counter's row lock admits one program at a time; later ones find the row that the first wrote.
  await nextNumber(tx, "store_openings", 1);
  const created = await findStore(tx);
  if (created !== undefined) return adopt(tx, created, gatewayMethods);
  await storeRows.insert(tx, {
    id,
    ...newStoreSettings,
    gatewayMethods,
    hasPriceTerms: false,
    version: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
  });
  return id;
}

async function adopt(
  tx: Tx,
  known: Store,
  gatewayMethods: readonly GatewayMethod[],
): Promise<Id<"store">> {
  if (!Bun.deepEquals(known.gatewayMethods, gatewayMethods)) {
    await storeRows.save(tx, known, { gatewayMethods });
  }
  return known.id;
}
