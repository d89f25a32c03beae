// `duka serve`: runs the server until SIGTERM or SIGINT. Invariant: an answered write survives every way
// to end. Exit code 0 after a stop that let requests finish, else 1.

import { invocation, shellWord } from "#cli/mistakes.ts";
import { monotonicMs } from "#kernel/time.ts";
import type { Shops } from "#open-shops.ts";
import type { Config } from "#platform/config/config.ts";
import { operator } from "#platform/database/database.ts";
import { SchemaMismatch } from "#platform/database/migrations.ts";
import { describePlace } from "#platform/database/open-database.ts";
import { type Log, openLog } from "#platform/log/log.ts";
import { dropProxies } from "#platform/process/environment.ts";
import { print, reportLost } from "#platform/process/output.ts";
import { collectInPauses } from "#platform/process/script-engine.ts";
import { version } from "#platform/process/version.ts";
import { areTestDoorsOpen } from "#serve-http.ts";
import { type Duka, type RunningServer, type ServerTerms, startDuka } from "#server.ts";
import { revokeAllKeys } from "#shop/keys/revoke-key.ts";
import { STORE_PATH } from "#storefront/store-path.ts";

import { readSettings, type SettingOptions } from "./settings.ts";

// The error of an address that a server cannot listen on, with what to do about it.

/** The server cannot listen where its settings say; the sentence names the setting to change. */
export class CannotListen extends Error {
  constructor(detail: string, options: ErrorOptions) {
    super(detail, options);
    this.name = "CannotListen";
  }
}

/** The error with what to do about it, if it is of the address to listen on. `ways` are those to name a port. */
export function explainListening(
  error: unknown,
  { host, port }: Config["listen"],
  ways = "--port or DUKA_PORT",
): unknown {
  // A file of the data directory may be denied as well.
  if (!(error instanceof Error && "syscall" in error && error.syscall === "listen")) return error;
  const code = "code" in error ? error.code : null;
  const choose = `Choose another port with ${ways}`;
  const details: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} of ${host} is in use. ${choose}; 0 takes any free one.`,
    EACCES: `Port ${port} of ${host} needs root. ${choose}; those above 1023 do not.`,
    EADDRNOTAVAIL: `${host} is no address of this machine. Set --host or DUKA_HOST.`,
  };
  const detail = details[String(code)];
  return detail === undefined ? error : new CannotListen(detail, { cause: error });
}

/** The terminal and npm each send a Ctrl-C to this process: a signal this soon is the same one. */
const SAME_SIGNAL_MS = 200;

/** Starts the server, prints where it is, and exits the process after a stop signal. */
export async function serve(
  options: SettingOptions,
  { commandUsages, vendors }: Required<Pick<ServerTerms, "commandUsages" | "vendors">>,
): Promise<void> {
  const config = readSettings(options);
  const log = openLog(config.log);
  endOnFault(log);
  const dropped = dropProxies();
  if (dropped.length > 0) log.warn("Proxy settings of the environment are ignored.", { dropped });
  const stopped = Promise.withResolvers<NodeJS.Signals | SchemaMismatch>();
  const terms = {
    log,
    commandUsages,
    // A start that ends before it prints its first key has lost it, and may cut a request off.
    onListening: () => onStopSignal(stopped.resolve),
    onReplaced: stopped.resolve,
    vendors,
    commands: async (shops: Shops, running: RunningServer) => {
      const { operatorCommands, serverCommands } = await import("#cli/operator-commands.ts");
      return {
        ...operatorCommands(shops, {
          served: config.modes,
          url: () => running.dashboardUrl,
          gateways: { vendors, config, reopen: running.reopenGateways },
        }),
        ...serverCommands(running, shops.live),
      };
    },
  };
  const duka = await startDuka(config, terms).catch((error: unknown) => {
    throw explainListening(error, config.listen);
  });
  collectInPauses();
  if (!print(greeting(config, duka, await areTestDoorsOpen(config, duka.shops)))) {
    await withdrawFirstKey(duka, log);
  }
  if (reportLost()) {
    await duka.stop();
    process.exit(1);
  }
  const reason = await stopped.promise;
  if (reason instanceof SchemaMismatch) log.error(reason.message);
  const signal = typeof reason === "string" ? reason : undefined;
  log.info("Stopping: waiting for requests in flight.", { signal });
  await duka.stop();
  log.info("Stopped.");
  process.exit(signal === undefined ? 1 : 0);
}

/** Revokes the key of the first start, which no person has seen. There is no other one then. */
async function withdrawFirstKey({ firstKey, shops }: Duka, log: Log): Promise<void> {
  if (firstKey === null) return;
  await shops.test.database.write((tx) => revokeAllKeys(tx), { actor: operator });
  log.warn(`The first key was revoked, since it could not be shown: ${invocation} keys create.`);
}

/** Calls with the first SIGTERM or SIGINT; a later one exits with 1 at once. */
function onStopSignal(stop: (signal: NodeJS.Signals) => void): void {
  let firstAtMs: number | null = null;
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      const nowMs = monotonicMs();
      firstAtMs ??= nowMs;
      if (nowMs - firstAtMs > SAME_SIGNAL_MS) process.exit(1);
      stop(signal);
    });
  }
}

/** Exits after an uncaught error: the state of the process is unknown, and the next start recovers it. */
export function endOnFault(log: Log): void {
  for (const event of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(event, (error: unknown) => {
      log.error("Uncaught error; Duka exits.", { error });
      process.exit(1);
    });
  }
}

function greeting(config: Config, { url, firstKey, firstLink }: Duka, hasStore: boolean): string {
  const lines = [
    `Duka ${version} is running.`,
    "",
    ...(firstLink === null ? [] : [`  Open  ${firstLink}`]),
    `  API   ${url}/v2`,
    `  Docs  ${url}/docs, guides at ${url}/guides`,
    `  Data  ${describePlace({ directory: config.dataDirectory, server: config.server })}`,
    ...(config.modes.includes("test") ? [] : ["  Test  off (DUKA_TEST_MODE)"]),
    ...(hasStore ? [`  Store ${url}${STORE_PATH}, an example that sells from the test shop`] : []),
  ];
  if (firstKey !== null) lines.push(...firstSteps(url, firstKey, keyCommand(config)));
  return lines.join("\n");
}

/** The command that makes another key of this shop, for the folder where the server was started. */
function keyCommand({ given, dataDirectory }: Config): string {
  const place = given.DUKA_DATA_DIR === undefined ? "" : ` --data-dir ${shellWord(dataDirectory)}`;
  return `${invocation} keys create --mode test${place}`;
}

function firstSteps(url: string, key: string, otherKeys: string): string[] {
  return [
    "",
    "Your first test key, shown only once:",
    "",
    `  ${key}`,
    "",
    "Create others with:",
    "",
    `  ${otherKeys}`,
    "",
    "Create a product:",
    "",
    `  curl ${url}/v2/products \\`,
    `    -H "Authorization: Bearer ${key}" \\`,
    '    -H "Content-Type: application/json" \\',
    `    -d '{"name": "Coffee", "price": 12.50, "stock": 10}'`,
  ];
}
