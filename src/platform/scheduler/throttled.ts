// Limits how often announcements cause queries over the network.

import type { Database } from "#platform/database/database.ts";

/** The pause of a shared database, milliseconds; a SQLite file needs none. */
const PAUSE_MS = 20;

/**
 * Calls back shortly after commits that announced something. Returns the function that
 * unsubscribes.
 */
export function throttled(database: Database, listener: () => void): () => void {
  if (!database.isShared) return database.onAnnounced(listener);
  let isScheduled = false;
  const call = () => {
    isScheduled = false;
    listener();
  };
  return database.onAnnounced(() => {
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(call, PAUSE_MS).unref();
  });
}
