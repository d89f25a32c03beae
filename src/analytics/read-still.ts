// Lookup: what takes several statements to read, as it was at one moment. Statements see what was
// committed before each of them; that nothing was counted in between is told by the cursor.

import { findLogCursor, holdLogCursor } from "#platform/store/log-cursors.ts";
import type { Reader, Store } from "#platform/store/store.ts";

import { CONSUMER } from "./figures.ts";

/** How often it is read while others count; then they wait for once. */
const READS_MAX = 3;

/** What `read` answers when no sums changed while it read. It may run more than once. */
export async function readStill<T>(store: Store, read: (db: Reader) => Promise<T>): Promise<T> {
  for (let reads = 0; reads < READS_MAX; reads += 1) {
    const before = await findLogCursor(store.read, CONSUMER);
    const found = await read(store.read);
    if ((await findLogCursor(store.read, CONSUMER)) === before) return found;
  }
  return store.write(async (tx) => {
    await holdLogCursor(tx, CONSUMER);
    return read(tx);
  });
}
