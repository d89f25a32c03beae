// `duka db copy`: the shop of a data directory goes into PostgreSQL, or back, while no server runs. A
// password is never printed.

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

import { readSettings, type SettingOptions } from "#cli/operator/settings.ts";
import { renderTable } from "#cli/operator/table.ts";
import { UsageFault } from "#cli/operator/usage-fault.ts";
import { realClock } from "#kernel/time.ts";
import type { Config } from "#platform/config/config.ts";
import { parsePostgresAddress, type PostgresAddress } from "#platform/database/postgres/address.ts";
import {
  copyFromPostgres,
  copyIntoPostgres,
  type CopyReport,
  type CopyWork,
} from "#platform/transfer/copy-shop.ts";
import { openVault, type Vault } from "#platform/vault/vault.ts";

import { searchDocuments } from "./db-copy-documents.ts";
import { copyProgress } from "./db-copy-progress.ts";

export interface CopyOptions extends SettingOptions {
  readonly from: string;
  readonly to: string;
}

/** Where a shop is, or is to be. */
type Place =
  | { readonly address: PostgresAddress }
  /** Absolute. */
  | { readonly directory: string };

const SECRET_FILE = "secret.key";
const URL_SHAPE = /^postgres(?:ql)?:\/\//i;
/** Stands for the URL of the settings, so that no password is in a list of processes. */
const OF_THE_SETTINGS = "postgres";
/** Of the hash, as many digits as a person compares. */
const HASH_SHOWN = 16;

/** Says what was copied, table by table, and what the operator does next. */
export async function copyAtTerminal(options: CopyOptions): Promise<void> {
  const config = readSettings(options);
  const from = readPlace("--from", options.from, config);
  const to = readPlace("--to", options.to, config);
  using progress = copyProgress();
  const work = { clock: realClock, documentsOf: searchDocuments, ...progress };
  if ("directory" in from && "address" in to) {
    const vault = knownVault(from.directory, config);
    const report = await copyIntoPostgres(from.directory, to.address, { ...work, vault });
    progress[Symbol.dispose]();
    say(report, [
      `The shop of ${from.directory} is in ${to.address.told} now; the directory is as it was.`,
      ...tellKeyOfServer(report, from.directory, config),
      "Start every Duka with DUKA_DATABASE_URL, and none on the directory without it any more.",
    ]);
    return;
  }
  if ("address" in from && "directory" in to) {
    const report = await copyBack(from.address, to.directory, { work, config });
    progress[Symbol.dispose]();
    say(report, [
      `The shop of ${from.address.told} is in ${to.directory} now; the server is as it was.`,
      ...tellKeyOfDirectory(report, to.directory),
      `Start Duka with DUKA_DATA_DIR=${to.directory} and without DUKA_DATABASE_URL.`,
    ]);
    return;
  }
  throw new UsageFault(
    "--from and --to: one is a data directory, the other a PostgreSQL. To copy a directory, use " +
      "`duka backup`; to copy a PostgreSQL, pg_dump.",
  );
}

function copyBack(
  address: PostgresAddress,
  directory: string,
  { work, config }: { work: Omit<CopyWork, "vault">; config: Config },
): Promise<CopyReport> {
  return copyFromPostgres(address, directory, { ...work, vault: knownVault(directory, config) });
}

function readPlace(option: string, text: string, { server }: Config): Place {
  if (text === OF_THE_SETTINGS) {
    if (server !== null) return { address: server.address };
    throw new UsageFault(`${option} postgres: DUKA_DATABASE_URL does not say where it is`);
  }
  if (!URL_SHAPE.test(text)) return { directory: resolve(text) };
  try {
    return { address: parsePostgresAddress(text) };
  } catch (error) {
    if (error instanceof RangeError) throw new UsageFault(`${option}: the URL ${error.message}`);
    throw error;
  }
}

/** A key is not made for a copy: it would open nothing. */
function knownVault(directory: string, { secretKey }: Config): Vault | null {
  if (secretKey === null && !existsSync(join(directory, SECRET_FILE))) return null;
  return openVault(directory, secretKey);
}

function say({ tables }: CopyReport, lines: readonly string[]): void {
  const filled = tables.filter(({ rows }) => rows > 0);
  console.log(
    renderTable(
      ["MODE", "TABLE", "ROWS", "SHA-256"],
      filled.map(({ mode, table, rows, sha256 }) => [
        mode,
        table,
        String(rows),
        sha256.slice(0, HASH_SHOWN),
      ]),
    ),
  );
  const rows = tables.reduce((sum, one) => sum + one.rows, 0);
  console.log(`\n${rows} rows in ${tables.length} tables, the same on both sides.`);
  for (const line of lines) console.log(line);
}

function tellKeyOfServer({ secrets }: CopyReport, directory: string, config: Config): string[] {
  if (secrets === "none") return [];
  const key = join(directory, SECRET_FILE);
  if (secrets === "closed") {
    return [
      "The secrets of this shop are sealed with a key that was not found here: give every Duka the " +
        "one that it had as DUKA_SECRET_KEY, else webhooks cannot be signed.",
    ];
  }
  return [
    config.secretKey === null
      ? `The key of its secrets is not in the database: give every Duka what stands in ${key} as DUKA_SECRET_KEY.`
      : "The key of its secrets is not in the database: give every Duka the same DUKA_SECRET_KEY as now.",
  ];
}

function tellKeyOfDirectory({ secrets }: CopyReport, directory: string): string[] {
  if (secrets === "none") return [];
  const file = join(directory, SECRET_FILE);
  if (secrets === "open") return ["The key of its secrets is not in the files: keep it as it is."];
  return [
    `The key of its secrets is not in the files: put what DUKA_SECRET_KEY was into ${file} ` +
      "(readable by its owner alone), or go on giving it, else webhooks cannot be signed.",
  ];
}
