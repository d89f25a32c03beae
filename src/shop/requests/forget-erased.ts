// Workflow: what was sent of customers is dropped from memory once another program erased them.

import { MINUTE_MS } from "#kernel/time.ts";
import type { Database } from "#platform/database/database.ts";
import { listEntries } from "#shop/audit/list-entries.ts";

import { forgettingOperations } from "./request.ts";

/** More than the clocks of two machines differ by. */
const CLOCKS_DIFFER_MS = MINUTE_MS;

interface Remembering {
  readonly database: Database;
  readonly requests: { forget(until: number): void };
}

/** Drops from memory what other programs on the same database erased. Of its own erasures a program is told at once. */
export async function forgetErased({ database, requests }: Remembering): Promise<void> {
  if (!database.isShared) return;
  for (const action of forgettingOperations) {
    const { rows } = await listEntries(database.read, { action }, { limit: 1, after: null });
    const last = rows[0];
    if (last !== undefined) requests.forget(last.createdAt + CLOCKS_DIFFER_MS);
  }
}
