// Copies a database as of one instant while a server writes to it, without slowing the server down.
//
// SQLite's own ways of copying either start again whenever a commit happens, or read for seconds.
// While a reader is open, the write-ahead log cannot be checkpointed beyond it. The log grows, and
// once it is too long every order waits for its checkpoint. Therefore:
//
// 1. Readers are held in turn, each for a moment, overlapping the next. The log is checkpointed in
// small steps as usual, and never restarted, because a reader is always open.
// 2. Another process copies the database file and then the log, as bytes. It opens no connection:
// closing a file would release the POSIX locks of its process.
// 3. If the log's header is unchanged, the log was not restarted, and every page that was
// checkpointed meanwhile is in the copied log. Otherwise the copy is made again.
// 4. The copy is opened. Its log contains every page that is torn or outdated in the file, and ends
// with the last complete commit. It is then rewritten from its rows, so that free pages keep no
// deleted data.
//
// Synced in small steps: one large sync would delay the server's own.

import { closeSync, existsSync, openSync, readSync, renameSync, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename } from "node:path";

import { SqliteConnection } from "#platform/database/sqlite/connection.ts";
import { ownProgram } from "#platform/process/own-program.ts";

import { asBroken, BackupFault, FLUSH_BYTES } from "./files.ts";
import { type PackingTerms, removeGently } from "./packing.ts";
import { type BackupStep, plainEnvironment } from "./steps.ts";

/** How often the growing copy is synced, milliseconds. */
const SYNC_MS = 5;
/** How long one reader is held, milliseconds: about what a busy shop writes between checkpoints. */
const HELD_MS = 100;
/** A restart of the log is rare: it needs a complete checkpoint just before a reader opens. */
const ATTEMPTS = 5;
/** The log's header, whose salts change when the log is restarted (sqlite.org/walformat). */
const LOG_HEADER_BYTES = 32;

const READ = "SELECT count(*) FROM sqlite_schema";

/**
 * Copies everything committed before the call into a new file with its log beside it; `settleCopy`
 * makes one file of both.
 */
export async function copyDatabase(from: string, to: string, terms: PackingTerms): Promise<void> {
  try {
    for (let attempt = 1; !(await isCopied(from, to, terms)); attempt += 1) {
      for (const path of [to, `${to}-wal`]) rmSync(path, { force: true });
      if (attempt < ATTEMPTS) continue;
      throw new BackupFault(
        `The log of ${basename(from)} was restarted during every attempt to copy it.`,
      );
    }
  } catch (error) {
    throw asBroken(error, from);
  }
}

/** Rewrites the copy into one file without deleted data. */
export async function settleCopy(path: string, terms: PackingTerms): Promise<void> {
  const settled = `${path}.settled`;
  await runBeside("settle-copy", { from: path, to: settled }, terms);
  for (const raw of [`${path}-wal`, `${path}-shm`, path]) await removeGently(raw);
  renameSync(settled, path);
}

/** Makes a copy; returns false if the log was restarted meanwhile, so that the copy is useless. */
async function isCopied(from: string, to: string, terms: PackingTerms): Promise<boolean> {
  using readers = new ReaderRelay(from);
  const before = logMark(from);
  const copied = runBeside("copy-database", { from, to }, terms);
  await readers.rotateUntil(copied);
  return logMark(from) === before;
}

/** Two connections of which at least one is reading at any time. */
class ReaderRelay implements Disposable {
  #reading: SqliteConnection;
  #resting: SqliteConnection;

  constructor(path: string) {
    this.#reading = SqliteConnection.openReader(path);
    this.#resting = SqliteConnection.openReader(path);
    beginReading(this.#reading);
  }

  /** Reads in turn until the work has ended; one reader is still open then. */
  async rotateUntil(work: Promise<void>): Promise<void> {
    const ended = work.then(() => true);
    while (!(await Promise.race([ended, Bun.sleep(HELD_MS).then(() => false)]))) {
      beginReading(this.#resting);
      this.#reading.command("COMMIT");
      [this.#reading, this.#resting] = [this.#resting, this.#reading];
    }
  }

  [Symbol.dispose](): void {
    this.#reading.close();
    this.#resting.close();
  }
}

function beginReading(connection: SqliteConnection): void {
  connection.command("BEGIN");
  connection.command(READ);
}

/** Runs a step in its own process and syncs its output meanwhile. */
async function runBeside(
  step: BackupStep,
  { from, to }: { readonly from: string; readonly to: string },
  terms: PackingTerms,
): Promise<void> {
  const child = Bun.spawn([...ownProgram(), step, from, to], {
    env: plainEnvironment(),
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
    signal: terms.signal,
  });
  const [complaint, code] = await Promise.all([
    new Response(child.stderr).text(),
    child.exited,
    flushWhileItGrows(child.exited, to, terms),
  ]);
  terms.signal.throwIfAborted();
  if (code === 0) return;
  const reason = complaint.trim() === "" ? `its program ended with ${code}` : complaint.trim();
  throw new BackupFault(`${basename(from)} could not be copied: ${reason}`);
}

/** The log is copied after the file, and grew meanwhile. */
async function flushWhileItGrows(
  ended: Promise<unknown>,
  path: string,
  { onBytes }: PackingTerms,
): Promise<void> {
  const files = [new GrowingFile(path), new GrowingFile(`${path}-wal`)];
  for (let isOver = false; !isOver;) {
    isOver = await Promise.race([ended.then(() => true), Bun.sleep(SYNC_MS).then(() => false)]);
    for (const file of files) await file.flush();
    onBytes(files.reduce((sum, { bytes }) => sum + bytes, 0));
  }
}

/** A file that another process writes. */
class GrowingFile {
  readonly #path: string;
  #flushed = 0;
  bytes = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Syncs what was written so far. */
  async flush(): Promise<void> {
    // Absent before it is begun, and for a moment where the file system cannot share bytes.
    this.bytes = statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
    if (this.bytes - this.#flushed < FLUSH_BYTES) return;
    await using file = await open(this.#path, "r");
    await file.datasync();
    this.#flushed = this.bytes;
  }
}

/** Identifies the current log: its header or, without a log, the file's modification time. */
function logMark(path: string): string {
  const header = existsSync(`${path}-wal`) ? readStart(`${path}-wal`) : "";
  return header === "" ? `written at ${statSync(path, { bigint: true }).mtimeNs}` : header;
}

function readStart(path: string): string {
  const file = openSync(path, "r");
  try {
    const header = Buffer.alloc(LOG_HEADER_BYTES);
    return header.toString("hex", 0, readSync(file, header, 0, LOG_HEADER_BYTES, 0));
  } finally {
    closeSync(file);
  }
}
