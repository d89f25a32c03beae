// A PostgreSQL that refuses the shop's user: a command says in a sentence what the server said.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import { SQL } from "bun";

import { startPostgres, type TestPostgres } from "../support/postgres-server.ts";
import { runDuka } from "../support/running-duka.ts";
import { openScratchFolder } from "../support/scratch.ts";

setDefaultTimeout(120_000);

const LACKS = "The user of DUKA_DATABASE_URL lacks a right: permission denied for";

let server: TestPostgres;

beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

async function make(...statements: readonly string[]): Promise<void> {
  await using sql = new SQL(server.url("duka"), { max: 1 });
  for (const statement of statements) await sql.unsafe(statement);
}

async function runAs(user: string, args: readonly string[]) {
  using folder = openScratchFolder();
  const url = new URL(server.url("duka"));
  url.username = user;
  return await runDuka(args, {
    folder: folder.path,
    settings: { DUKA_DATABASE_URL: url.href, DUKA_PORT: "0", DUKA_DATABASE_CONNECTIONS: "4" },
  });
}

test("a user that may make no schema is told which right is missing", async () => {
  await make("CREATE USER guest");

  const ended = await runAs("guest", ["serve"]);

  expect(ended.code).toBe(1);
  expect(ended.stderr).toStartWith(`${LACKS} database duka`);
});

test("a user with too few connections is told so", async () => {
  await make("CREATE USER crowded CONNECTION LIMIT 3", "GRANT CREATE ON DATABASE duka TO crowded");

  const ended = await runAs("crowded", ["serve"]);

  expect(ended.code).toBe(1);
  expect(ended.stderr.trim().split("\n").at(-1)).toContain("too many connections for role");
});

test("a shop that another user restored is not taken for none", async () => {
  await runAs("duka", ["migrate", "--init"]);
  await make("CREATE USER heir", "GRANT CREATE ON DATABASE duka TO heir");

  const commands = [["serve"], ["keys", "list"], ["check"]];
  const ended = await Promise.all(commands.map((args) => runAs("heir", args)));

  const said = ended.map(({ stderr }) => stderr.slice(0, LACKS.length));
  expect(said).toEqual([LACKS, LACKS, LACKS]);
});
