// Whether a database file is one that can be served: the engine finds it whole, every reference leads
// somewhere, and the shop's own figures agree.

import { basename } from "node:path";

import type { Difference } from "#kernel/difference.ts";
import type { Clock } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";
import { SqliteConnection } from "#platform/database/sqlite/connection.ts";
import { migrate, sqliteMigrations } from "#platform/database/sqlite/migrate.ts";
import { openForVerification } from "#platform/database/sqlite/verify.ts";

import { asBroken, BackupFault } from "./fault.ts";
import type { PackedDatabase } from "./manifest.ts";

/** How many differences of one database are told; the rest is counted. */
const DIFFERENCES_TOLD = 20;

/** What the shop knows of its database, and the platform does not. */
export interface ShopProof {
  readonly audits: readonly ((db: Reader) => AsyncIterable<Difference>)[];
  /** Null in a database that was never opened as a shop. */
  storeIdOf(db: Reader): Promise<string | null>;
}

/** What was found in a database that the engine finds whole. */
export interface Proven {
  readonly storeId: string | null;
  readonly differences: number;
  /** The first of them. */
  readonly told: readonly Difference[];
}

export type Contents = Pick<PackedDatabase, "migrations" | "rows">;

/** The migrations a database has and the rows of its tables, whatever its schema. */
export function contentsOf(path: string): Contents {
  return soundly(path, () => {
    const connection = SqliteConnection.openReader(path);
    try {
      const tables = connection
        .command("SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main'")
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

/** Whether the next start would migrate it. */
export function isOlder({ migrations }: Contents): boolean {
  return migrations.length < sqliteMigrations.length;
}

/** What a start would do to the file, then its proof. The file is changed. */
export async function rehearse(
  path: string,
  { shop, clock }: { readonly shop: ShopProof; readonly clock: Clock },
): Promise<Proven> {
  soundly(path, () => migrate(path, { clock }));
  return prove(path, shop);
}

/** Throws BackupFault for a file that is broken; figures that do not agree are told. */
export async function prove(path: string, shop: ShopProof): Promise<Proven> {
  try {
    using file = openForVerification(path);
    const [fault] = file.faults();
    if (fault !== undefined) throw new BackupFault(`${basename(path)} is broken: ${fault}`);
    const told: Difference[] = [];
    let differences = 0;
    for (const audit of shop.audits) {
      for await (const difference of audit(file.reader)) {
        differences += 1;
        if (told.length < DIFFERENCES_TOLD) told.push(difference);
      }
    }
    return { storeId: await shop.storeIdOf(file.reader), differences, told };
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
