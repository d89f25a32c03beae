// The changes of API keys of a shop of the last schema on PostgreSQL are entries of the audit log.

import { expect, test } from "bun:test";

import { SQL } from "bun";

import { parsePostgresAddress } from "#platform/database/postgres/address.ts";
import { migratePostgres, postgresMigrations } from "#platform/database/postgres/migrate.ts";
import { PostgresServer } from "#platform/database/postgres/server.ts";

import { noonClock } from "../support/database.ts";
import { startPostgres } from "../support/postgres-server.ts";
import { ENTRIES, entries, instants, instantsOf, shopOf0019 } from "./shop-of-0019.ts";

const old = postgresMigrations.filter(({ name }) => name < "0020");

test("what happened to keys by the last schema is in the audit log on PostgreSQL", async () => {
  await using postgres = await startPostgres();
  await using opened = new AsyncDisposableStack();
  const address = parsePostgresAddress(postgres.url("duka"));
  const connected = await PostgresServer.open({ address, schema: "live", connectionsMax: 1 });
  opened.defer(() => connected.close());
  await migratePostgres(connected, "live", { clock: noonClock, migrations: old });
  const sql = new SQL(postgres.url("duka"), { max: 1, connection: { search_path: "live" } });
  opened.defer(() => sql.close());
  for (const statement of shopOf0019) await sql.unsafe(statement);

  await migratePostgres(connected, "live", { clock: noonClock });

  const rows: readonly (readonly unknown[])[] = await sql.unsafe(ENTRIES).values();
  expect(rows.map(([, ...values]) => values.map(plain))).toEqual(entries);
  expect(instantsOf(rows.map(([id]) => id))).toEqual(instants);
}, 60_000);

/** A 64-bit integer, which arrives as text. */
function plain(value: unknown): unknown {
  return typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
}
