// The files of the embedded engine: a writer without the rest of the database, a second connection, and the
// commits in the write-ahead log.

import { Database as SqliteFile } from "bun:sqlite";
import { existsSync, readFileSync } from "node:fs";

import { SqliteConnection } from "#platform/database/sqlite/connection.ts";
import { SqliteWriter } from "#platform/database/sqlite/writer.ts";

import { noonClock, openCrateDatabase, UNHURRIED_MS } from "./database.ts";
import { passingVault } from "./passing-vault.ts";
import { openScratchFolder } from "./scratch.ts";

export interface TestWriter extends Disposable {
  readonly writer: SqliteWriter;
  /** The connection of the writer, to cause real failures of the engine. */
  readonly connection: SqliteConnection;
  readonly path: string;
  /** How often the growth of the log was reported. */
  announced(): number;
  /** Stops the file from growing; returns a function that allows it again. */
  fillDisk(): () => void;
  /** The ids of the crates that another connection reads. */
  committed(): string[];
}

/** The writer alone. */
export async function openTestWriter(): Promise<TestWriter> {
  const folder = openScratchFolder();
  const path = folder.file("test.sqlite");
  await (await openCrateDatabase(folder.path)).close();
  const connection = SqliteConnection.openWriter(path);
  let announced = 0;
  const writer = new SqliteWriter(connection, {
    clock: noonClock,
    vault: passingVault(),
    groupMsMax: UNHURRIED_MS,
    lastSequence: () => 0,
    onAnnounced: () => (announced += 1),
  });
  return {
    writer,
    connection,
    path,
    announced: () => announced,
    fillDisk: () => {
      const { page_count: pages } = connection.driver
        .query<{ page_count: number }, []>("PRAGMA page_count")
        .get() ?? { page_count: 1 };
      connection.driver.run(`PRAGMA max_page_count = ${pages}`);
      return () => connection.driver.run("PRAGMA max_page_count = 1000000");
    },
    committed: () => {
      using database = openBeside(path);
      return database
        .query<{ id: string }, []>("SELECT id FROM crates ORDER BY id")
        .all()
        .map((row) => row.id);
    },
    [Symbol.dispose]: () => {
      connection.close();
      folder[Symbol.dispose]();
    },
  };
}

/** A plain connection to the file, like that of a command beside the server. */
export function openBeside(path: string): SqliteFile {
  const database = new SqliteFile(path, { strict: true });
  database.run("PRAGMA busy_timeout = 5000");
  return database;
}

const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/**
 * The commits in the write-ahead log: the frames that carry the file's size (sqlite.org/walformat),
 * of the log's current round.
 */
export function commitsInLog(path: string): number {
  if (!existsSync(`${path}-wal`)) return 0;
  const log = readFileSync(`${path}-wal`);
  if (log.length < LOG_HEADER_BYTES) return 0;
  const frameBytes = FRAME_HEADER_BYTES + log.readUInt32BE(8);
  const salt = log.toString("hex", 16, 24);
  let commits = 0;
  for (let at = LOG_HEADER_BYTES; at + frameBytes <= log.length; at += frameBytes) {
    if (log.toString("hex", at + 8, at + 16) !== salt) break;
    if (log.readUInt32BE(at + 4) > 0) commits += 1;
  }
  return commits;
}
