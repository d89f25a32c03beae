// Copies a shop from a data directory into PostgreSQL, or back: every row of both modes in the
// order of keys, read back from both sides and compared before the commit. Invariant: the source is
// not changed, and a copy that is interrupted or differs leaves no row in the target.

import { existsSync } from "node:fs";

import type { Clock } from "#kernel/time.ts";
import { lockDataDirectory } from "#platform/data-directory/data-directory.ts";
import type { Reader } from "#platform/database/database.ts";
import { engine } from "#platform/database/engine.ts";
import { DatabaseMissing } from "#platform/database/migrations.ts";
import type { PostgresAddress } from "#platform/database/postgres/address.ts";
import type { Mode } from "#platform/database/shop.ts";
import { isSealed, SealBroken, type Vault } from "#platform/vault/vault.ts";

import { CopyFault } from "./fault.ts";
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

// Marks a copied shop with the key of its secrets, so that a program with another key refuses to
// start instead of failing to sign.

/** Columns with these names contain sealed text. What is sealed for a place, which is not known here, has other names. */
const SEALED = /^(?:sealed_.+|secret)$/;
const MARKS = "vault_marks";
/** The id of the mark's only row. */
const ID = "1";
const KNOWN = "duka";

/** Tells whether the copied shop has secrets, and whether this key opens them. */
export type Secrets = "none" | "open" | "closed";

export interface Copied {
  readonly target: CopySide;
  readonly tables: readonly CopiedTable[];
}

/** Stores the mark if the key opens the copy's secrets and there is no mark yet. */
export async function markKey({ target, tables }: Copied, vault: Vault | null): Promise<Secrets> {
  const sealed = await someSecret(target, tables);
  if (sealed === null) return "none";
  if (vault === null || !opens(vault, sealed)) return "closed";
  const marks = tables.find(({ name }) => name === MARKS);
  if (marks !== undefined && (await target.count(marks)) === 0) {
    const row = { id: ID, sealed: vault.seal(KNOWN) };
    await target.put(marks, [
      marks.columns.map(({ name }) => (name === "id" ? row.id : row.sealed)),
    ]);
  }
  return "open";
}

async function someSecret(side: CopySide, tables: readonly CopiedTable[]): Promise<string | null> {
  for (const table of tables) {
    const place = table.columns.findIndex(({ name }) => SEALED.test(name));
    if (place < 0) continue;
    for (let rows = await side.rowsAfter(table, null); rows.length > 0;) {
      // A version that did not seal this column yet saved its secrets in the clear.
      const found = rows.map((row) => row[place]).find((text) => text && isSealed(text));
      if (found) return found;
      rows = await side.rowsAfter(table, rows.at(-1) ?? null);
    }
  }
  return null;
}

function opens(vault: Vault, sealed: string): boolean {
  try {
    vault.unseal(sealed);
    return true;
  } catch (error) {
    if (error instanceof SealBroken) return false;
    throw error;
  }
}

export interface CopyProgress {
  readonly mode: Mode;
  readonly step: "copying" | "comparing" | "indexing";
  readonly doneRows: number;
  readonly ofRows: number;
}

export interface CopyWork {
  readonly clock: Clock;
  /** The key that the shop's secrets are sealed with, if it is known here. */
  readonly vault: Vault | null;
  /** The texts of the indexed subjects; deleted subjects have none. */
  readonly documentsOf: (
    db: Reader,
    subjects: readonly IndexedSubject[],
  ) => Promise<SearchDocument[]>;
  readonly onProgress: (progress: CopyProgress) => void;
}

/** A table with equal rows on both sides. */
export interface CopiedSummary {
  readonly mode: Mode;
  readonly table: string;
  readonly rows: number;
  /** The digest of its rows in the order of keys, each as a line of JSON. */
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
 * Copies the shop of the directory into PostgreSQL, in one commit. Throws CopyFault,
 * DataDirectoryInUse, DatabaseMissing, SchemaMismatch, NoPrimary or UnusableServer.
 */
export async function copyIntoPostgres(
  directory: string,
  address: PostgresAddress,
  work: CopyWork,
): Promise<CopyReport> {
  await using opened = new AsyncDisposableStack();
  // Checked first, because taking the lock would create the directory.
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
 * Copies the shop of PostgreSQL into the directory, one commit per file. Throws the same errors.
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

/** Rows that migrations create, and unused counters, do not count as data of a shop. */
async function requireEmpty({ target, tables }: Passage): Promise<void> {
  for (const table of tables) {
    const rows = await target.count(table);
    if (rows === 0) continue;
    throw new CopyFault(
      `${target.label} is not empty: ${table.name} has ${rows} rows. ` +
        "The target of a copy must be empty.",
    );
  }
}

/** Returns the number of copied rows. */
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

/** Throws CopyFault if the table differs between the sides. */
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
          `${kept.rows} (${kept.sha256}) in ${target.label}. Nothing was copied.`,
      );
    }
    summaries.push({ mode, table: table.name, ...kept });
    doneRows += kept.rows;
    onProgress({ mode, step: "comparing", doneRows, ofRows });
  }
  if ((await source.lastSequence()) !== (await target.lastSequence())) {
    throw new CopyFault(`${mode}: the last sequences of the event log differ. Nothing was copied.`);
  }
  return summaries;
}

/** Rebuilds the search index from the texts: the engines' indexes have different forms. */
async function indexWords(
  { mode, source, target }: Passage,
  { documentsOf, onProgress }: CopyWork,
): Promise<void> {
  // Both sides have the same rows now; reads the one whose engine the statements were built for.
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
