// What a PostgreSQL must be before a shop is put on it, and what is told while it is away.

import { expect, test } from "bun:test";
import { tmpdir } from "node:os";

import { SQL } from "bun";

import { nextNumber } from "#platform/database/held-rows.ts";
import { DatabaseMissing } from "#platform/database/migrations.ts";
import { openDatabase, openDatabaseForVerification } from "#platform/database/open-database.ts";
import { parsePostgresAddress } from "#platform/database/postgres/address.ts";
import { NoPrimary } from "#platform/database/postgres/errors.ts";
import { requireSameKey } from "#platform/database/postgres/key-mark.ts";
import { postgresMigrations } from "#platform/database/postgres/migrate.ts";
import { UnusableServer } from "#platform/database/postgres/server.ts";
import { findLogCursor } from "#platform/event-log/log-cursors.ts";
import { OtherKey } from "#platform/vault/vault.ts";

import { codeOf, errorOf, noonClock } from "../../support/database.ts";
import { passingVault } from "../../support/passing-vault.ts";
import { startPostgres } from "../../support/postgres-server.ts";
import { openSharedDatabase } from "./postgres-rig.ts";

const placeAt = (url: string) => ({
  directory: tmpdir(),
  server: { address: parsePostgresAddress(url), connectionsMax: 4 },
});
const openAt = (url: string, onFault: (error: unknown) => void = () => {}) =>
  openDatabase("live", placeAt(url), { clock: noonClock, vault: passingVault(), onFault });

test("of several programs that start at once, one makes the tables", async () => {
  await using server = await startPostgres();
  const vault = passingVault();
  const open = () =>
    openDatabase("live", placeAt(server.url("duka")), {
      clock: noonClock,
      vault,
      onFault: () => {},
    });

  const opened = await Promise.all([open(), open(), open(), open()]);

  const applied = opened
    .map(({ migrated }) => migrated.applied.length)
    .toSorted((one, other) => one - other);

  expect(applied).toEqual([0, 0, 0, postgresMigrations.length]);
  await Promise.all(opened.map(({ database }) => database.close()));
});

test("a program with another sealing key is refused", async () => {
  await using database = openSharedDatabase();
  await (await database.join()).write(requireSameKey);

  const told = await errorOf(database.join({ vault: passingVault() }));

  expect(told).toBeInstanceOf(OtherKey);
});

test("a server that acknowledges before its disk does is refused", async () => {
  await using server = await startPostgres({ settings: { synchronous_commit: "off" } });

  const told = await errorOf(openAt(server.url("duka")));

  expect(told).toBeInstanceOf(UnusableServer);
  expect(told?.message).toContain("synchronous_commit is off");
});

test("a database in another encoding is refused", async () => {
  await using server = await startPostgres();
  await using sql = new SQL(server.url("postgres"), { max: 1 });
  await sql.unsafe("CREATE DATABASE narrow ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");

  const told = await errorOf(openAt(server.url("narrow")));

  expect(told?.message).toContain("encoded in LATIN1");
});

test("a schema that a newer program made is refused", async () => {
  await using server = await startPostgres();
  const { database } = await openAt(server.url("duka"));
  await database.close();
  await using sql = new SQL(server.url("duka"), { max: 1 });
  await sql.unsafe("INSERT INTO live.migrations VALUES ('9999_later', 'x', 0)");

  const told = await errorOf(openAt(server.url("duka")));

  expect(told?.message).toContain("9999_later");
});

test("where nothing answers, nothing is opened, and the error omits the password", async () => {
  const told = await errorOf(openAt("postgres://duka:hunter2@127.0.0.1:1/duka"));

  expect(told).toBeInstanceOf(NoPrimary);
  expect(told?.message).not.toContain("hunter2");
});

test("a shop that was never opened there cannot be checked", async () => {
  await using server = await startPostgres();

  const told = await errorOf(openDatabaseForVerification("live", placeAt(server.url("duka"))));

  expect(told).toBeInstanceOf(DatabaseMissing);
});

test("requests are refused while the server is away, and succeed afterwards", async () => {
  await using server = await startPostgres({ durable: true });
  const away = Promise.withResolvers<unknown>();
  const { database } = await openAt(server.url("duka"), away.resolve);
  await database.write((tx) => nextNumber(tx, "crates", 1));

  server.kill();
  const told = {
    write: await codeOf(database.write((tx) => nextNumber(tx, "crates", 1))),
    read: await codeOf(findLogCursor(database.read, "nobody")),
  };
  await away.promise;
  const wasWritable = database.isWritable();
  await server.start();

  expect(told).toEqual({ write: "storage_unavailable", read: "storage_unavailable" });
  expect(wasWritable).toBe(false);
  expect(await database.write((tx) => nextNumber(tx, "crates", 1))).toBe(2);
  await database.close();
});
