// Hearing what a store announces without asking it back more often than is worth it.

import type { Database } from "#platform/database/database.ts";

/** Between two calls where each look goes over a network, milliseconds; a file is asked at once. */
const CALM_MS = 20;

/** Calls back soon after each commit that announced something. Returns how to stop it. */
export function throttled(database: Database, listener: () => void): () => void {
  if (!database.isShared) return database.onAnnounced(listener);
  let isCalled = false;
  const call = () => {
    isCalled = false;
    listener();
  };
  return database.onAnnounced(() => {
    if (isCalled) return;
    isCalled = true;
    setTimeout(call, CALM_MS).unref();
  });
}
