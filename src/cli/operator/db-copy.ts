// `duka db copy`: copies the shop of a data directory into PostgreSQL, or back, while no server runs.
// Invariant: no password is printed.

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";

import type { Command } from "commander";

import { realClock } from "#kernel/time.ts";
import type { Config } from "#platform/config/config.ts";
import { lockDataDirectory } from "#platform/data-directory/data-directory.ts";
import { requireOwner } from "#platform/data-directory/own-files.ts";
import { migrateDatabase } from "#platform/database/open-database.ts";
import { parsePostgresAddress, type PostgresAddress } from "#platform/database/postgres/address.ts";
import { modes } from "#platform/database/shop.ts";
import type { FilePlace } from "#platform/files/file-store.ts";
import { print } from "#platform/process/output.ts";
import type { CopyProgress, CopyReport, CopyWork } from "#platform/transfer/copy-shop.ts";
import { openVault, type Vault } from "#platform/vault/vault.ts";

import { requireShop } from "./require-shop.ts";
import { type InitOptions, readSettings, type SettingOptions, UsageFault } from "./settings.ts";
import { progressBar, progressLine, renderTable } from "./table.ts";

interface CopyOptions extends SettingOptions {
  readonly from: string;
  readonly to: string;
}

/** One side of the copy. */
type Place =
  | { readonly address: PostgresAddress }
  /** An absolute path. */
  | { readonly directory: string };

const SECRET_FILE = "secret.key";
const URL_SHAPE = /^postgres(?:ql)?:\/\//i;
/** Means the URL of DUKA_DATABASE_URL, which keeps its password out of the list of processes. */
const POSTGRES_OF_SETTINGS = "postgres";
/** Printed digits of a hash: enough to compare two by eye. */
const HASH_DIGITS = 16;

const HELP = `
<place> is a data directory or postgres://user:password@host:port/database. Every user of the machine
can read the arguments of a process: to keep the password secret, write "postgres", which means the URL
of DUKA_DATABASE_URL. A directory of that name is ./postgres.

Stop every Duka first. The source must have this version's schema (duka migrate); the target must be
empty or missing. Both modes are copied. Secrets stay encrypted: copy their key separately.`;

/** Adds `duka db` to the program. */
export function addDatabases(program: Command): void {
  const databases = program
    .command("db")
    .description("move a shop between data directory and PostgreSQL");
  databases
    .command("copy")
    .description("copy a shop into PostgreSQL or back into a data directory; no server may run")
    .requiredOption("--from <place>", "source of the shop")
    .requiredOption("--to <place>", "target of the copy")
    .addHelpText("after", HELP)
    .action((_, command: Command) => copyAtTerminal(command.optsWithGlobals<CopyOptions>()));
}

/** Prints what was copied, table by table, and what the operator has to do next. */
async function copyAtTerminal(options: CopyOptions): Promise<void> {
  const config = readSettings(options);
  const from = readPlace("--from", options.from, config);
  const to = readPlace("--to", options.to, config);
  using progress = copyProgress();
  const { searchDocuments } = await import("./db-copy-documents.ts");
  const work = { clock: realClock, documentsOf: searchDocuments, ...progress };
  if ("directory" in from && "address" in to) {
    const vault = knownVault(from.directory, config);
    const { copyIntoPostgres } = await copying();
    const report = await copyIntoPostgres(from.directory, to.address, { ...work, vault });
    progress[Symbol.dispose]();
    printReport(report, [
      `Copied the shop of ${from.directory} into ${to.address.label}; the directory is unchanged.`,
      ...keyStepsToServer(report, from.directory, config),
      ...mediaSteps(report, config.media ?? { folder: join(from.directory, "media") }),
      "Start every Duka with DUKA_DATABASE_URL from now on: without it a Duka serves the old directory.",
    ]);
    return;
  }
  if ("address" in from && "directory" in to) {
    const report = await copyBack(from.address, to.directory, { work, config });
    progress[Symbol.dispose]();
    printReport(report, [
      `Copied the shop of ${from.address.label} into ${to.directory}; PostgreSQL is unchanged.`,
      ...keyStepsToDirectory(report, to.directory),
      ...mediaSteps(report, config.media),
      `Start Duka with DUKA_DATA_DIR=${to.directory} and without DUKA_DATABASE_URL.`,
    ]);
    return;
  }
  throw new UsageFault(
    "--from and --to must be one data directory and one PostgreSQL. Copy a directory with " +
      "`duka backup`, a PostgreSQL with pg_dump.",
  );
}

async function copyBack(
  address: PostgresAddress,
  directory: string,
  { work, config }: { work: Omit<CopyWork, "vault">; config: Config },
): Promise<CopyReport> {
  const { copyFromPostgres } = await copying();
  return copyFromPostgres(address, directory, { ...work, vault: knownVault(directory, config) });
}

/** Both engines, which no other command needs. */
function copying() {
  return import("#platform/transfer/copy-shop.ts");
}

