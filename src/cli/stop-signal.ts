// The end of a command that goes on until it is told to stop.

/** Disposing it gives the signals back. */
interface StopSignal extends Disposable {
  readonly signal: AbortSignal;
}

/** Aborted by Ctrl-C and its like; a second one ends the program on the spot. */
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
