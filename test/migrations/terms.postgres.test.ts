// Orders of a shop of the schema 0039 on PostgreSQL are found by their lines as before.

import { expect, test } from "bun:test";

import { SQL } from "bun";

import { parsePostgresAddress } from "#platform/database/postgres/address.ts";
import { migratePostgres, postgresMigrations } from "#platform/database/postgres/migrate.ts";
import { PostgresServer } from "#platform/database/postgres/server.ts";

import { noonClock } from "../support/database.ts";
import { startPostgres } from "../support/postgres-server.ts";
import { CURSOR, shopWithoutTerms, TERMS } from "./terms-of-orders.ts";

const old = postgresMigrations.filter(({ name }) => name < "0010");

test("every product and SKU of a line on PostgreSQL becomes a term of its order", async () => {
  await using postgres = await startPostgres();
  await using opened = new AsyncDisposableStack();
  const address = parsePostgresAddress(postgres.url("duka"));
  const connected = await PostgresServer.open({ address, schema: "live", connectionsMax: 1 });
  opened.defer(() => connected.close());
  await migratePostgres(connected, "live", { clock: noonClock, migrations: old });
  const sql = new SQL(postgres.url("duka"), { max: 1, connection: { search_path: "live" } });
  opened.defer(() => sql.close());
  for (const statement of shopWithoutTerms) await sql.unsafe(statement);

  await migratePostgres(connected, "live", { clock: noonClock });

  const terms: readonly { readonly placed: string }[] = await sql.unsafe(TERMS);
  const placed = terms[0]?.placed;
  expect(Number(placed)).toBeGreaterThan(2);
  expect([...terms]).toMatchObject([
    { term: "MUG", orders: "2", last_order: "unpaid" },
    { term: "prod_a", orders: placed },
  ]);
  expect(Number(Object(await sql.unsafe(CURSOR))[0].sequence)).toBe(41);
}, 60_000);
