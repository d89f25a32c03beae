// The payments of a shop of the last schema on PostgreSQL belong to the API keys that asked for them.

import { expect, test } from "bun:test";

import { SQL } from "bun";

import { parsePostgresAddress } from "#platform/database/postgres/address.ts";
import { migratePostgres, postgresMigrations } from "#platform/database/postgres/migrate.ts";
import { PostgresServer } from "#platform/database/postgres/server.ts";

import { noonClock } from "../support/database.ts";
import { startPostgres } from "../support/postgres-server.ts";
import { LINEAGES, lineages, shopOf0018 } from "./shop-of-0018.ts";

const old = postgresMigrations.filter(({ name }) => name < "0019");

test("a payment of the last schema belongs to the key that asked for it on PostgreSQL", async () => {
  await using postgres = await startPostgres();
  await using opened = new AsyncDisposableStack();
  const address = parsePostgresAddress(postgres.url("duka"));
  const connected = await PostgresServer.open({ address, schema: "live", connectionsMax: 1 });
  opened.defer(() => connected.close());
  await migratePostgres(connected, "live", { clock: noonClock, migrations: old });
  const sql = new SQL(postgres.url("duka"), { max: 1, connection: { search_path: "live" } });
  opened.defer(() => sql.close());
  for (const statement of shopOf0018) await sql.unsafe(statement);

  await migratePostgres(connected, "live", { clock: noonClock });

  const rows: readonly (readonly unknown[])[] = await sql.unsafe(LINEAGES).values();
  expect(Object.fromEntries(rows.map(([id, ...values]) => [id, values]))).toEqual(lineages);
}, 60_000);
