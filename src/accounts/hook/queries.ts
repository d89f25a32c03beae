// SQL of the message hook, which is one row.

import { eq, sql } from "drizzle-orm";

import type { Reader, Tx } from "#platform/database/database.ts";
import {
  prepared,
  preparedInsertIfFree,
  preparedLock,
  preparedWrite,
} from "#platform/database/prepared.ts";

import type { SealedHook } from "./hook.ts";
import { messageHook } from "./tables.ts";

export const HOOK_ID = 1;

const theHook = prepared<{ id: number }>()((db, at) =>
  db.select().from(messageHook).where(eq(messageHook.id, at.id)),
);
const hookToLock = preparedLock<{ id: number }>()((db, at) =>
  db.select().from(messageHook).where(eq(messageHook.id, at.id)),
);

/** The hook with its sealed secrets. */
export async function findHook(db: Reader): Promise<SealedHook | undefined> {
  return (await theHook(db, { id: HOOK_ID }))[0];
}

/** The same, locked until the story ends. */
export async function lockHook(tx: Tx): Promise<SealedHook | undefined> {
  return (await hookToLock(tx, { id: HOOK_ID }))[0];
}

export const insertHookIfFree = preparedInsertIfFree(messageHook);

type Changed = Omit<SealedHook, "id" | "createdAt">;

export const saveHook = preparedWrite<Changed>()((tx, at) =>
  tx
    .update(messageHook)
    .set({
      url: sql`${at.url}`,
      takesEmails: sql`${sql.param(at.takesEmails, messageHook.takesEmails)}`,
      sealedSecret: sql`${at.sealedSecret}`,
      sealedOldSecret: sql`${at.sealedOldSecret}`,
      oldSecretExpiresAt: sql`${at.oldSecretExpiresAt}`,
      version: sql`${at.version}`,
      updatedAt: sql`${at.updatedAt}`,
    })
    .where(eq(messageHook.id, HOOK_ID)),
);

export const dropHook = preparedWrite()((tx) => tx.delete(messageHook));

/** Saves the next version of the hook, and returns it. */
export async function saveNextHook(
  tx: Tx,
  before: SealedHook,
  change: Partial<SealedHook>,
): Promise<SealedHook> {
  const after = { ...before, ...change, version: before.version + 1, updatedAt: tx.now };
  await saveHook(tx, after);
  return after;
}
