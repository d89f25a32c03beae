// A server can be unreachable without closing its connections: waiting for it ends after a time limit,
// and its successor is found.

import { expect, setDefaultTimeout, test } from "bun:test";
import { tmpdir } from "node:os";

import type { Database, Tx } from "#platform/database/database.ts";
import { nextNumber } from "#platform/database/held-rows.ts";
import { openDatabase } from "#platform/database/open-database.ts";
import { parsePostgresAddress } from "#platform/database/postgres/address.ts";
import { PostgresLink } from "#platform/database/postgres/link.ts";
import { PostgresServer } from "#platform/database/postgres/server.ts";
import { findLogCursor } from "#platform/event-log/log-cursors.ts";

import { codeOf, noonClock } from "../../support/database.ts";
import { passingVault } from "../../support/passing-vault.ts";
import { startPostgres, startStandby } from "../../support/postgres-server.ts";
import { openRelay } from "./relay.ts";

setDefaultTimeout(120_000);

const addressOf = (...ports: number[]) =>
  parsePostgresAddress(
    `postgres://duka@${ports.map((port) => `127.0.0.1:${port}`).join(",")}/duka?sslmode=disable`,
  );

/** A store whose primary is behind one of these ports. */
async function openStore(...ports: number[]): Promise<Database> {
  const place = {
    directory: tmpdir(),
    server: { address: addressOf(...ports), connectionsMax: 8 },
  };
  const terms = { clock: noonClock, vault: passingVault(), onFault: () => {} };
  return (await openDatabase("live", place, terms)).database;
}

const pack = (tx: Tx) => nextNumber(tx, "crates", 1);

test("a request to a server that stopped answering is refused, and its successor is found", async () => {
  await using primary = await startPostgres({ durable: true });
  await using standby = await startStandby(primary, { synchronous: true });
  await using relay = await openRelay(primary.port);
  const database = await openStore(relay.port, standby.port);
  await database.write(pack);

  relay.swallow();
  const waiting = [codeOf(database.write(pack)), codeOf(findLogCursor(database.read, "nobody"))];
  const told = await Promise.all(waiting);
  primary.kill();
  await standby.promote();
  const packed = await database.write(pack);
  await database.close();

  expect(told).toEqual(["storage_unavailable", "storage_unavailable"]);
  expect(packed).toBe(2);
});

test("a server that became a standby is left for the primary", async () => {
  // The standby has the tables before the first write reaches it.
  const settings = { synchronous_commit: "remote_apply" };
  await using primary = await startPostgres({ durable: true, settings });
  await using standby = await startStandby(primary, { synchronous: true });
  await using relay = await openRelay(primary.port);
  const database = await openStore(relay.port, primary.port);
  await database.write(pack);

  relay.turnTo(standby.port);
  const told = await Promise.all(Array.from({ length: 20 }, () => codeOf(database.write(pack))));
  const packed = await database.write(pack);
  await database.close();

  expect(told.filter((code) => code !== null && code !== "storage_unavailable")).toEqual([]);
  expect(packed).toBeGreaterThan(1);
});

test("a server that is slow is asked over one connection more than the program may use", async () => {
  await using primary = await startPostgres();
  await using relay = await openRelay(primary.port);
  const terms = { address: addressOf(relay.port), schema: "public", connectionsMax: 8 };
  const server = await PostgresServer.open(terms);
  const all = Array.from({ length: terms.connectionsMax }, () => server.ask("SELECT pg_sleep(1)"));
  await server.ask("SELECT 7");
  const before = relay.accepted;

  await server.checkPrimary();
  await Promise.all(all);

  expect(before).toBe(terms.connectionsMax);
  expect(relay.accepted).toBe(before + 1);
  await server.close();
});

test("a transaction without an answer ends at its time limit, and others continue", async () => {
  await using primary = await startPostgres();
  const server = await PostgresServer.open({
    address: addressOf(primary.port),
    schema: "public",
    connectionsMax: 2,
  });
  const [hasty, patient] = [
    new PostgresLink(await server.reserve(), 300),
    new PostgresLink(await server.reserve()),
  ];
  hasty.begin();
  patient.begin();

  const others = patient.ask("SELECT pg_sleep(1), 7");
  const told = await codeOf(hasty.ask("SELECT pg_sleep(60)"));
  await hasty.release();

  expect(told).toBe("storage_unavailable");
  expect(hasty.isLost).toBe(true);
  expect((await others)[0]?.[1]).toBe(7);
  expect(await server.ask("SELECT 8")).toEqual([[8]]);
  await patient.release();
  await server.close();
});

/** A primary whose only standby is gone, with the connections of a program to it. */
async function openUnconfirmed() {
  const opened = new AsyncDisposableStack();
  const primary = opened.use(await startPostgres({ durable: true }));
  const standby = opened.use(await startStandby(primary, { synchronous: true }));
  const server = await PostgresServer.open({
    address: addressOf(primary.port),
    schema: "public",
    connectionsMax: 2,
  });
  opened.defer(() => server.close());
  await server.ask("CREATE TABLE kept (number int)");
  standby.kill();
  return { opened, server, standby };
}

/** Writes a row in a transaction whose answers may take a second; returns the code of its refusal. */
async function keep(server: PostgresServer, number: number): Promise<string | null> {
  const link = new PostgresLink(await server.reserve(), 1_000);
  link.begin();
  link.send(`INSERT INTO kept VALUES (${number})`);
  const told = await codeOf(link.ask("COMMIT"));
  await link.release();
  if (link.unanswered !== null) void server.setAside(link.unanswered);
  return told;
}

test("a commit that its standby never confirms is not acknowledged", async () => {
  const { opened, server } = await openUnconfirmed();
  await using _ = opened;

  const told = await keep(server, 7);
  const seen = await server.ask("SELECT number FROM kept");

  expect(told).toBe("storage_unavailable");
  // A later read does not return the row either, because a failover would lose it.
  expect(seen).toEqual([]);
});

test("more commits than connections that a standby never confirms are all refused", async () => {
  const { opened, server } = await openUnconfirmed();
  await using _ = opened;

  const told = [];
  for (let number = 1; number <= 4; number += 1) told.push(await keep(server, number));

  expect(told).toEqual(Array.from({ length: 4 }, () => "storage_unavailable"));
  expect(await server.ask("SELECT number FROM kept")).toEqual([]);
});

test("a commit that its standby confirms late is there, and its connection serves again", async () => {
  const { opened, server, standby } = await openUnconfirmed();
  await using _ = opened;

  const told = await keep(server, 7);
  await standby.start();
  const second = await keep(server, 8);

  expect([told, second]).toEqual(["storage_unavailable", null]);
  expect(await server.ask("SELECT number FROM kept ORDER BY number")).toEqual([[7], [8]]);
});

test("a transaction that waits too long for another one's lock is asked to retry", async () => {
  await using primary = await startPostgres();
  const server = await PostgresServer.open({
    address: addressOf(primary.port),
    schema: "public",
    connectionsMax: 2,
  });
  await server.ask("CREATE TABLE kept AS SELECT 7 AS number");
  const [holder, waiter] = [
    new PostgresLink(await server.reserve()),
    new PostgresLink(await server.reserve()),
  ];
  holder.begin();
  await holder.ask("SELECT number FROM kept FOR UPDATE");
  waiter.begin();
  waiter.send("SET LOCAL lock_timeout = 100");

  const told = await codeOf(waiter.ask("SELECT number FROM kept FOR UPDATE"));

  expect(told).toBe("storage_unavailable");
  expect(waiter.isLost).toBe(false);
  await Promise.all([holder.release(), waiter.release()]);
  await server.close();
});
