// Both engines' migrations make the same tables: a shop can be copied from one to the other, and a rule
// that one of them holds is held by the other.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { SQL } from "bun";

import { parsePostgresAddress } from "#platform/database/postgres/address.ts";
import {
  LocksHeld,
  migratePostgres,
  postgresMigrations,
} from "#platform/database/postgres/migrate.ts";
import { PostgresServer } from "#platform/database/postgres/server.ts";
import { migrate, sqliteMigrations } from "#platform/database/sqlite/migrate.ts";

import { errorOf, noonClock } from "../support/database.ts";
import { startPostgres, type TestPostgres } from "../support/postgres-server.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { type Makeup, makeupOfFile, makeupOfSchema } from "./engine-schemas.ts";

let embedded: Makeup;
let server: Makeup;
let postgres: TestPostgres;
const opened = new AsyncDisposableStack();

beforeAll(async () => {
  const folder = opened.use(openScratchFolder());
  migrate(folder.file("shop.sqlite"), { clock: noonClock });
  embedded = await makeupOfFile(folder.file("shop.sqlite"));
  postgres = opened.use(await startPostgres());
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

describe("a migration beside programs that sell", () => {
  const patience = { lockMs: 50, pauseMs: 20 };
  const later = [
    ...postgresMigrations,
    { name: "9999_later", text: '-- expand\nALTER TABLE "orders" ADD COLUMN "later" text;' },
  ];

  /** An empty schema of its own, and a transaction that has read its orders. */
  async function openBusySchema(schema: string) {
    await using stack = new AsyncDisposableStack();
    const terms = { address: parsePostgresAddress(postgres.url("duka")), schema };
    const connected = await PostgresServer.open({ ...terms, connectionsMax: 1 });
    stack.defer(() => connected.close());
    await migratePostgres(connected, schema, { clock: noonClock });
    const sql = new SQL(postgres.url("duka"), { max: 1, connection: { search_path: schema } });
    stack.defer(() => sql.close());
    await sql.unsafe("BEGIN; SELECT count(*) FROM orders");
    const migrateLater = () =>
      migratePostgres(connected, schema, { clock: noonClock, migrations: later, patience });
    const kept = stack.move();
    return { sql, migrateLater, [Symbol.asyncDispose]: () => kept.disposeAsync() };
  }

  test("gives way to them, and is applied once its locks are free", async () => {
    await using busy = await openBusySchema("patient");

    const migrating = busy.migrateLater();
    await Bun.sleep(patience.lockMs * 2);
    await busy.sql.unsafe("COMMIT");

    expect((await migrating).applied).toEqual(["9999_later"]);
  });

  test("is given up after five tries, and nothing of it is left", async () => {
    await using busy = await openBusySchema("refused");

    const told = await errorOf(busy.migrateLater());
    await busy.sql.unsafe("COMMIT");

    expect(told).toBeInstanceOf(LocksHeld);
    expect(told?.message).toContain("The migration 9999_later did not get its locks");
    expect((await busy.migrateLater()).applied).toEqual(["9999_later"]);
  });
});
