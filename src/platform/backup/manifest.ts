// What a backup says about itself. Invariant: a manifest whose bytes are not exactly those that were
// written is refused, so everything it says of the databases can be relied on.

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { SchemaMismatch } from "#platform/database/migrations.ts";
import type { Mode } from "#platform/database/shop.ts";
import { sqliteMigrations } from "#platform/database/sqlite/migrate.ts";

import { BackupFault } from "./fault.ts";
import { backedUpModes } from "./files.ts";

export const MANIFEST_FILE = "manifest.json";
/** Rises when older programs could no longer read what is written. */
const FORMAT = 1;

/** A database in a backup. */
export interface PackedDatabase {
  /** Of the compressed file. */
  readonly packedBytes: number;
  readonly packedSha256: string;
  /** Of the database in it. */
  readonly bytes: number;
  readonly sha256: string;
  readonly migrations: readonly { readonly name: string; readonly hash: string }[];
  /** How many rows each table has. */
  readonly rows: Readonly<Record<string, number>>;
}

export interface BackupManifest {
  /** Null where the shop was never opened. */
  readonly storeId: string | null;
  /** ISO 8601; everything that was acknowledged before is in it. */
  readonly createdAt: string;
  readonly dukaVersion: string;
  /** Figures that did not agree with each other when it was made; 0 in a sound shop. */
  readonly differences: number;
  readonly databases: Readonly<Record<Mode, PackedDatabase>>;
}

/** The compressed file of a mode's database. */
export function packedFile(mode: Mode): string {
  return `${mode}.sqlite.zst`;
}

/** The text of a manifest, with its own checksum in it. */
export function renderManifest(manifest: BackupManifest): string {
  const { databases } = manifest;
  const told = {
    format: FORMAT,
    store_id: manifest.storeId,
    created_at: manifest.createdAt,
    duka_version: manifest.dukaVersion,
    differences: manifest.differences,
    databases: { live: renderDatabase(databases.live), test: renderDatabase(databases.test) },
  };
  const checksum = new Bun.CryptoHasher("sha256").update(JSON.stringify(told)).digest("hex");
  return `${JSON.stringify({ ...told, checksum }, null, 2)}\n`;
}

/** The manifest of a backup. Throws BackupFault where there is none, or where it was changed. */
export function readManifest(backup: string): BackupManifest {
  const text = readText(backup);
  const manifest = parseManifest(text, backup);
  if (renderManifest(manifest) === text) return manifest;
  throw new BackupFault(`The backup ${backup} was changed: its manifest has another checksum.`);
}

/** Throws SchemaMismatch for a backup that a newer program made; an older one is migrated later. */
export function requireKnownSchema(manifest: BackupManifest): void {
  for (const mode of backedUpModes) {
    const { migrations } = manifest.databases[mode];
    const strange = migrations.find(({ name }, index) => name !== sqliteMigrations[index]?.name);
    if (strange === undefined) continue;
    throw new SchemaMismatch(
      `The backup has the migration ${strange.name}, which this program does not know. ` +
        `It was made by a newer Duka (${manifest.dukaVersion}): use that one.`,
    );
  }
}

function readText(backup: string): string {
  try {
    return readFileSync(join(backup, MANIFEST_FILE), "utf8");
  } catch (error) {
    throw new BackupFault(`${backup} is no backup of Duka: it has no ${MANIFEST_FILE}.`, {
      cause: error,
    });
  }
}

function parseManifest(text: string, backup: string): BackupManifest {
  try {
    const told: unknown = JSON.parse(text);
    const format = countAt(told, "format");
    if (format > FORMAT) {
      throw new BackupFault(`The backup ${backup} was made by a newer Duka: use that one.`);
    }
    const databases = memberAt(told, "databases");
    const storeId = memberAt(told, "store_id");
    return {
      storeId: storeId === null ? null : textAt(told, "store_id"),
      createdAt: textAt(told, "created_at"),
      dukaVersion: textAt(told, "duka_version"),
      differences: countAt(told, "differences"),
      databases: {
        live: parseDatabase(memberAt(databases, "live")),
        test: parseDatabase(memberAt(databases, "test")),
      },
    };
  } catch (error) {
    if (error instanceof BackupFault) throw error;
    throw new BackupFault(`The manifest of the backup ${backup} is damaged.`, { cause: error });
  }
}

function renderDatabase(database: PackedDatabase) {
  return {
    packed_bytes: database.packedBytes,
    packed_sha256: database.packedSha256,
    bytes: database.bytes,
    sha256: database.sha256,
    migrations: database.migrations.map(({ name, hash }) => ({ name, hash })),
    rows: database.rows,
  };
}

function parseDatabase(told: unknown): PackedDatabase {
  const migrations = memberAt(told, "migrations");
  const rows = memberAt(told, "rows");
  if (!Array.isArray(migrations) || typeof rows !== "object" || rows === null) {
    throw new TypeError("A database has no migrations or no rows.");
  }
  return {
    packedBytes: countAt(told, "packed_bytes"),
    packedSha256: textAt(told, "packed_sha256"),
    bytes: countAt(told, "bytes"),
    sha256: textAt(told, "sha256"),
    migrations: migrations.map((one: unknown) => ({
      name: textAt(one, "name"),
      hash: textAt(one, "hash"),
    })),
    rows: Object.fromEntries(Object.keys(rows).map((table) => [table, countAt(rows, table)])),
  };
}

function memberAt(told: unknown, name: string): unknown {
  if (typeof told !== "object" || told === null) throw new TypeError(`No ${name}.`);
  return Reflect.get(told, name);
}

function textAt(told: unknown, name: string): string {
  const found = memberAt(told, name);
  if (typeof found !== "string") throw new TypeError(`${name} is no text.`);
  return found;
}

function countAt(told: unknown, name: string): number {
  const found = memberAt(told, name);
  if (typeof found === "number" && Number.isSafeInteger(found) && found >= 0) return found;
  throw new TypeError(`${name} is no count.`);
}
