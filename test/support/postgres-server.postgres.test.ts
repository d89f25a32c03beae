// The PostgreSQL servers of tests: deleted with the program that started them, durable and replicated as
// they claim.

import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { SQL } from "bun";

import { startPostgres, startStandby, type TestPostgres } from "./postgres-server.ts";

setDefaultTimeout(120_000);

/** The result of one statement, over a connection of its own. */
async function ask(server: TestPostgres, text: string): Promise<unknown> {
  await using sql = new SQL(server.url("duka"), { max: 1 });
  const [row] = await sql.unsafe(text).values();
  return row?.[0];
}

test("disposing of a server deletes its folder", async () => {
  const server = await startPostgres();
  const { id, folder } = server;

  await server[Symbol.asyncDispose]();

  expect(() => process.kill(id, 0)).toThrow("ESRCH");
  expect(existsSync(folder)).toBe(false);
});

test("a server and its folder are gone after the program that started it was killed", async () => {
  const starter = Bun.spawn([process.execPath, join(import.meta.dir, "postgres-alone.ts")], {
    stdout: "pipe",
    // The keeper holds it open too: it ends after all cleaning.
    stderr: "pipe",
  });
  const { value } = await starter.stdout.getReader().read();
  const { id, folder } = JSON.parse(new TextDecoder().decode(value));

  starter.kill("SIGKILL");
  const stderr = await new Response(starter.stderr).text();

  expect(stderr).toBe("");
  expect(() => process.kill(id, 0)).toThrow("ESRCH");
  expect(existsSync(folder)).toBe(false);
});

test("a killed durable server restarts with everything that it confirmed", async () => {
  await using server = await startPostgres({ durable: true });
  await ask(server, "CREATE TABLE kept AS SELECT 7 AS number");
  const { port } = server;

  server.kill();
  await server.start();

  expect(server.port).toBe(port);
  expect(await ask(server, "SELECT number FROM kept")).toBe(7);
});

test("a promoted synchronous standby has everything that its primary confirmed", async () => {
  await using primary = await startPostgres({ durable: true });
  await using standby = await startStandby(primary, { synchronous: true });
  await ask(primary, "CREATE TABLE kept AS SELECT 7 AS number");

  primary.kill();
  await standby.promote();

  expect(await ask(standby, "SELECT pg_is_in_recovery()")).toBe(false);
  expect(await ask(standby, "SELECT number FROM kept")).toBe(7);
});
