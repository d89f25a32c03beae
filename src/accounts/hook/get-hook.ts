// Lookup: the message hook.

import type { Reader } from "#platform/database/database.ts";

import { hookNotFound, type MessageHook } from "./hook.ts";
import { findHook } from "./queries.ts";

/** Returns the hook. Refuses with `message_hook_not_found`. */
export async function getHook(db: Reader): Promise<MessageHook> {
  const hook = await findHook(db);
  if (hook === undefined) throw hookNotFound();
  return hook;
}
