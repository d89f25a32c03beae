// Both engines' migrations make the same tables: a shop can be copied from one to the other, and a rule
// that one of them holds is held by the other.

import { afterAll, beforeAll, expect, test } from "bun:test";

import { SQL } from "bun";

import { parsePostgresAddress } from "#platform/database/postgres/address.ts";
import { migratePostgres, postgresMigrations } from "#platform/database/postgres/migrate.ts";
import { PostgresServer } from "#platform/database/postgres/server.ts";
import { migrate, sqliteMigrations } from "#platform/database/sqlite/migrate.ts";

import { noonClock } from "../support/database.ts";
import { startPostgres } from "../support/postgres-server.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { type Makeup, makeupOfFile, makeupOfSchema } from "./engine-schemas.ts";

let embedded: Makeup;
let server: Makeup;
const opened = new AsyncDisposableStack();

beforeAll(async () => {
  const folder = opened.use(openScratchFolder());
  migrate(folder.file("shop.sqlite"), { clock: noonClock });
  embedded = await makeupOfFile(folder.file("shop.sqlite"));
  const postgres = opened.use(await startPostgres());
  const address = parsePostgresAddress(postgres.url("duka"));
  const connected = await PostgresServer.open({ address, schema: "live", connectionsMax: 1 });
  opened.defer(() => connected.close());
  await migratePostgres(connected, "live", { clock: noonClock });
  const sql = new SQL(postgres.url("duka"), { max: 1, connection: { search_path: "live" } });
  opened.defer(() => sql.close());
  server = await makeupOfSchema(sql, "live");
}, 60_000);

afterAll(() => opened.disposeAsync());

test("both have the same migrations, from the one with which PostgreSQL begins", () => {
  const begins = postgresMigrations[0]?.name ?? "";
  const since = sqliteMigrations.filter(({ name }) => name >= begins);

  expect(postgresMigrations.map(({ name }) => name)).toEqual(since.map(({ name }) => name));
});

test.each(["columns", "primaryKeys", "indexes", "references", "checks"] as const)(
  "both have the same %s",
  (what) => {
    expect(embedded[what].length).toBeGreaterThan(5);
    expect(server[what]).toEqual(embedded[what]);
  },
);
