// A time limit over several steps. Invariant: disposing it removes its timer and its listener.

export interface Deadline extends Disposable {
  /** Aborted when the time is over or the outer signal is aborted. */
  readonly signal: AbortSignal;
}

/** Starts the limit; `outer` can end it early. */
export function openDeadline(milliseconds: number, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  const end = () => controller.abort();
  const timer = setTimeout(end, milliseconds);
  outer?.addEventListener("abort", end);
  if (outer?.aborted === true) end();
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      outer?.removeEventListener("abort", end);
    },
  };
}

/** The result of the work, or a rejection once the signal is aborted; the work itself continues. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new Error("The deadline has passed"));
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