/** A bar on a terminal, nothing elsewhere; disposing it clears the line. */
function copyProgress(): Disposable & { readonly onProgress: (progress: CopyProgress) => void } {
  if (!process.stderr.isTTY) return { onProgress: () => {}, [Symbol.dispose]: () => {} };
  const line = progressLine();
  return {
    onProgress: ({ step, mode, doneRows, ofRows }) =>
      line.draw(`${step} ${mode}`, () =>
        // The rows of the search index are not counted in advance.
        ofRows === 0 ? String(doneRows) : progressBar(doneRows, ofRows, `${ofRows} rows`),
      ),
    [Symbol.dispose]: () => line[Symbol.dispose](),
  };
}

function readPlace(option: string, text: string, { server }: Config): Place {
  if (text === POSTGRES_OF_SETTINGS) {
    if (server !== null) return { address: server.address };
    throw new UsageFault(`${option} postgres: DUKA_DATABASE_URL is not set.`);
  }
  if (!URL_SHAPE.test(text)) return { directory: resolve(text) };
  try {
    return { address: parsePostgresAddress(text) };
  } catch (error) {
    if (error instanceof RangeError) throw new UsageFault(`${option}: the URL ${error.message}`);
    throw error;
  }
}

/** The vault of the directory or the settings; null without a key, since a new one could decrypt nothing. */
function knownVault(directory: string, { secretKey }: Config): Vault | null {
  if (secretKey === null && !existsSync(join(directory, SECRET_FILE))) return null;
  return openVault(directory, secretKey);
}

function printReport({ tables }: CopyReport, lines: readonly string[]): void {
  const filled = tables.filter(({ rows }) => rows > 0);
  print(
    renderTable(
      ["MODE", "TABLE", "ROWS", "SHA-256"],
      filled.map(({ mode, table, rows, sha256 }) => [
        mode,
        table,
        String(rows),
        sha256.slice(0, HASH_DIGITS),
      ]),
    ),
  );
  const rows = tables.reduce((sum, one) => sum + one.rows, 0);
  print(`\n${rows} rows in ${tables.length} tables, identical on both sides.`);
  for (const line of lines) print(line);
}

function keyStepsToServer({ secrets }: CopyReport, directory: string, config: Config): string[] {
  if (secrets === "none") return [];
  const key = join(directory, SECRET_FILE);
  if (secrets === "closed") {
    return [
      "The key that encrypts the shop's secrets was not found. Set the old key as DUKA_SECRET_KEY " +
        "of every Duka, else webhooks cannot be signed.",
    ];
  }
  return [
    config.secretKey === null
      ? `The key of its secrets is not copied: set the content of ${key} as DUKA_SECRET_KEY of every Duka.`
      : "The key of its secrets is not copied: start every Duka with the same DUKA_SECRET_KEY as before.",
  ];
}

/** Files are of no engine: both read them in the same place. */
function mediaSteps({ tables }: CopyReport, place: FilePlace | null): string[] {
  if (!tables.some(({ table, rows }) => table === "media" && rows > 0)) return [];
  if (place !== null && "bucket" in place) {
    return [
      "Pictures are not copied: start every Duka with the same DUKA_MEDIA_S3_ settings as now.",
    ];
  }
  const named = place === null ? "the folder of the pictures" : place.folder;
  return [`Pictures are not copied: start every Duka with DUKA_MEDIA_DIR=${named}.`];
}

function keyStepsToDirectory({ secrets }: CopyReport, directory: string): string[] {
  if (secrets === "none") return [];
  const file = join(directory, SECRET_FILE);
  if (secrets === "open") return ["The key of its secrets is not copied: keep the one in use."];
  return [
    `The key of its secrets is not copied: write the old DUKA_SECRET_KEY into ${file} ` +
      "(readable only by its owner) or keep setting it, else webhooks cannot be signed.",
  ];
}

// `duka migrate`: brings both databases to the schema of this version. Refuses while a server has the data
// directory.

/** Prints each step as it begins, the migrations applied and the path of the snapshot made before them. */
export async function migrateAtTerminal(options: InitOptions): Promise<void> {
  const config = readSettings(options);
  const { dataDirectory, server } = config;
  if (options.init !== true) await requireShop(config);
  requireOwner(dataDirectory);
  using lock = lockDataDirectory(dataDirectory);
  const place = { directory: lock.directory, server };
  for (const mode of modes) {
    const { applied, snapshot } = await migrateDatabase(mode, place, {
      clock: realClock,
      onStep: ({ step, number, of }) => print(`${mode}: ${step} (${number} of ${of})`),
    });
    print(
      applied.length === 0
        ? `${mode}: schema is up to date`
        : `${mode}: applied ${applied.join(", ")}`,
    );
    if (snapshot !== null) print(`${mode}: snapshot before the migration: ${snapshot}`);
  }
}
