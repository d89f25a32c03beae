// Stops a command that runs until a signal.

/** Disposing it removes the signal handlers. */
interface StopSignal extends Disposable {
  readonly signal: AbortSignal;
  /** The error of stdout that stopped the command; null for signals and for a pipe that the reader closed. */
  readonly fault: Error | null;
}

/**
 * Aborts on SIGINT, SIGTERM and SIGHUP, and when the reader of stdout closes it, as `| head` does. A second
 * signal kills the program.
 */
export function catchStopSignal(): StopSignal {
  const stop = new AbortController();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  let fault: Error | null = null;
  const end = () => {
    for (const name of signals) process.off(name, end);
    stop.abort();
  };
  const endOnBrokenOutput = (error: Error) => {
    if (!("code" in error) || error.code !== "EPIPE") fault ??= error;
    end();
  };
  for (const name of signals) process.on(name, end);
  process.stdout.on("error", endOnBrokenOutput);
  return {
    signal: stop.signal,
    get fault() {
      return fault;
    },
    [Symbol.dispose]: () => {
      for (const name of signals) process.off(name, end);
      process.stdout.off("error", endOnBrokenOutput);
    },
  };
}
