// When a sandbox ends: with a signal, and with whatever started it, so that a test suite that crashes leaves none.

import { fstatSync } from "node:fs";

import { catchStopSignal } from "#cli/client/stop-signal.ts";

/** How soon it notices that its parent has ended, milliseconds. */
const LOOK_MS = 500;
const STDIN = 0;

/** Disposing it lets the program end by itself. */
export interface Ending extends Disposable {
  /** Resolves with the reason once a signal comes, a pipe at stdin is closed, or the parent process has ended. */
  readonly reason: Promise<string>;
}

/** Watches from now on, so that a signal during the start ends the sandbox in order, too. */
export function watchEnding(): Ending {
  const stop = catchStopSignal();
  const { promise: reason, resolve } = Promise.withResolvers<string>();
  stop.signal.addEventListener("abort", () => resolve("a signal came"));
  // Not a file or /dev/null, which end at once, nor a terminal.
  const isWatched = isPipe(STDIN);
  if (isWatched) {
    process.stdin.on("end", () => resolve("its stdin was closed"));
    process.stdin.on("error", () => resolve("its stdin was closed"));
    process.stdin.resume();
  }
  const parent = process.ppid;
  const look = setInterval(() => {
    if (process.ppid !== parent) resolve("its parent has ended");
  }, LOOK_MS);
  return {
    reason,
    [Symbol.dispose]: () => {
      clearInterval(look);
      if (isWatched) process.stdin.destroy();
      stop[Symbol.dispose]();
    },
  };
}

function isPipe(descriptor: number): boolean {
  try {
    const found = fstatSync(descriptor);
    return found.isFIFO() || found.isSocket();
  } catch {
    // A program without stdin is not told of its end.
    return false;
  }
}
