// One limit in time over several steps. Invariant: when it is disposed, neither a timer nor a
// listener is left, so that thousands of calls leave nothing behind.

export interface Deadline extends Disposable {
  /** Aborted when the time is over, or when the signal from outside was. */
  readonly signal: AbortSignal;
}

/** Starts the time; `outer` may end it early. */
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

/** What the work answers, or a rejection as soon as the signal is aborted; the work goes on. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new Error("The time is over"));
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
