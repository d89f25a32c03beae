// Story: a sample of sales is paid by the default ways to pay, whatever the shop's settings say.

import type { Tx } from "#platform/database/database.ts";

import { lockStore, storeRows } from "./queries.ts";

/** Runs the story with the default payment methods; the shop's own are restored afterwards. */
export async function withDefaultMethods<T>(tx: Tx, story: () => Promise<T>): Promise<T> {
  const before = await lockStore(tx);
  const own = before.paymentMethods;
  if (Object.keys(own).length === 0) return story();
  const defaults = await storeRows.save(tx, before, { paymentMethods: {} });
  const result = await story();
  await storeRows.save(tx, defaults, { paymentMethods: own });
  return result;
}
