// Opens the database of a mode: a SQLite file in the data directory, or a schema of a PostgreSQL
// server, whose engine is loaded only then. Invariant: if a server is configured, a file is never used in its place.

import { realpathSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";

import type { Clock } from "#kernel/time.ts";
import type { PostgresAddress } from "#platform/database/postgres/address.ts";
import { migratePostgres } from "#platform/database/postgres/migrate.ts";
import {
  otherConnections,
  PostgresServer,
  requireUsable,
} from "#platform/database/postgres/server.ts";
import type { SlowStatement } from "#platform/database/sqlite/connection.ts";
import { asUnusable } from "#platform/database/sqlite/errors.ts";
import { migrate } from "#platform/database/sqlite/migrate.ts";
import { openSqliteDatabase } from "#platform/database/sqlite/sqlite.ts";
import { openForVerification, readFileSchema } from "#platform/database/sqlite/verify.ts";
import type { Vault } from "#platform/vault/vault.ts";

import type { Commit, Database, Snapshot, VerifiedDatabase } from "./database.ts";
import { engine } from "./engine.ts";
import { dropLeasesOf } from "./leases.ts";
import {
  type CountedSchema,
  DatabaseMissing,
  type MigrationReport,
  type OnStep,
  SchemaMismatch,
} from "./migrations.ts";
import { type Mode, modes } from "./shop.ts";

/** Hexadecimal digits of a digest: 64 bits. */
const HOME_LENGTH = 16;

/** The PostgreSQL server of a shop. */
export interface DatabaseServer {
  readonly address: PostgresAddress;
  /** The most connections that this program opens. */
  readonly connectionsMax: number;
}

/** The place of a shop's data. */
export interface DatabasePlace {
  readonly directory: string;
  /** Null if the databases are files in the directory. */
  readonly server: DatabaseServer | null;
}

/** Other programs use the shop. */
export class ShopInUse extends Error {
  constructor(label: string, connections: number) {
    super(`Another Duka uses ${label} (${connections} connections). Stop every Duka first.`);
    this.name = "ShopInUse";
  }
}

export interface DatabaseTerms {
  readonly clock: Clock;
  readonly vault: Vault;
  /** Given by who takes a shop whose key is lost: the mark of another key is no fault. */
  readonly isKeyReplaced?: true;
  readonly onCommit?: (commit: Commit) => void;
  /** Called when the server cannot be polled for events, or a file was deleted or replaced. */
  readonly onFault: (error: unknown) => void;
  /** Called when a statement held the thread for long; on files alone. */
  readonly onSlow?: (slow: SlowStatement) => void;
  /** Called before each step of a migration of a database with data. */
  readonly onMigration?: OnStep;
}

/**
 * Opens the database of a mode; creates and migrates it as needed. The caller holds the lock of the
 * data directory.
 */
export async function openDatabase(
  mode: Mode,
  place: DatabasePlace,
  terms: DatabaseTerms,
): Promise<{ readonly database: Database; readonly migrated: MigrationReport }> {
  requireLoadedEngine(place);
  if (place.server === null) {
    const path = fileOf(mode, place);
    return onFile(path, async () => {
      const opened = openSqliteDatabase(path, terms);
      await opened.database.write((tx) => dropLeasesOf(tx, opened.database.home));
      return opened;
    });
  }
  const { openPostgresDatabase } = await import("#platform/database/postgres/postgres.ts");
  return openPostgresDatabase({ ...terms, ...place.server, mode, home: homeOf(place.directory) });
}

/**
 * Migrates the database of a mode to this program's schema. The caller holds the lock of the data
 * directory.
 */
export async function migrateDatabase(
  mode: Mode,
  place: DatabasePlace,
  { clock, onStep }: { readonly clock: Clock; readonly onStep?: OnStep },
): Promise<MigrationReport> {
  requireLoadedEngine(place);
  if (place.server === null) {
    const path = fileOf(mode, place);
    return onFile(path, async () => migrate(path, { clock, onStep }));
  }
  const { address } = place.server;
  const server = await PostgresServer.open({ address, schema: mode, connectionsMax: 1 });
  try {
    await requireUsable(server);
    return await migratePostgres(server, mode, { clock, onStep });
  } finally {
    await server.close();
  }
}

/** Opens the database of a mode read-only, without migrating it; see `openForVerification`. */
export async function openDatabaseForVerification(
  mode: Mode,
  place: DatabasePlace,
): Promise<VerifiedDatabase> {
  requireLoadedEngine(place);
  if (place.server === null) return openForVerification(fileOf(mode, place));
  return verifyPostgres(place.server, mode);
}

async function verifyPostgres({ address }: DatabaseServer, mode: Mode): Promise<VerifiedDatabase> {
  const { openPostgresForVerification } = await import("#platform/database/postgres/verify.ts");
  return openPostgresForVerification(address, mode);
}

/**
 * Reads the schema of a mode as it is stored, of any version and beside a running server, and counts the rows of these
 * tables. Throws DatabaseMissing.
 */
export async function readSchema(
  mode: Mode,
  place: DatabasePlace,
  tables: readonly string[],
): Promise<CountedSchema> {
  requireLoadedEngine(place);
  if (place.server === null) return readFileSchema(fileOf(mode, place), tables);
  const { readPostgresSchema } = await import("#platform/database/postgres/verify.ts");
  return readPostgresSchema(place.server.address, mode, tables);
}

/**
 * Opens the committed rows of a mode as they are now, beside a running server, without migrating or locking them. The
 * vault opens what is sealed in them. Throws DatabaseMissing and SchemaMismatch.
 */
export async function openSnapshot(
  mode: Mode,
  place: DatabasePlace,
  vault: Vault,
): Promise<Snapshot> {
  requireLoadedEngine(place);
  if (place.server === null) return openForVerification(fileOf(mode, place), vault);
  const { openPostgresSnapshot } = await import("#platform/database/postgres/verify.ts");
  return openPostgresSnapshot(place.server.address, mode, vault);
}

/**
 * Returns true if the place has databases, of this version or another. Creates nothing. Throws DatabaseMissing where
 * only one of two files is there, since a new one would be of another store.
 */
export async function hasDatabases(place: DatabasePlace): Promise<boolean> {
  requireLoadedEngine(place);
  if (place.server === null) {
    const missing = modes.map((mode) => fileOf(mode, place)).filter((path) => !isThere(path));
    const [path] = missing;
    if (path !== undefined && missing.length < modes.length) throw new DatabaseMissing(path);
    return path === undefined;
  }
  try {
    await using _ = await verifyPostgres(place.server, "test");
  } catch (error) {
    if (error instanceof DatabaseMissing) return false;
    if (!(error instanceof SchemaMismatch)) throw error;
  }
  return true;
}

/** Returns true if a shop is in the files of the directory, also where a server is used. */
export function hasFiles(directory: string): boolean {
  return modes.some((mode) => isThere(fileOf(mode, { directory, server: null })));
}

/**
 * Throws ShopInUse while other programs are connected to the server of a shop. Those on files are kept away by the lock
 * of their directory.
 */
export async function requireAlone({ server }: DatabasePlace): Promise<void> {
  if (server === null) return;
  const { address } = server;
  const connected = await PostgresServer.open({ address, schema: "live", connectionsMax: 1 });
  try {
    const others = await otherConnections(connected);
    if (others > 0) throw new ShopInUse(address.label, others);
  } finally {
    await connected.close();
  }
}

/** Describes the location of a shop for people, without credentials. */
export function describePlace({ directory, server }: DatabasePlace): string {
  return server === null ? `${directory} (SQLite)` : `${server.address.label} (PostgreSQL)`;
}

/** The name of a mode's database as an operator knows it. */
export function databaseName(mode: Mode, place: DatabasePlace): string {
  return place.server === null
    ? fileOf(mode, place)
    : `${place.server.address.label}, schema ${mode}`;
}

/** Throws where this user may not look into the directory: then it is not known. */
function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Does the work on a file; an error of the engine becomes one that names the file. */
async function onFile<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asUnusable(error, path);
  }
}

function fileOf(mode: Mode, { directory }: DatabasePlace): string {
  return join(directory, `${mode}.sqlite`);
}

/**
 * The home of a data directory. The directory's lock lets one program at a time run on it, so
 * leases under this home belong to a program that has ended. A copied directory, here or elsewhere,
 * has another home.
 */
function homeOf(directory: string): string {
  const { dev, ino } = statSync(directory);
  const place = [hostname(), realpathSync(directory), dev, ino].join("\n");
  return new Bun.CryptoHasher("sha256").update(place).digest("hex").slice(0, HOME_LENGTH);
}

/** Tables and statements were built for one engine when the program was loaded. */
function requireLoadedEngine({ server }: DatabasePlace): void {
  if ((server === null ? "sqlite" : "postgres") === engine) return;
  throw new Error(
    `This program was loaded for ${engine}: set DUKA_DATABASE_URL in its environment or in --env-file.`,
  );
}
