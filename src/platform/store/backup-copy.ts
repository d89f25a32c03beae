// A copy of a database as it is at one instant, while a server writes it. Three things could hold that
// server up, and each has its answer:
// 1. Copying takes seconds of a thread: another program does it (`copyHere`), and lets others go first.
// 2. A flush of the whole copy would stand before the server's own: it is flushed piece by piece.
// 3. While somebody reads, the write-ahead log cannot be copied back and grows; whoever commits
//    next would copy all of it back at once. So a reader is held here until the copy is done, and the
//    moment it ends this program copies the log back, which does not stop a writer.

import { existsSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename } from "node:path";

import { asBroken, BackupFault } from "./backup-fault.ts";
import { FLUSH_BYTES, type PackingTerms } from "./backup-packing.ts";
import { ownProgram, plainEnvironment, stepBack } from "./backup-program.ts";
import { SqliteConnection } from "./sqlite-connection.ts";

/** The hidden command that does `copyHere`, with two paths after it. */
export const COPY_COMMAND = "copy-database";
/** How often the growing copy is looked at. */
const LOOK_MS = 50;
/** What is written while the log is copied back is copied back next, until little is left. */
const ROUNDS_MAX = 5;
/** The server copies as much back by itself without anybody noticing. */
const REMAINING_PAGES_MAX = 1_000;

const COPY_BACK = "PRAGMA wal_checkpoint(PASSIVE)";
const LOOK = "SELECT count(*) FROM sqlite_schema";

/** Afterwards the new file is the database with everything that was committed before this began. */
export async function copyDatabase(from: string, to: string, terms: PackingTerms): Promise<void> {
  try {
    const writer = SqliteConnection.openWriter(from);
    try {
      await copyWhileHeld(writer, { from, to }, terms);
    } finally {
      writer.close();
    }
  } catch (error) {
    throw asBroken(error, from);
  }
}

/** The log is not copied back by anybody else before this program does it. */
async function copyWhileHeld(
  writer: SqliteConnection,
  { from, to }: { readonly from: string; readonly to: string },
  terms: PackingTerms,
): Promise<void> {
  const reader = SqliteConnection.openReader(from);
  try {
    // Both ends of the hand-over are prepared by running them once: what lies between them then is
    // less than a server needs for a commit.
    writer.command(COPY_BACK);
    for (const statement of ["BEGIN", LOOK, "COMMIT", "BEGIN", LOOK]) reader.command(statement);
    await copyElsewhere(from, to, terms);
    reader.command("COMMIT");
    copyLogBack(writer);
  } finally {
    reader.close();
  }
}

/** The copying itself: it keeps this thread until it is done. */
export function copyHere(from: string, to: string): void {
  stepBack();
  const reader = SqliteConnection.openReader(from);
  try {
    reader.command("VACUUM INTO ?", to);
  } finally {
    reader.close();
  }
}

async function copyElsewhere(from: string, to: string, terms: PackingTerms): Promise<void> {
  const child = Bun.spawn([...ownProgram(), COPY_COMMAND, from, to], {
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

async function flushWhileItGrows(
  ended: Promise<unknown>,
  path: string,
  { onBytes }: PackingTerms,
): Promise<void> {
  let flushed = 0;
  for (let isOver = false; !isOver;) {
    isOver = await Promise.race([ended.then(() => true), Bun.sleep(LOOK_MS).then(() => false)]);
    if (!existsSync(path)) continue;
    const bytes = statSync(path).size;
    onBytes(bytes);
    if (bytes - flushed < FLUSH_BYTES) continue;
    await using copy = await open(path, "r");
    await copy.datasync();
    flushed = bytes;
  }
}

/** Where the server was faster it does the rest itself, and nothing is left to do here. */
function copyLogBack(writer: SqliteConnection): void {
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const [told] = writer.command(COPY_BACK);
    if (remainingPages(told) <= REMAINING_PAGES_MAX) return;
  }
}

/** Pages that are in the log alone; none where another connection copies them back. */
function remainingPages(told: unknown): number {
  if (typeof told !== "object" || told === null) return 0;
  const [log, done] = ["log", "checkpointed"].map((name) => Number(Reflect.get(told, name)));
  return (log ?? 0) - (done ?? 0);
}
