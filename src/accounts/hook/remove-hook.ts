// Story: the merchant removes the hook.

import type { Tx } from "#platform/database/database.ts";

import { hookNotFound } from "./hook.ts";
import { dropHook, lockHook } from "./queries.ts";

/** Afterwards there is no hook. Refuses with `message_hook_not_found`. */
export async function removeHook(tx: Tx): Promise<undefined> {
  if ((await lockHook(tx)) === undefined) throw hookNotFound();
  await dropHook(tx, {});
}
