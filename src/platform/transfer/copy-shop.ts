// A shop goes from a data directory into PostgreSQL, or back: every row of both modes in the order of keys,
// read back from both sides and compared before anything is kept. Invariant: the source is not changed,
// and a copy that is stopped or differs leaves no row in the target.

import { existsSync } from "node:fs";

import type { Clock } from "#kernel/time.ts";
import { lockDataDirectory } from "#platform/backup/data-directory.ts";
import type { Reader } from "#platform/database/database.ts";
import { engine } from "#platform/database/engine.ts";
import { DatabaseMissing } from "#platform/database/migrations.ts";
import type { PostgresAddress } from "#platform/database/postgres/address.ts";
import type { Mode } from "#platform/database/shop.ts";
import type { Vault } from "#platform/vault/vault.ts";

import { CopyFault } from "./fault.ts";
import { markKey, type Secrets } from "./key-mark.ts";
import { PostgresPlace } from "./postgres-side.ts";
import { SqliteSide } from "./sqlite-side.ts";
import {
  copiedModes,
  type CopiedRow,
  type CopiedTable,
  type CopySide,
  type IndexedSubject,
  type SearchDocument,
  tablesToCopy,
} from "./tables-to-copy.ts";

export interface CopyProgress {
  readonly mode: Mode;
  readonly step: "copying" | "comparing" | "indexing";
  readonly doneRows: number;
  readonly ofRows: number;
}

export interface CopyWork {
  readonly clock: Clock;
  /** The key that the shop's secrets are sealed with, where it is known here. */
  readonly vault: Vault | null;
  /** The texts that these are found by; what is not there any more has none. */
  readonly documentsOf: (
    db: Reader,
    subjects: readonly IndexedSubject[],
  ) => Promise<SearchDocument[]>;
  readonly onProgress: (progress: CopyProgress) => void;
}

/** A table that is the same on both sides. */
export interface CopiedSummary {
  readonly mode: Mode;
  readonly table: string;
  readonly rows: number;
  /** Of its rows in the order of keys, each as a line of JSON. */
  readonly sha256: string;
}

export interface CopyReport {
  readonly tables: readonly CopiedSummary[];
  readonly secrets: Secrets;
}

interface Passage {
  readonly mode: Mode;
  readonly source: CopySide;
  readonly target: CopySide;
  readonly tables: readonly CopiedTable[];
}

/**
 * Afterwards the PostgreSQL holds the shop of the directory, in one commit. Throws CopyFault,
 * DataDirectoryInUse, DatabaseMissing, SchemaMismatch, NoPrimary or UnusableServer.
 */
export async function copyIntoPostgres(
  directory: string,
  address: PostgresAddress,
  work: CopyWork,
): Promise<CopyReport> {
  await using opened = new AsyncDisposableStack();
  // Taking the lock would make it.
  if (!existsSync(directory)) throw new DatabaseMissing(directory);
  const lock = opened.use(lockDataDirectory(directory));
  const sources = copiedModes.map((mode) => ({
    mode,
    source: SqliteSide.openSource(lock.directory, mode),
  }));
  for (const { source } of sources) opened.defer(() => source.close());
  const place = await PostgresPlace.open(address, "target", work.clock);
  opened.defer(() => place.close());
  const passages = sources.map(({ mode, source }) => ({
    mode,
    source,
    target: place.side(mode),
    tables: tablesToCopy(source.tables(), place.columns),
  }));
  const report = await carryAll(passages, work);
  await place.requireStillAlone();
  await place.commit();
  return report;
}

/**
 * Afterwards the directory holds the shop of the PostgreSQL, one commit for each of its files. Throws as
 * the other way does.
 */
export async function copyFromPostgres(
  address: PostgresAddress,
  directory: string,
  work: CopyWork,
): Promise<CopyReport> {
  await using opened = new AsyncDisposableStack();
  const place = await PostgresPlace.open(address, "source", work.clock);
  opened.defer(() => place.close());
  const lock = opened.use(lockDataDirectory(directory));
  const targets: { mode: Mode; target: SqliteSide }[] = [];
  for (const mode of copiedModes) {
    const target = SqliteSide.openTarget(lock.directory, mode, work.clock);
    opened.defer(() => target.close());
    targets.push({ mode, target });
  }
  const passages = targets.map(({ mode, target }) => ({
    mode,
    source: place.side(mode),
    target,
    tables: tablesToCopy(target.tables(), place.columns),
  }));
  const report = await carryAll(passages, work);
  await place.requireStillAlone();
  for (const { target } of targets) target.commit();
  return report;
}

