// What a backup says about itself. Invariant: a manifest whose bytes are not exactly those that were
// written is refused, so everything it says of the databases can be relied on.

import { readFileSync } from "node:fs";
import { join } from "node:path";

import Type, { type Static } from "typebox";
import { Parse } from "typebox/value";

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

const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const databaseSchema = Type.Object({
  packed_bytes: count,
  packed_sha256: Type.String(),
  bytes: count,
  sha256: Type.String(),
  migrations: Type.Array(Type.Object({ name: Type.String(), hash: Type.String() })),
  rows: Type.Record(Type.String(), count),
});
type WrittenDatabase = Static<typeof databaseSchema>;

/** All that is certain of a manifest that a newer program wrote. */
const versionSchema = Type.Object({ format: count });
const manifestSchema = Type.Object({
  store_id: Type.Union([Type.String(), Type.Null()]),
  created_at: Type.String(),
  duka_version: Type.String(),
  differences: count,
  databases: Type.Object({ live: databaseSchema, test: databaseSchema }),
});

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
    const written: unknown = JSON.parse(text);
    if (Parse(versionSchema, written).format > FORMAT) {
      throw new BackupFault(`The backup ${backup} was made by a newer Duka: use that one.`);
    }
    const { databases, ...terms } = Parse(manifestSchema, written);
    return {
      storeId: terms.store_id,
      createdAt: terms.created_at,
      dukaVersion: terms.duka_version,
      differences: terms.differences,
      databases: { live: readDatabase(databases.live), test: readDatabase(databases.test) },
    };
  } catch (error) {
    if (error instanceof BackupFault) throw error;
    throw new BackupFault(`The manifest of the backup ${backup} is damaged.`, { cause: error });
  }
}

function renderDatabase(database: PackedDatabase): WrittenDatabase {
  return {
    packed_bytes: database.packedBytes,
    packed_sha256: database.packedSha256,
    bytes: database.bytes,
    sha256: database.sha256,
    migrations: database.migrations.map(({ name, hash }) => ({ name, hash })),
    rows: database.rows,
  };
}

function readDatabase(written: WrittenDatabase): PackedDatabase {
  const { packed_bytes: packedBytes, packed_sha256: packedSha256, ...same } = written;
  return { packedBytes, packedSha256, ...same };
}
