// `duka sandbox` at a terminal: prints where the sandbox is, and closes it at the end. A detached one tells that in its file
// of facts, which the program that started it prints.

import { fstatSync } from "node:fs";

import { catchStopSignal } from "#cli/client/stop-signal.ts";
import { endOnFault } from "#cli/operator/serve.ts";
import type { CommandUsage } from "#guides/fill-guide.ts";
import { realClock } from "#kernel/time.ts";
import { openLog } from "#platform/log/log.ts";
import { cacheFolder, dropProxies } from "#platform/process/environment.ts";

import { askedFor, tellOf } from "./detached-sandboxes.ts";
import { openSandbox, readSandboxEnvironment } from "./open-sandbox.ts";
import { factsOf, printSandbox } from "./sandbox-facts.ts";
import { removeLeftOver } from "./sandbox-folder.ts";
import { readDetachment, readWish, type SandboxOptions } from "./sandbox-options.ts";

// When a sandbox ends: with a signal or a command, and with whatever started it, so that a test suite that crashes leaves
// none. A detached one that is ready does not end with what started it, but at its time.

/** How soon it notices that its parent or its time has ended, milliseconds. */
const LOOK_MS = 500;
const STDIN = 0;

/** Disposing it lets the program end by itself. */
interface Ending extends Disposable {
  /** Resolves with the reason once a signal comes, a pipe at stdin is closed, or the parent process has ended. */
  readonly reason: Promise<string>;
  /** Resolves it with another reason. */
  readonly end: (reason: string) => void;
  /** From now on the end of the parent is none, but this instant is. */
  readonly outlive: (endsAt: number) => void;
}

/** Watches from now on, so that a signal during the start ends the sandbox in order, too. */
function watchEnding(): Ending {
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
  let endsAt: number | null = null;
  const look = setInterval(() => {
    if (endsAt === null && process.ppid !== parent) resolve("its parent has ended");
    // A timer would take days of a laptop that slept for none.
    if (endsAt !== null && realClock.now() >= endsAt) resolve("its time was over");
  }, LOOK_MS);
  return {
    reason,
    end: resolve,
    outlive: (instant) => {
      endsAt = instant;
    },
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

/** Runs a sandbox, tells where it is once it is ready, and exits the process when it has ended. */
export async function runSandbox(
  options: SandboxOptions,
  commandUsages: readonly CommandUsage[],
): Promise<void> {
  const wish = readWish(options);
  const detachment = readDetachment(options);
  const { into = null } = options;
  endOnFault(openLog({ level: "warn", format: "auto" }));
  dropProxies();
  using ending = watchEnding();
  const environment = readSandboxEnvironment(options);
  const onStop = () => ending.end("it was stopped");
  const terms = { wish, environment, cache: cacheFolder(), commandUsages, into, onStop };
  const sandbox = await openSandbox(terms);
  let told: Disposable | null = null;
  if (detachment === null) printSandbox(factsOf(sandbox, null), options);
  else {
    const endsAt = realClock.now() + detachment.forMs;
    ending.outlive(endsAt);
    const facts = factsOf(sandbox, { name: detachment.name, endsAt });
    told = tellOf(detachment.name, facts, askedFor(wish, detachment));
  }
  removeLeftOver();
  const reason = await ending.reason;
  await sandbox.close();
  // Last, for those who wait until nothing is left.
  told?.[Symbol.dispose]();
  if (options.json !== true) console.log(`The sandbox has ended: ${reason}.`);
  process.exit(0);
}
