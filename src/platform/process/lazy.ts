// Values that are made when they are first used, so that neither a start nor a command waits for what it does not use.

/** Returns what makes the value at the first call, and answers the same one from then on. */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** The same for what is loaded. A load that failed is tried again at the next call. */
export function lazilyLoaded<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return async () => {
    loading ??= load();
    try {
      return await loading;
    } catch (error) {
      loading = undefined;
      throw error;
    }
  };
}

// Calls listeners without letting them break the caller.

/**
 * Calls a listener. An error it throws is reported as an uncaught one, and does not stop the caller
 * or the other listeners.
 */
export function notifySafely(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