async function carryAll(passages: readonly Passage[], work: CopyWork): Promise<CopyReport> {
  for (const passage of passages) await requireEmpty(passage);
  const tables: CopiedSummary[] = [];
  let secrets: Secrets = "none";
  for (const passage of passages) {
    const ofRows = await copyRows(passage, work);
    tables.push(...(await compareRows(passage, ofRows, work)));
    await indexWords(passage, work);
    const found = await markKey(passage, work.vault);
    if (found !== "none" && secrets !== "closed") secrets = found;
  }
  return { tables, secrets };
}

/** What a migration makes is no row of a shop, and neither is a counter that nobody counted with. */
async function requireEmpty({ target, tables }: Passage): Promise<void> {
  for (const table of tables) {
    const rows = await target.count(table);
    if (rows === 0) continue;
    throw new CopyFault(
      `${target.label} is not empty: ${table.name} has ${rows} rows. ` +
        "A shop is copied only to where none is yet.",
    );
  }
}

/** Answers how many rows there were. */
async function copyRows(
  { mode, source, target, tables }: Passage,
  { onProgress }: CopyWork,
): Promise<number> {
  const counts = await Promise.all(tables.map((table) => source.count(table)));
  const ofRows = counts.reduce((sum, one) => sum + one, 0);
  let doneRows = 0;
  for (const table of tables) {
    for await (const rows of walk(source, table)) {
      await target.put(table, rows);
      doneRows += rows.length;
      onProgress({ mode, step: "copying", doneRows, ofRows });
    }
  }
  await target.keepSequence(await source.lastSequence());
  return ofRows;
}

/** Throws CopyFault where a table does not read the same on both sides. */
async function compareRows(
  { mode, source, target, tables }: Passage,
  ofRows: number,
  { onProgress }: CopyWork,
): Promise<CopiedSummary[]> {
  const summaries: CopiedSummary[] = [];
  let doneRows = 0;
  for (const table of tables) {
    const sent = await digest(source, table);
    const kept = await digest(target, table);
    if (sent.rows !== kept.rows || sent.sha256 !== kept.sha256) {
      throw new CopyFault(
        `${mode}: ${table.name} has ${sent.rows} rows (${sent.sha256}) in ${source.label} and ` +
          `${kept.rows} (${kept.sha256}) in ${target.label}. Nothing was kept.`,
      );
    }
    summaries.push({ mode, table: table.name, ...kept });
    doneRows += kept.rows;
    onProgress({ mode, step: "comparing", doneRows, ofRows });
  }
  if ((await source.lastSequence()) !== (await target.lastSequence())) {
    throw new CopyFault(`${mode}: the event log would not count on. Nothing was kept.`);
  }
  return summaries;
}

/** The index of one engine is of no use to the other: the words are taken from what they are of. */
async function indexWords(
  { mode, source, target }: Passage,
  { documentsOf, onProgress }: CopyWork,
): Promise<void> {
  // Both sides have the same rows by now; statements are made for one engine.
  const db = await (source.engine === engine ? source : target).openReader();
  let doneRows = 0;
  for (let last: IndexedSubject | null = null; ;) {
    const subjects: IndexedSubject[] = await source.indexedAfter(last);
    if (subjects.length === 0) return;
    await target.index(await documentsOf(db, subjects));
    last = subjects.at(-1) ?? null;
    doneRows += subjects.length;
    onProgress({ mode, step: "indexing", doneRows, ofRows: 0 });
  }
}

async function digest(
  side: CopySide,
  table: CopiedTable,
): Promise<{ readonly rows: number; readonly sha256: string }> {
  const hash = new Bun.CryptoHasher("sha256");
  let count = 0;
  for await (const rows of walk(side, table)) {
    count += rows.length;
    for (const row of rows) hash.update(`${JSON.stringify(row)}\n`);
  }
  return { rows: count, sha256: hash.digest("hex") };
}

async function* walk(side: CopySide, table: CopiedTable): AsyncGenerator<CopiedRow[]> {
  for (let last: CopiedRow | null = null; ;) {
    const rows: CopiedRow[] = await side.rowsAfter(table, last);
    if (rows.length === 0) return;
    yield rows;
    last = rows.at(-1) ?? null;
  }
}
