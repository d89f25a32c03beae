// Verifies a database file: the engine finds no fault, every reference has its row, and the shop's
// figures agree.

import { basename } from "node:path";

import type { Difference } from "#kernel/difference.ts";
import type { Clock } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";
import { NOT_OF_LITESTREAM, SqliteConnection } from "#platform/database/sqlite/connection.ts";
import { migrate, sqliteMigrations } from "#platform/database/sqlite/migrate.ts";
import { openForVerification, schemaDifferencesOf } from "#platform/database/sqlite/verify.ts";

import { asBroken, BackupFault } from "./files.ts";
import type { PackedDatabase } from "./manifest.ts";

/** How many differences per database are listed; further ones are only counted. */
const DIFFERENCES_LISTED = 20;

/** The shop's knowledge about its database, which the platform lacks. */
export interface ShopProof {
  /** The keys that let requests in, each as a line for people. */
  keysIn(db: Reader): Promise<readonly string[]>;
  /** The people who may sign in, likewise. */
  peopleIn(db: Reader): Promise<readonly string[]>;
  readonly audits: readonly ((db: Reader) => AsyncIterable<Difference>)[];
  /** Compares the files of the folder with what the database says of them. */
  auditFiles(db: Reader, folder: string): AsyncIterable<Difference>;
  /** Null in a database that was never opened as a shop. */
  storeIdOf(db: Reader): Promise<string | null>;
}

/** A database file, and the folder of its media. */
interface Provable {
  readonly path: string;
  readonly media: string;
}

/** The audit result of a database without faults. */
export interface Proven {
  /** The keys of the shop that are not revoked. */
  readonly keys: readonly string[];
  /** The people of the shop who were not removed. */
  readonly people: readonly string[];
  readonly storeId: string | null;
  readonly differences: number;
  /** The first differences. */
  readonly listed: readonly Difference[];
}

export type Contents = Pick<PackedDatabase, "migrations" | "rows">;

/** The migrations and row counts of a database with any schema. */
export function contentsOf(path: string): Contents {
  return soundly(path, () => {
    const connection = SqliteConnection.openReader(path);
    try {
      const tables = connection
        .command(
          `SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main' AND ${NOT_OF_LITESTREAM}`,
        )
        .map((row) => String(row["name"]))
        .filter((name) => !name.startsWith("sqlite_"))
        .toSorted();
      const migrations = tables.includes("migrations")
        ? connection.command("SELECT name, hash FROM migrations ORDER BY name")
        : [];
      return {
        migrations: migrations.map((row) => ({
          name: String(row["name"]),
          hash: String(row["hash"]),
        })),
        rows: Object.fromEntries(tables.map((name) => [name, countRows(connection, name)])),
      };
    } finally {
      connection.close();
    }
  });
}

/** Returns true if the next start would migrate it. */
export function isOlder({ migrations }: Contents): boolean {
  return migrations.length < sqliteMigrations.length;
}

/**
 * Migrates the file as a start would, then verifies it. Changes the file. The schema is compared
 * before, too: a migration may drop a foreign trigger that has acted in it.
 */
export async function rehearseStart(
  { path, media }: Provable,
  { shop, clock }: { readonly shop: ShopProof; readonly clock: Clock },
): Promise<Proven> {
  const before = soundly(path, () => schemaDifferencesOf(path));
  soundly(path, () => migrate(path, { clock }));
  const proven = await prove({ path, media }, shop);
  const after = new Set(proven.listed.map(({ subject }) => subject));
  const gone = before.filter(({ subject }) => !after.has(subject));
  return {
    ...proven,
    differences: proven.differences + gone.length,
    listed: [...gone, ...proven.listed],
  };
}

/** Verifies the file, and those of its media. Throws BackupFault if it is broken; differences are returned. */
export async function prove({ path, media }: Provable, shop: ShopProof): Promise<Proven> {
  try {
    using file = openForVerification(path);
    const [fault] = file.faults();
    if (fault !== undefined) throw new BackupFault(`${basename(path)} is broken: ${fault}`);
    const listed: Difference[] = [];
    let differences = 0;
    const note = (difference: Difference) => {
      differences += 1;
      if (listed.length < DIFFERENCES_LISTED) listed.push(difference);
    };
    for (const difference of file.schemaDifferences()) note(difference);
    for (const audit of shop.audits) {
      for await (const difference of audit(file.reader)) note(difference);
    }
    for await (const difference of shop.auditFiles(file.reader, media)) note(difference);
    const keys = await shop.keysIn(file.reader);
    const people = await shop.peopleIn(file.reader);
    return { storeId: await shop.storeIdOf(file.reader), differences, listed, keys, people };
  } catch (error) {
    throw asBroken(error, path);
  }
}

function soundly<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asBroken(error, path);
  }
}

function countRows(connection: SqliteConnection, table: string): number {
  const [row] = connection.command(`SELECT count(*) AS rows FROM "${table.replaceAll('"', '""')}"`);
  return Number(row?.["rows"]);
}
