// A PostgreSQL that refuses the shop's user: the start says in a sentence what the server said.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import { SQL } from "bun";

import { startPostgres, type TestPostgres } from "../support/postgres-server.ts";
import { runDuka } from "../support/running-duka.ts";
import { openScratchFolder } from "../support/scratch.ts";

setDefaultTimeout(120_000);

let server: TestPostgres;

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

/** What a start says for a user that was made so. */
async function startAs(user: string, making: readonly string[]) {
  await using sql = new SQL(server.url("duka"), { max: 1 });
  for (const statement of making) await sql.unsafe(statement);
  using folder = openScratchFolder();
  const url = new URL(server.url("duka"));
  url.username = user;
  return await runDuka(["serve"], {
    folder: folder.path,
    settings: { DUKA_DATABASE_URL: url.href, DUKA_PORT: "0", DUKA_DATABASE_CONNECTIONS: "4" },
  });
}

test("a user that may make no schema is told which right is missing", async () => {
  const ended = await startAs("guest", ["CREATE USER guest"]);

  expect(ended.code).toBe(1);
  expect(ended.stderr).toStartWith(
    "The user of DUKA_DATABASE_URL lacks a right: permission denied for database duka",
  );
});

test("a user with too few connections is told so", async () => {
  const ended = await startAs("crowded", [
    "CREATE USER crowded CONNECTION LIMIT 3",
    "GRANT CREATE ON DATABASE duka TO crowded",
  ]);

  expect(ended.code).toBe(1);
  expect(ended.stderr.trim().split("\n").at(-1)).toContain("too many connections for role");
});
