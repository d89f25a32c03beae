// SQL of connections, one row of each name.

import { eq, sql } from "drizzle-orm";

import type { Reader, Tx } from "#platform/database/database.ts";
import {
  prepared,
  preparedInsertIfFree,
  preparedLock,
  preparedWrite,
} from "#platform/database/prepared.ts";

import { connections } from "./tables.ts";

type SealedConnection = typeof connections.$inferSelect;

const byName = prepared<{ name: string }>()((db, at) =>
  db.select().from(connections).where(eq(connections.name, at.name)),
);
const toLock = preparedLock()((db) => db.select().from(connections));

/** The connection with its sealed secret. */
export async function findConnection(
  db: Reader,
  name: SealedConnection["name"],
): Promise<SealedConnection | undefined> {
  return (await byName(db, { name }))[0];
}

/** All of them, locked until the story ends. */
export function lockConnections(tx: Tx): Promise<SealedConnection[]> {
  return toLock(tx, {});
}

export const insertConnectionIfFree = preparedInsertIfFree(connections);

export const setSeal = preparedWrite<{ name: string; sealedValue: string }>()((tx, at) =>
  tx
    .update(connections)
    .set({ sealedValue: sql`${at.sealedValue}` })
    .where(eq(connections.name, at.name)),
);

export const deleteConnections = preparedWrite()((tx) => tx.delete(connections));
