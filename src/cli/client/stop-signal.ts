// The end of a command that goes on until it is told to stop.

/** Disposing it gives the signals back. */
interface StopSignal extends Disposable {
  readonly signal: AbortSignal;
  /** Why nothing more can be printed, where that is what ended it and the reader did not want it. */
  readonly fault: Error | null;
}

/**
 * Aborted by Ctrl-C and its like, and when nobody reads on, as behind `| head`. A second signal ends
 * the program on the spot.
 */
export function catchStopSignal(): StopSignal {
  const stop = new AbortController();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  let fault: Error | null = null;
  const end = () => {
    for (const name of signals) process.off(name, end);
    stop.abort();
  };
  const endUnread = (error: Error) => {
    if (!("code" in error) || error.code !== "EPIPE") fault ??= error;
    end();
  };
  for (const name of signals) process.on(name, end);
  process.stdout.on("error", endUnread);
  return {
    signal: stop.signal,
    get fault() {
      return fault;
    },
    [Symbol.dispose]: () => {
      for (const name of signals) process.off(name, end);
      process.stdout.off("error", endUnread);
    },
  };
}
