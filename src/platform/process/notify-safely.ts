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
