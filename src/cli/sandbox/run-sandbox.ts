// `duka sandbox` at a terminal: prints where the sandbox is, and closes it at the end.

import { fstatSync } from "node:fs";

import { catchStopSignal } from "#cli/client/stop-signal.ts";
import { endOnFault } from "#cli/operator/serve.ts";
import type { CommandUsage } from "#guides/fill-guide.ts";
import { toIso } from "#kernel/time.ts";
import { openLog } from "#platform/log/log.ts";
import { cacheFolder, dropProxies } from "#platform/process/environment.ts";
import { version } from "#platform/process/version.ts";
import { STORE_PATH } from "#storefront/store-path.ts";

import { openSandbox, readSandboxEnvironment, type Sandbox } from "./open-sandbox.ts";
import { removeLeftOver } from "./sandbox-folder.ts";
import { readWish, type SandboxOptions } from "./sandbox-options.ts";

// When a sandbox ends: with a signal, and with whatever started it, so that a test suite that crashes leaves none.

/** How soon it notices that its parent has ended, milliseconds. */
const LOOK_MS = 500;
const STDIN = 0;

/** Disposing it lets the program end by itself. */
interface Ending extends Disposable {
  /** Resolves with the reason once a signal comes, a pipe at stdin is closed, or the parent process has ended. */
  readonly reason: Promise<string>;
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

/** Runs a sandbox, prints where it is once it is ready, and exits the process when it has ended. */
export async function runSandbox(
  options: SandboxOptions,
  commandUsages: readonly CommandUsage[],
): Promise<void> {
  const wish = readWish(options);
  endOnFault(openLog({ level: "warn", format: "auto" }));
  dropProxies();
  using ending = watchEnding();
  const environment = readSandboxEnvironment(options);
  const sandbox = await openSandbox({ wish, environment, cache: cacheFolder(), commandUsages });
  console.log(options.json === true ? JSON.stringify(factsOf(sandbox)) : greeting(sandbox));
  removeLeftOver();
  const reason = await ending.reason;
  await sandbox.close();
  if (options.json !== true) console.log(`The sandbox has ended: ${reason}.`);
  process.exit(0);
}

/** The facts that `--json` prints. Names and meanings stay; others may be added. */
function factsOf({ duka, memory, directory, isKept, dashboard, owner }: Sandbox) {
  const { key, publishableKey, seed, scenario } = memory;
  return {
    version,
    url: duka.url,
    api: `${duka.url}/v2`,
    key,
    publishable_key: publishableKey,
    dashboard,
    store: `${duka.url}${STORE_PATH}`,
    owner,
    clock: toIso(duka.shops.test.clock.now()),
    seed,
    scenario,
    directory,
    kept: isKept,
  };
}

function greeting(sandbox: Sandbox): string {
  const { url, key, publishable_key, dashboard, store, owner, clock, directory } = factsOf(sandbox);
  const fate = sandbox.isKept ? "kept at the end" : "deleted at the end; --keep keeps it";
  return [
    `Duka ${version}: a sandbox is running. Ctrl+C ends it.`,
    "",
    `  Open  ${dashboard}`,
    `        signs you in once; later ${owner.name}, ${owner.password}`,
    `  Store ${store}`,
    `  API   ${url}/v2`,
    `  Docs  ${url}/docs, guides at ${url}/guides`,
    `  Clock ${clock}`,
    `  Data  ${directory} (${fate})`,
    "",
    "Its keys, for programs and for web pages:",
    "",
    `  ${key}`,
    `  ${publishable_key}`,
  ].join("\n");
}
