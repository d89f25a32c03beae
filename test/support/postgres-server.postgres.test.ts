// The servers that tests start for themselves: gone with whoever started them, and true to what they say
// of disks and standbys.

import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { SQL } from "bun";

import { startPostgres, startStandby, type TestPostgres } from "./postgres-server.ts";

setDefaultTimeout(120_000);

/** What one statement answers, over a connection of its own. */
async function ask(server: TestPostgres, text: string): Promise<unknown> {
  await using sql = new SQL(server.url("duka"), { max: 1 });
  const [row] = await sql.unsafe(text).values();
  return row?.[0];
}

test("a server and its folder are gone when it is disposed of", async () => {
  const server = await startPostgres();
  const { id, folder } = server;

  await server[Symbol.asyncDispose]();

  expect(() => process.kill(id, 0)).toThrow("ESRCH");
  expect(existsSync(folder)).toBe(false);
});

test("a server and its folder are gone when the program that started it was killed", async () => {
  const starter = Bun.spawn([process.execPath, join(import.meta.dir, "postgres-alone.ts")], {
    stdout: "pipe",
    // Held open by the keeper, too: it ends when everything has been cleaned up.
    stderr: "pipe",
  });
  const { value } = await starter.stdout.getReader().read();
  const { id, folder } = JSON.parse(new TextDecoder().decode(value));

  starter.kill("SIGKILL");
  const said = await new Response(starter.stderr).text();

  expect(said).toBe("");
  expect(() => process.kill(id, 0)).toThrow("ESRCH");
  expect(existsSync(folder)).toBe(false);
});

test("a durable server that was killed starts again with what it had confirmed", async () => {
  await using server = await startPostgres({ durable: true });
  await ask(server, "CREATE TABLE kept AS SELECT 7 AS number");
  const { port } = server;

  server.kill();
  await server.start();

  expect(server.port).toBe(port);
  expect(await ask(server, "SELECT number FROM kept")).toBe(7);
});

test("a synchronous standby has all that its primary confirmed when it is promoted", async () => {
  await using primary = await startPostgres({ durable: true });
  await using standby = await startStandby(primary, { synchronous: true });
  await ask(primary, "CREATE TABLE kept AS SELECT 7 AS number");

  primary.kill();
  await standby.promote();

  expect(await ask(standby, "SELECT pg_is_in_recovery()")).toBe(false);
  expect(await ask(standby, "SELECT number FROM kept")).toBe(7);
});
