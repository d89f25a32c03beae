// The manifest of a backup. Invariant: a manifest that is not exactly as it was written is refused,
// and a backup is restored only if its manifest was signed with the shop's key, so its statements
// about the databases are reliable.

import { readFileSync } from "node:fs";
import { join } from "node:path";

import Type, { type Static } from "typebox";
import { Parse } from "typebox/value";

import { SchemaMismatch } from "#platform/database/migrations.ts";
import type { Mode } from "#platform/database/shop.ts";
import { sqliteMigrations } from "#platform/database/sqlite/migrate.ts";
import type { Vault } from "#platform/vault/vault.ts";

import { backedUpModes, BackupFault } from "./files.ts";

export const MANIFEST_FILE = "manifest.json";
/** Increased when older programs can no longer read the format. */
const FORMAT = 2;
/** The format before manifests were signed. */
const UNSIGNED_FORMAT = 1;
/** Signed with every manifest, so that a signature made for another purpose proves no backup. */
const PURPOSE = "duka backup manifest";

/** A database in a backup. */
export interface PackedDatabase {
  /** The size of the compressed file. */
  readonly packedBytes: number;
  readonly packedSha256: string;
  /** The size of the unpacked database. */
  readonly bytes: number;
  readonly sha256: string;
  readonly migrations: readonly { readonly name: string; readonly hash: string }[];
  /** Row counts by table. */
  readonly rows: Readonly<Record<string, number>>;
}

export interface BackupManifest {
  /** Null if the shop was never opened. */
  readonly storeId: string | null;
  /** ISO 8601. Everything acknowledged before this instant is in the backup. */
  readonly createdAt: string;
  readonly dukaVersion: string;
  /** Differences found by audits when the backup was made; 0 in a sound shop. */
  readonly differences: number;
  readonly databases: Readonly<Record<Mode, PackedDatabase>>;
  /** Made with the key of the shop's secrets; null in a backup of an earlier version. */
  readonly signature: string | null;
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

/** The part that can be read of a newer program's manifest. */
const versionSchema = Type.Object({ format: count });
const manifestSchema = Type.Object({
  store_id: Type.Union([Type.String(), Type.Null()]),
  created_at: Type.String(),
  duka_version: Type.String(),
  differences: count,
  databases: Type.Object({ live: databaseSchema, test: databaseSchema }),
  signature: Type.Optional(Type.String()),
});

/** The name of the compressed file of a mode's database. */
export function packedFile(mode: Mode): string {
  return `${mode}.sqlite.zst`;
}

/** The manifest, signed. */
export function signManifest(
  manifest: Omit<BackupManifest, "signature">,
  vault: Vault,
): BackupManifest {
  return { ...manifest, signature: vault.sign(signedText({ ...manifest, signature: "" })) };
}

/** Returns true if a key of the vault signed the manifest. */
export function isSignedManifest(manifest: BackupManifest, vault: Vault): boolean {
  return manifest.signature !== null && vault.isSigned(signedText(manifest), manifest.signature);
}

function signedText(manifest: BackupManifest): string {
  return `${PURPOSE}\n${JSON.stringify(membersOf(manifest))}`;
}

/** The text of a manifest, including its own checksum and its signature. */
export function renderManifest(manifest: BackupManifest): string {
  const proof = manifest.signature === null ? {} : { signature: manifest.signature };
  const members = { ...membersOf(manifest), ...proof };
  const checksum = new Bun.CryptoHasher("sha256").update(JSON.stringify(members)).digest("hex");
  return `${JSON.stringify({ ...members, checksum }, null, 2)}\n`;
}

/** The members that are signed. */
function membersOf(manifest: BackupManifest) {
  const { databases } = manifest;
  return {
    format: manifest.signature === null ? UNSIGNED_FORMAT : FORMAT,
    store_id: manifest.storeId,
    created_at: manifest.createdAt,
    duka_version: manifest.dukaVersion,
    differences: manifest.differences,
    databases: { live: renderDatabase(databases.live), test: renderDatabase(databases.test) },
  };
}

/** Reads the manifest of a backup. Throws BackupFault if there is none, or if it was changed. */
export function readManifest(backup: string): BackupManifest {
  return manifestIn(readText(backup), backup);
}

/** The same, of its text. */
export function manifestIn(text: string, backup: string): BackupManifest {
  const manifest = parseManifest(text, backup);
  if (renderManifest(manifest) === text) return manifest;
  throw new BackupFault(
    `The backup ${backup} was changed: the checksum of its manifest does not match.`,
  );
}

/** Throws SchemaMismatch if a newer program made the backup; an older one is migrated later. */
export function requireKnownSchema(manifest: BackupManifest): void {
  for (const mode of backedUpModes) {
    const { migrations } = manifest.databases[mode];
    const strange = migrations.find(({ name }, index) => name !== sqliteMigrations[index]?.name);
    if (strange === undefined) continue;
    throw new SchemaMismatch(
      `The backup has the migration ${strange.name}, which this program does not know. ` +
        `It was made by a newer Duka (${manifest.dukaVersion}): use that version.`,
    );
  }
}

function readText(backup: string): string {
  try {
    return readFileSync(join(backup, MANIFEST_FILE), "utf8");
  } catch (error) {
    throw new BackupFault(`${backup} is not a backup of Duka: it has no ${MANIFEST_FILE}.`, {
      cause: error,
    });
  }
}

function parseManifest(text: string, backup: string): BackupManifest {
  try {
    const written: unknown = JSON.parse(text);
    if (Parse(versionSchema, written).format > FORMAT) {
      throw new BackupFault(`The backup ${backup} was made by a newer Duka: use that version.`);
    }
    const { databases, ...terms } = Parse(manifestSchema, written);
    return {
      storeId: terms.store_id,
      createdAt: terms.created_at,
      dukaVersion: terms.duka_version,
      differences: terms.differences,
      databases: { live: readDatabase(databases.live), test: readDatabase(databases.test) },
      signature: terms.signature ?? null,
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
