// `duka install`, `duka uninstall`, `duka upgrade` and `duka proxy`: the commands and their options. The work is loaded
// when one runs.

import { Argument, type Command } from "commander";

import { type JsonOptions, readSettings, type SettingOptions } from "#cli/operator/settings.ts";
import { print } from "#platform/process/output.ts";

import type { Proxy } from "./proxy.ts";

interface UninstallOptions {
  readonly dryRun?: true;
}

/** The options of `duka install`. */
export interface InstallOptions extends SettingOptions, UninstallOptions {
  readonly domain?: string;
  readonly email?: string;
  readonly user: string;
}

/** Adds the commands to the program. */
export function addInstall(program: Command, setSound: (isSound: boolean) => void): void {
  const dryRun = ["--dry-run", "print what would be done, and do nothing"] as const;
  program
    .command("install")
    .description("run this program as a service of systemd; may be repeated, also to upgrade")
    .option("--domain <host>", "host name of the shop, for a new file of settings")
    .option(
      "--email <address>",
      "have a certificate signed for the domain, on its authority's terms",
    )
    .option("--user <name>", "user of the service, made if there is none", "duka")
    .option(...dryRun)
    .action(async (_, command: Command) => {
      const { install } = await import("./install.ts");
      const options = command.optsWithGlobals<InstallOptions>();
      setSound(await install(options, await placeFor(options)));
    });
  program
    .command("uninstall")
    .description("remove the service and its program; data, settings and user stay")
    .option(...dryRun)
    .action(async (options: UninstallOptions) => {
      const { uninstall } = await import("./install.ts");
      await uninstall(await placeFor(options));
    });
  program
    .command("upgrade")
    .description("tell what a start of this program would do to the shop; reads beside its server")
    .requiredOption("--check", "try it on a copy, and change nothing")
    .option("--json", "print it as JSON")
    .action(async (_, command: Command) => {
      const { checkUpgradeAtTerminal } = await import("./upgrade.ts");
      setSound(await checkUpgradeAtTerminal(command.optsWithGlobals<JsonOptions>()));
    });
  program
    .command("proxy")
    .description("print what a reverse proxy in front of this server is to be told")
    .addArgument(new Argument("<proxy>", "the reverse proxy").choices(["nginx", "caddy"]))
    .action(async (proxy: Proxy, _, command: Command) => {
      const { LOCAL_PROXIES, proxyBlock } = await import("./proxy.ts");
      const config = readSettings(command.optsWithGlobals<SettingOptions>());
      print(proxyBlock(proxy, config));
      // Not of the block, which may go into a file.
      if (config.http.trustedProxies.length === 0) console.error(LOCAL_PROXIES);
    });
}

function printLine(line: string): void {
  print(line);
}

/** This machine and its terminal. */
async function placeFor({ dryRun }: UninstallOptions) {
  const { thisMachine } = await import("./machine.ts");
  return { machine: thisMachine(), print: printLine, dryRun: dryRun === true };
}
