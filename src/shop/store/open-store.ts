// Story: create the shop's row in a new database, and save what the gateways of this start take.

import type { Id } from "#kernel/id.ts";
import type { Tx } from "#platform/database/database.ts";
import { nextNumber } from "#platform/database/held-rows.ts";
import type { Mode } from "#platform/database/shop.ts";

import { type TakenByGateways, triedMethods } from "./payment-methods.ts";
import { findStore, lockStore, storeRows } from "./queries.ts";
import { newStoreSettings } from "./store.ts";

interface StoreOpening {
  /** The methods that the shop's gateways take; nothing by default. */
  readonly taken?: TakenByGateways;
  /** The mode of the shop; live by default. */
  readonly mode?: Mode;
  /** True if this program serves the shop: a command beside a server does not know its gateways. */
  readonly isServing?: boolean;
}

/**
 * Inserts the shop under this id unless the database already has one, and saves what its gateways take: in a shop that
 * was there already only for the program that serves it. Returns the shop's id.
 */
export async function openStore(
  tx: Tx,
  id: Id<"store">,
  {
    taken = { gatewayMethods: [], gatewayCurrencies: {} },
    mode = "live",
    isServing = false,
  }: StoreOpening = {},
): Promise<Id<"store">> {
  const known = await findStore(tx);
  if (known !== undefined) return isServing ? adopt(tx, taken) : known.id;
  // The counter's row lock admits one program at a time; later ones find the row that the first wrote.
  await nextNumber(tx, "store_openings", 1);
  const first = await findStore(tx);
  if (first !== undefined) return isServing ? adopt(tx, taken) : first.id;
  await storeRows.insert(tx, {
    id,
    ...newStoreSettings,
    ...(mode === "test" && { paymentMethods: triedMethods }),
    ...taken,
    hasPriceTerms: false,
    priceTermsVersion: null,
    connectionsVersion: 0,
    version: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
  });
  return id;
}

/** The row is locked, since it is saved as a whole. */
async function adopt(tx: Tx, taken: TakenByGateways): Promise<Id<"store">> {
  const known = await lockStore(tx);
  const { gatewayMethods, gatewayCurrencies } = known;
  if (!Bun.deepEquals({ gatewayMethods, gatewayCurrencies }, taken)) {
    await storeRows.save(tx, known, taken);
  }
  return known.id;
}

/** Runs the story with the payment methods of a new test shop; the shop's own are restored afterwards. */
export async function withDefaultMethods<T>(tx: Tx, story: () => Promise<T>): Promise<T> {
  const before = await lockStore(tx);
  const own = before.paymentMethods;
  if (Bun.deepEquals(own, triedMethods)) return story();
  const defaults = await storeRows.save(tx, before, { paymentMethods: triedMethods });
  const result = await story();
  await storeRows.save(tx, defaults, { paymentMethods: own });
  return result;
}
