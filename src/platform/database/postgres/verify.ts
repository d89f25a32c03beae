// Opens a PostgreSQL schema for an audit or an archive: one read-only snapshot that blocks no writer.

import type { Difference } from "#kernel/difference.ts";
import type { Snapshot, VerifiedDatabase } from "#platform/database/database.ts";
import {
  type CountedSchema,
  DatabaseMissing,
  requireApplied,
} from "#platform/database/migrations.ts";
import type { Mode } from "#platform/database/shop.ts";
import { closedVault } from "#platform/vault/vault.ts";

import type { PostgresAddress } from "./address.ts";
import { PostgresLink } from "./link.ts";
import { postgresMigrations, readStored } from "./migrate.ts";
import { readerOver } from "./reading.ts";
import { PostgresServer } from "./server.ts";

/**
 * Opens the schema of a mode without migrating it. Throws DatabaseMissing, and SchemaMismatch if
 * its tables are not this program's.
 */
export async function openPostgresForVerification(
  address: PostgresAddress,
  mode: Mode,
): Promise<VerifiedDatabase> {
  const { link, ...snapshot } = await openPostgresSnapshot(address, mode);
  try {
    const faults = await brokenReferences(link);
    const foreign = await foreignDefinitions(link);
    return {
      ...snapshot,
      // Broken pages are the server's concern: its checksums and pg_amcheck find them.
      faults: () => faults,
      schemaDifferences: () => foreign,
    };
  } catch (error) {
    await snapshot[Symbol.asyncDispose]();
    throw error;
  }
}

/** The same without a search for faults; the reader opens what is sealed with the vault. */
export async function openPostgresSnapshot(
  address: PostgresAddress,
  mode: Mode,
  vault = closedVault,
): Promise<Snapshot & { readonly link: PostgresLink }> {
  const server = await PostgresServer.open({ address, schema: mode, connectionsMax: 1 });
  try {
    const link = new PostgresLink(await server.reserve());
    link.begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    // It holds no locks, and its reader may be busy with a slow disk between two statements.
    await link.ask("SET LOCAL idle_in_transaction_session_timeout = 0");
    await requireThisSchema(link, mode, `${address.label}, schema ${mode}`);
    return {
      link,
      reader: readerOver((text, values) => link.ask(text, values), vault),
      [Symbol.asyncDispose]: async () => {
        link.send("ROLLBACK");
        await link.settled();
        await link.release();
        await server.close();
      },
    };
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** Reads the schema of a mode, of any version, and counts the rows of these tables. Throws DatabaseMissing. */
export async function readPostgresSchema(
  address: PostgresAddress,
  mode: Mode,
  tables: readonly string[],
): Promise<CountedSchema> {
  const server = await PostgresServer.open({ address, schema: mode, connectionsMax: 1 });
  try {
    const isThere = async (table: string) =>
      (await server.ask("SELECT to_regclass($1) IS NOT NULL", [`"${mode}"."${table}"`]))[0]?.[0] ===
      true;
    if (!(await isThere("migrations"))) {
      throw new DatabaseMissing(`${address.label}, schema ${mode}`);
    }
    const rows = new Map<string, number>();
    for (const table of tables) {
      if (!(await isThere(table))) continue;
      const [row] = await server.ask(`SELECT count(*) FROM "${table}"`);
      rows.set(table, Number(row?.[0] ?? 0));
    }
    return { ...(await readStored(server, mode)), rows };
  } finally {
    await server.close();
  }
}

async function requireThisSchema(link: PostgresLink, mode: Mode, place: string): Promise<void> {
  // By its schema: on the search path, a table that this user may not see is like one that is missing.
  const [found] = await link.ask("SELECT to_regclass($1) IS NOT NULL", [`"${mode}".migrations`]);
  if (found?.[0] !== true) throw new DatabaseMissing(place);
  requireApplied(await readStored(link, mode), postgresMigrations, place);
}

/** Triggers, rules and views of the schema: no migration makes one. */
async function foreignDefinitions(link: PostgresLink): Promise<Difference[]> {
  const rows = await link.ask(`
    SELECT 'trigger ' || t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace
    UNION ALL
    SELECT 'rule ' || rulename FROM pg_rules WHERE schemaname = current_schema()
    UNION ALL
    SELECT 'view ' || viewname FROM pg_views WHERE schemaname = current_schema()
    ORDER BY 1`);
  return rows.map(([subject]) => ({
    subject: String(subject),
    what: "definition",
    expected: "none",
    found: "one that Duka did not make",
  }));
}

/**
 * Counts dangling references. They can only arise while the server's checks are off, as during a
 * restore.
 */
async function brokenReferences(link: PostgresLink): Promise<string[]> {
  const references = await link.ask(`
    SELECT child.relname, own.attname, parent.relname, other.attname
    FROM pg_constraint c
    JOIN pg_class child ON child.oid = c.conrelid
    JOIN pg_class parent ON parent.oid = c.confrelid
    JOIN pg_attribute own ON own.attrelid = child.oid AND own.attnum = c.conkey[1]
    JOIN pg_attribute other ON other.attrelid = parent.oid AND other.attnum = c.confkey[1]
    WHERE c.contype = 'f' AND c.connamespace = current_schema()::regnamespace
    ORDER BY 1, 2`);
  const broken: string[] = [];
  for (const [child, column, parent, key] of references) {
    const [row] = await link.ask(`
      SELECT count(*) FROM "${String(child)}" AS child
      WHERE child."${String(column)}" IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM "${String(parent)}" AS parent
        WHERE parent."${String(key)}" = child."${String(column)}")`);
    const rows = Number(row?.[0] ?? 0);
    if (rows > 0)
      broken.push(`${rows} of ${String(child)} refer to missing rows of ${String(parent)}`);
  }
  return broken;
}
