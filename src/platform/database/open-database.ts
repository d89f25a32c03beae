// The database of a mode, whichever engine holds it: a file of the data directory, or a schema of the
// PostgreSQL that is named. Invariant: where a server is named, no file ever takes its place.

import { realpathSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";

import type { Clock } from "#kernel/time.ts";
import type { PostgresAddress } from "#platform/database/postgres/address.ts";
import { migratePostgres } from "#platform/database/postgres/migrate.ts";
import { openPostgresDatabase } from "#platform/database/postgres/postgres.ts";
import { PostgresServer } from "#platform/database/postgres/server.ts";
import { requireUsable } from "#platform/database/postgres/settings.ts";
import { openPostgresForVerification } from "#platform/database/postgres/verify.ts";
import { migrate } from "#platform/database/sqlite/migrate.ts";
import { openSqliteDatabase } from "#platform/database/sqlite/sqlite.ts";
import { openForVerification } from "#platform/database/sqlite/verify.ts";
import type { Vault } from "#platform/vault/vault.ts";

import type { Commit, Database, VerifiedDatabase } from "./database.ts";
import { engine } from "./engine.ts";
import { dropLeasesOf } from "./leases.ts";
import type { MigrationReport } from "./migrations.ts";
import type { Mode } from "./shop.ts";

/** Of a digest, in hexadecimal digits: 64 bits. */
const HOME_LENGTH = 16;

/** The PostgreSQL of a shop. */
export interface DatabaseServer {
  readonly address: PostgresAddress;
  /** Connections that this program opens at most. */
  readonly connectionsMax: number;
}

/** Where a shop is kept. */
export interface DatabasePlace {
  readonly directory: string;
  /** Null where the files of the directory are the database. */
  readonly server: DatabaseServer | null;
}

export interface DatabaseTerms {
  readonly clock: Clock;
  readonly vault: Vault;
  readonly onCommit?: (commit: Commit) => void;
  /** Told where a server cannot be asked what is new. */
  readonly onFault: (error: unknown) => void;
}

/** Opens the database of a mode, made and migrated where needed. The caller holds the directory. */
export async function openDatabase(
  mode: Mode,
  place: DatabasePlace,
  terms: DatabaseTerms,
): Promise<{ readonly database: Database; readonly migrated: MigrationReport }> {
  requireThisEngine(place);
  if (place.server === null) {
    const opened = openSqliteDatabase(fileOf(mode, place), terms);
    await opened.database.write((tx) => dropLeasesOf(tx, opened.database.home));
    return opened;
  }
  return openPostgresDatabase({ ...terms, ...place.server, mode, home: homeOf(place.directory) });
}

/** Brings the database of a mode to this program's schema. The caller holds the directory. */
export async function migrateDatabase(
  mode: Mode,
  place: DatabasePlace,
  clock: Clock,
): Promise<MigrationReport> {
  requireThisEngine(place);
  if (place.server === null) return migrate(fileOf(mode, place), { clock });
  const { address } = place.server;
  const server = await PostgresServer.open({ address, schema: mode, connectionsMax: 1 });
  try {
    await requireUsable(server);
    return await migratePostgres(server, mode, { clock });
  } finally {
    await server.close();
  }
}

/** The database of a mode as it is now, to be read and not changed; see `openForVerification`. */
export async function openDatabaseForVerification(
  mode: Mode,
  place: DatabasePlace,
): Promise<VerifiedDatabase> {
  requireThisEngine(place);
  if (place.server === null) return openForVerification(fileOf(mode, place));
  return openPostgresForVerification(place.server.address, mode);
}

/** What people are told of where the shop is. */
export function placeInWords({ directory, server }: DatabasePlace): string {
  return server === null ? `${directory} (SQLite)` : `${server.address.told} (PostgreSQL)`;
}

/** The name of a mode's database, as an operator would look for it. */
export function databaseName(mode: Mode, place: DatabasePlace): string {
  return place.server === null
    ? fileOf(mode, place)
    : `${place.server.address.told}, schema ${mode}`;
}

function fileOf(mode: Mode, { directory }: DatabasePlace): string {
  return join(directory, `${mode}.sqlite`);
}

/**
 * Only one program at a time runs on a directory, so whatever an earlier one had is over. A copy of the
 * directory, here or on another machine, is another home.
 */
function homeOf(directory: string): string {
  const { dev, ino } = statSync(directory);
  const place = [hostname(), realpathSync(directory), dev, ino].join("\n");
  return new Bun.CryptoHasher("sha256").update(place).digest("hex").slice(0, HOME_LENGTH);
}

/** The tables were made for one engine when the program started. */
function requireThisEngine({ server }: DatabasePlace): void {
  if ((server === null ? "sqlite" : "postgres") === engine) return;
  throw new Error(
    `This program was loaded for ${engine}: set DUKA_DATABASE_URL in its environment or in --env-file.`,
  );
}
