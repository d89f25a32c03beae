// The movements of a shop of the last schema on PostgreSQL become a chain for each variant.

import { expect, test } from "bun:test";

import { SQL } from "bun";

import { parsePostgresAddress } from "#platform/database/postgres/address.ts";
import { migratePostgres, postgresMigrations } from "#platform/database/postgres/migrate.ts";
import { PostgresServer } from "#platform/database/postgres/server.ts";

import { noonClock } from "../support/database.ts";
import { startPostgres } from "../support/postgres-server.ts";
import { CHAINS, chains, shopOf0036 } from "./shop-of-0036.ts";

const old = postgresMigrations.filter(({ name }) => name < "0037");

test("the movements of the last schema on PostgreSQL follow their level, the newest first", async () => {
  await using postgres = await startPostgres();
  await using opened = new AsyncDisposableStack();
  const address = parsePostgresAddress(postgres.url("duka"));
  const connected = await PostgresServer.open({ address, schema: "live", connectionsMax: 1 });
  opened.defer(() => connected.close());
  await migratePostgres(connected, "live", { clock: noonClock, migrations: old });
  const sql = new SQL(postgres.url("duka"), { max: 1, connection: { search_path: "live" } });
  opened.defer(() => sql.close());
  for (const statement of shopOf0036) await sql.unsafe(statement);

  await migratePostgres(connected, "live", { clock: noonClock });

  const rows: readonly unknown[] = await sql.unsafe(CHAINS).values();
  expect([...rows]).toEqual(chains);
}, 60_000);
