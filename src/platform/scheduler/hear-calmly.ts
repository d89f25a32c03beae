// Hearing what a store announces without asking it back more often than is worth it.

import type { Store } from "#platform/database/store.ts";

/** Between two calls where each look goes over a network, milliseconds; a file is asked at once. */
const CALM_MS = 20;

/** Calls back soon after each commit that announced something. Returns how to stop it. */
export function hearCalmly(store: Store, listener: () => void): () => void {
  if (!store.isShared) return store.onAnnounced(listener);
  let isCalled = false;
  const call = () => {
    isCalled = false;
    listener();
  };
  return store.onAnnounced(() => {
    if (isCalled) return;
    isCalled = true;
    setTimeout(call, CALM_MS).unref();
  });
}
