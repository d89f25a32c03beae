// Shops of older schemas on PostgreSQL keep what they have when they are migrated.

import { test } from "bun:test";

import { SQL } from "bun";

import { parsePostgresAddress } from "#platform/database/postgres/address.ts";
import { migratePostgres, postgresMigrations } from "#platform/database/postgres/migrate.ts";
import { PostgresServer } from "#platform/database/postgres/server.ts";

import { noonClock } from "../support/database.ts";
import { startPostgres } from "../support/postgres-server.ts";
import { oldShops } from "./old-shops.ts";

test.each(oldShops)(
  "$name on PostgreSQL",
  async ({ before, statements, check }) => {
    await using postgres = await startPostgres();
    await using opened = new AsyncDisposableStack();
    const address = parsePostgresAddress(postgres.url("duka"));
    const connected = await PostgresServer.open({ address, schema: "live", connectionsMax: 1 });
    opened.defer(() => connected.close());
    const migrations = postgresMigrations.filter(({ name }) => name < before);
    await migratePostgres(connected, "live", { clock: noonClock, migrations });
    const sql = new SQL(postgres.url("duka"), { max: 1, connection: { search_path: "live" } });
    opened.defer(() => sql.close());
    for (const statement of statements) await sql.unsafe(statement);

    await migratePostgres(connected, "live", { clock: noonClock });

    await check(async (query) => {
      const rows: readonly (readonly unknown[])[] = await sql.unsafe(query).values();
      return rows.map((values) => values.map((one) => plain(one)));
    });
  },
  60_000,
);

/** A whole number of 64 bits, which arrives as text. */
function plain(value: unknown): unknown {
  return typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
}
