// Commands work on a shop that is there: a misspelled directory is an error, not a second shop.

import { invocation } from "#cli/mistakes.ts";
import { member } from "#cli/operator/members.ts";
import { isSwapping } from "#platform/backup/swap.ts";
import { type Config, publicUrlAt } from "#platform/config/config.ts";
import { describePlace, hasDatabases, hasFiles } from "#platform/database/open-database.ts";
import { callAnywhere } from "#platform/net/call-anywhere.ts";

/** A server of this machine answers sooner; the error is printed without it. */
const PROBE_MS = 1_000;

/** There is no shop to work on. The sentence names the server that runs elsewhere, if one answers. */
export class NoShop extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = "NoShop";
  }
}

/** Throws NoShop unless the settings name a place with a shop. Creates nothing. */
export async function requireShop(config: Config): Promise<void> {
  const place = { directory: config.dataDirectory, server: config.server };
  if (await hasDatabases(place)) return;
  if (config.server === null && isSwapping(config.dataDirectory)) return;
  const where = config.server === null ? place.directory : describePlace(place);
  throw new NoShop(`There is no shop at ${where}.\n${await advice(config)}`);
}

async function advice(config: Config): Promise<string> {
  const { dataDirectory: directory } = config;
  if (config.server !== null && hasFiles(directory)) return movingThere(directory);
  const start = `Start one there with "${invocation} serve"`;
  if (config.server !== null) return `${start}, or name another database in DUKA_DATABASE_URL.`;
  const naming = "name its data directory with --data-dir or DUKA_DATA_DIR.";
  const url = await runningServer(config);
  return url === null ? `${start}, or ${naming}` : `A server runs at ${url}: ${naming}`;
}

/** A server that is started before the shop is copied would fill what has to be empty. */
function movingThere(directory: string): string {
  return (
    `There is a shop in the files of ${directory}. To move it there, start no server first: run\n` +
    `  DUKA_DATABASE_URL= ${invocation} migrate --data-dir ${directory}\n` +
    `  ${invocation} db copy --from ${directory} --to postgres`
  );
}

/** The URL of the Duka that listens where this one would; null where none answers. */
async function runningServer(config: Config): Promise<string | null> {
  const url = publicUrlAt({ ...config, publicUrl: null }, config.listen.port);
  const call = { method: "GET", url: `${url}/readyz`, headers: {}, timeoutMs: PROBE_MS };
  try {
    const { text } = await callAnywhere(call);
    return typeof member(JSON.parse(text), "engine") === "string" ? url : null;
  } catch {
    // Whatever answers there instead, it is no Duka; the command fails either way.
    return null;
  }
}
