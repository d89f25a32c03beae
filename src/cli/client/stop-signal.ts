// Stops a command that runs until a signal.

/** Disposing it removes the signal handlers. */
interface StopSignal extends Disposable {
  readonly signal: AbortSignal;
}

/** Aborts on SIGINT, SIGTERM and SIGHUP. A second signal kills the program. */
export function catchStopSignal(): StopSignal {
  const stop = new AbortController();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const end = () => {
    for (const name of signals) process.off(name, end);
    stop.abort();
  };
  for (const name of signals) process.on(name, end);
  return {
    signal: stop.signal,
    [Symbol.dispose]: () => {
      for (const name of signals) process.off(name, end);
    },
  };
}
