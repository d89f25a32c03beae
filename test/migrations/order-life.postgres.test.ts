// A shop of the last schema on PostgreSQL, in the middle of every kind of order, gets what each order owes.

import { expect, test } from "bun:test";

import { SQL } from "bun";

import { parsePostgresAddress } from "#platform/database/postgres/address.ts";
import { migratePostgres, postgresMigrations } from "#platform/database/postgres/migrate.ts";
import { PostgresServer } from "#platform/database/postgres/server.ts";

import { noonClock } from "../support/database.ts";
import { startPostgres } from "../support/postgres-server.ts";
import { GROWN, grown, MOVED, movedUnits, oldRows, OWING, owing } from "./orders-of-0009.ts";

const old = postgresMigrations.filter(({ name }) => name < "0010");

test("orders of a shop of the last schema owe what they owed on PostgreSQL", async () => {
  await using postgres = await startPostgres();
  await using opened = new AsyncDisposableStack();
  const address = parsePostgresAddress(postgres.url("duka"));
  const connected = await PostgresServer.open({ address, schema: "live", connectionsMax: 1 });
  opened.defer(() => connected.close());
  await migratePostgres(connected, "live", { clock: noonClock, migrations: old });
  const sql = new SQL(postgres.url("duka"), { max: 1, connection: { search_path: "live" } });
  opened.defer(() => sql.close());
  for (const statement of oldRows) await sql.unsafe(statement);

  await migratePostgres(connected, "live", { clock: noonClock });

  const read = async (text: string) => {
    const rows: readonly (readonly unknown[])[] = await sql.unsafe(text).values();
    return Object.fromEntries(rows.map(([id, ...values]) => [id, values.map((one) => plain(one))]));
  };
  expect(await read(OWING)).toEqual(owing);
  expect(await read(MOVED)).toEqual(movedUnits);
  expect(Object.assign({}, ...(await Promise.all(GROWN.map(read))))).toEqual(grown);
}, 60_000);

/** Whole numbers of eight bytes come as text. */
function plain(value: unknown): unknown {
  return typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
}
