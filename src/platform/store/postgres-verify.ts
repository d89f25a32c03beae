// A schema under audit: one snapshot of it, which changes nothing and holds up nobody.

import { SchemaMismatch } from "./migrate.ts";
import type { PostgresAddress } from "./postgres-address.ts";
import { PostgresLink } from "./postgres-link.ts";
import { postgresMigrations } from "./postgres-migrate.ts";
import { readerOver } from "./postgres-reading.ts";
import { PostgresServer } from "./postgres-server.ts";
import type { Mode } from "./store.ts";
import { DatabaseMissing, type VerifiedDatabase } from "./verify.ts";

/**
 * Opens the schema of a mode without migrating it. Throws DatabaseMissing, and SchemaMismatch where it has
 * other tables than this program.
 */
export async function openPostgresForVerification(
  address: PostgresAddress,
  mode: Mode,
): Promise<VerifiedDatabase> {
  const server = await PostgresServer.open({ address, schema: mode, connectionsMax: 1 });
  try {
    const link = new PostgresLink(await server.reserve());
    link.begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await requireThisSchema(link, `${address.told}, schema ${mode}`);
    return {
      reader: readerOver((text, values) => link.ask(text, values)),
      // Pages are the server's business: its checksums and pg_amcheck find what is broken there.
      faults: () => [],
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

async function requireThisSchema(link: PostgresLink, place: string): Promise<void> {
  const [found] = await link.ask("SELECT to_regclass('migrations') IS NOT NULL");
  if (found?.[0] !== true) throw new DatabaseMissing(place);
  const applied = await link.ask("SELECT name FROM migrations ORDER BY name");
  const isThis =
    applied.length === postgresMigrations.length &&
    applied.every(([name], index) => name === postgresMigrations[index]?.name);
  if (isThis) return;
  throw new SchemaMismatch(
    `${place} has the tables of another Duka. Check it with that one, or run \`duka migrate\` first.`,
  );
}
