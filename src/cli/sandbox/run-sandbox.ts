// `duka sandbox` at a terminal: prints where the sandbox is, and closes it at the end.

import { endOnFault } from "#cli/operator/serve.ts";
import type { CommandUsage } from "#guides/fill-guide.ts";
import { toIso } from "#kernel/time.ts";
import { openLog } from "#platform/log/log.ts";
import { cacheFolder, dropProxies } from "#platform/process/environment.ts";
import { version } from "#platform/process/version.ts";
import { STORE_PATH } from "#storefront/store-path.ts";

import { watchEnding } from "./ending.ts";
import { openSandbox, type Sandbox } from "./open-sandbox.ts";
import { readSandboxEnvironment } from "./sandbox-config.ts";
import { removeLeftOver } from "./sandbox-folder.ts";
import { readWish, type SandboxOptions } from "./sandbox-options.ts";

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

/** What `--json` prints. Names and meanings stay; others may be added. */
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
