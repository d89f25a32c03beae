// A copy of a database as it is at one instant, while a server writes it, and without holding it up.
//
// SQLite's own ways of copying either begin anew whenever somebody writes, or read for seconds: and while
// somebody reads, the write-ahead log cannot be copied back beyond the reader. It grows, and then
// whoever commits next copies all of it back at once, while every order waits. Therefore:
//
// 1. Readers are held in turn, each for a moment, the next one before the last one ends. The log is
//    copied back little by little as ever, and is never begun anew, since somebody always reads.
// 2. Another program copies the database file and then the log, as bytes. It has no connection of its
//    own: closing a file gives up the locks that a process has on it.
// 3. The header of the log is the same as before: so the log was not begun anew, and whatever was copied
//    back into the file meanwhile is in the copied log. Else the copy is made again.
// 4. The copy is opened. Its log holds every page that is torn or old in its file, and ends with the
//    last whole commit. It is written anew from its rows, so that no free page keeps what was erased.
//
// Bytes go to the disk a few at a time: a flush of everything would stand before the server's own.

import { closeSync, existsSync, openSync, readSync, renameSync, rmSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename } from "node:path";

import { SqliteConnection } from "#platform/database/sqlite/connection.ts";

import { asBroken, BackupFault } from "./fault.ts";
import { FLUSH_BYTES, type PackingTerms, removeGently } from "./packing.ts";
import { ownProgram, plainEnvironment } from "./program.ts";
import type { BackupStep } from "./steps.ts";

/** How often the growing copy is looked at. */
const LOOK_MS = 20;
/** How long one reader is held: about what a busy shop writes between two copyings back. */
const HELD_MS = 100;
/** A log is begun anew where all of it was copied back when a reader came, which is seldom. */
const ATTEMPTS = 5;
/** The header of a log, with salts that change when it is begun anew (sqlite.org/walformat). */
const LOG_HEADER_BYTES = 32;

const LOOK = "SELECT count(*) FROM sqlite_schema";

/**
 * Afterwards the new file holds everything that was committed before this began; its log lies beside
 * it, and `settleCopy` makes one file of both.
 */
export async function copyDatabase(from: string, to: string, terms: PackingTerms): Promise<void> {
  try {
    for (let attempt = 1; !(await isCopied(from, to, terms)); attempt += 1) {
      for (const path of [to, `${to}-wal`]) rmSync(path, { force: true });
      if (attempt < ATTEMPTS) continue;
      throw new BackupFault(`The log of ${basename(from)} was begun anew whenever it was copied.`);
    }
  } catch (error) {
    throw asBroken(error, from);
  }
}

/** Afterwards the copy is one file, written anew: what was deleted is not in it. */
export async function settleCopy(path: string, terms: PackingTerms): Promise<void> {
  const settled = `${path}.settled`;
  await runBeside("settle-copy", { from: path, to: settled }, terms);
  for (const raw of [`${path}-wal`, `${path}-shm`, path]) await removeGently(raw);
  renameSync(settled, path);
}

/** Makes a copy; answers false where the log was begun anew meanwhile, and the copy is of no use. */
async function isCopied(from: string, to: string, terms: PackingTerms): Promise<boolean> {
  using readers = new ReaderRelay(from);
  const before = logMark(from);
  const copied = runBeside("copy-database", { from, to }, terms);
  await readers.rotateUntil(copied);
  return logMark(from) === before;
}

/** Two connections of which one reads at any time. */
class ReaderRelay implements Disposable {
  #reading: SqliteConnection;
  #resting: SqliteConnection;

  constructor(path: string) {
    this.#reading = SqliteConnection.openReader(path);
    this.#resting = SqliteConnection.openReader(path);
    beginReading(this.#reading);
  }

  /** Reads in turn until the work ended; a reader of the last moment is held afterwards. */
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
  connection.command(LOOK);
}

/** Does a step in a process of its own, while what it makes is flushed. */
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

/** The log of a copy grows after it, and is as large as what was written meanwhile. */
async function flushWhileItGrows(
  ended: Promise<unknown>,
  path: string,
  { onBytes }: PackingTerms,
): Promise<void> {
  const files = [new GrowingFile(path), new GrowingFile(`${path}-wal`)];
  for (let isOver = false; !isOver;) {
    isOver = await Promise.race([ended.then(() => true), Bun.sleep(LOOK_MS).then(() => false)]);
    for (const file of files) await file.flush();
    onBytes(files.reduce((sum, { bytes }) => sum + bytes, 0));
  }
}

/** A file that another program writes. */
class GrowingFile {
  readonly #path: string;
  #flushed = 0;
  bytes = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Afterwards little of it is not on the disk. */
  async flush(): Promise<void> {
    if (!existsSync(this.#path)) return;
    this.bytes = statSync(this.#path).size;
    if (this.bytes - this.#flushed < FLUSH_BYTES) return;
    await using file = await open(this.#path, "r");
    await file.datasync();
    this.#flushed = this.bytes;
  }
}

/**
 * What stays the same as long as the database's log is not begun anew: its header, or where there is no
 * log, when the file was written.
 */
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
