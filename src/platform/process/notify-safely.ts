// Telling listeners of a store that something was announced.

/** What a listener throws is as loud as any uncaught error, and stops neither writer nor neighbor. */
export function notifySafely(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
