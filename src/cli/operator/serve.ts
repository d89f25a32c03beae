// `duka serve`: runs the shop until it is told to stop. Invariant: whatever way it ends, nothing that
// was answered is lost; a stop that was asked for ends with 0, everything else with 1.

import { monotonicMs } from "#kernel/time.ts";
import type { Config } from "#platform/config/config.ts";
import { placeInWords } from "#platform/database/open-database.ts";
import { type Log, openLog } from "#platform/log/log.ts";
import { dropProxies } from "#platform/process/environment.ts";
import { version } from "#platform/process/version.ts";
import { type Duka, startDuka } from "#server.ts";

import { databasesOf } from "./administer.ts";
import { operatorCommands } from "./operator-commands.ts";
import { serverCommands } from "./server-commands.ts";
import { readSettings, type SettingOptions } from "./settings.ts";

/** npm passes on the Ctrl-C that the terminal has sent already: within this it is the same one. */
const SAME_SIGNAL_MS = 200;

/** Starts, says where, and ends this program when a signal has been obeyed. */
export async function serve(options: SettingOptions): Promise<void> {
  const config = readSettings(options);
  const log = openLog({ level: config.log.level });
  endOnFault(log);
  const dropped = dropProxies();
  if (dropped.length > 0) log.warn("Proxies of the environment are not used.", { dropped });
  const duka = await startDuka(config, {
    log,
    commands: (shops, address) => ({
      ...operatorCommands(databasesOf(shops)),
      ...serverCommands(address),
    }),
  });
  const asked = nextStopSignal();
  console.log(greeting(config, duka));
  const signal = await asked;
  log.info("Stopping: requests in flight are finished first.", { signal });
  await duka.stop();
  log.info("Stopped.");
  process.exit(0);
}

/** Resolves with the first SIGTERM or SIGINT; one more of either ends the program on the spot. */
function nextStopSignal(): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  let askedAtMs: number | null = null;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      const nowMs = monotonicMs();
      askedAtMs ??= nowMs;
      if (nowMs - askedAtMs > SAME_SIGNAL_MS) process.exit(1);
      resolve(signal);
    });
  }
  return promise;
}

/** After a fault that nobody caught, nobody knows what still holds: the next start does. */
function endOnFault(log: Log): void {
  for (const event of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(event, (error: unknown) => {
      log.error("A fault that nobody caught; Duka ends.", { error });
      process.exit(1);
    });
  }
}

function greeting(config: Config, { url, firstKey }: Duka): string {
  const lines = [
    `Duka ${version} is open.`,
    "",
    `  API   ${url}/v2`,
    `  Docs  ${url}/docs`,
    `  Data  ${placeInWords({ directory: config.dataDirectory, server: config.server })}`,
  ];
  return firstKey === null ? lines.join("\n") : [...lines, ...firstSteps(url, firstKey)].join("\n");
}

function firstSteps(url: string, key: string): string[] {
  return [
    "",
    "Your first test key. It is shown this once; `duka keys create --mode test` makes others:",
    "",
    `  ${key}`,
    "",
    "Put something on the shelf:",
    "",
    `  curl ${url}/v2/products \\`,
    `    -H "Authorization: Bearer ${key}" \\`,
    '    -H "Content-Type: application/json" \\',
    `    -d '{"name": "Coffee", "price": 12.50, "stock": 10}'`,
  ];
}
