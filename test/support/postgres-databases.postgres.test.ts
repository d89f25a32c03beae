// Each data directory of a test has its own database, which is reused after its folder is gone.

import { expect, test } from "bun:test";

import { SQL } from "bun";

import { databaseOf } from "./postgres-databases.ts";
import { openScratchFolder } from "./scratch.ts";

/** The names of the databases on the server of this run. */
async function databases(): Promise<unknown[]> {
  await using sql = new SQL(process.env.DUKA_DATABASE_URL ?? "", { max: 1 });
  return (await sql.unsafe("SELECT datname FROM pg_database").values()).flat();
}

const nameOf = (url: string) => new URL(url).pathname.slice(1);

test("the same directory gets the same database, another directory another one", async () => {
  using folder = openScratchFolder();

  const [first, again, other] = [
    await databaseOf(folder.file("data")),
    await databaseOf(`${folder.path}/./data`),
    await databaseOf(folder.file("other")),
  ];

  expect(again).toBe(first);
  expect(other).not.toBe(first);
});

test("a new database has the tables of both modes without rows", async () => {
  using folder = openScratchFolder();

  await using sql = new SQL(await databaseOf(folder.path), { max: 1 });

  expect(await sql.unsafe("SELECT count(*)::int FROM test.orders").values()).toEqual([[0]]);
  expect(await sql.unsafe("SELECT count(*)::int FROM live.orders").values()).toEqual([[0]]);
});

test.each([
  ["is emptied for another one", "INSERT INTO test.counters VALUES ('orders', 7)", true],
  ["is dropped where its tables were changed", "ALTER TABLE test.orders ADD note text", false],
  ["is dropped where its migrations were changed", "DELETE FROM live.migrations", false],
])("a database whose folder is gone %s", async (_, change, isKept) => {
  const folder = openScratchFolder();
  using next = openScratchFolder();
  // One that no test has used: after many uses a database is dropped in any case.
  const known = await databases();
  let taken = 0;
  let url = "";
  do url = await databaseOf(folder.file(String((taken += 1))));
  while (known.includes(nameOf(url)));
  await runIn(url, change);

  folder[Symbol.dispose]();
  // One more than are free again, so that the last one waits until all of them are emptied or dropped.
  for (let n = 0; n <= taken; n += 1) await databaseOf(next.file(String(n)));

  expect((await databases()).includes(nameOf(url))).toBe(isKept);
  if (isKept) expect(await runIn(url, "SELECT count(*)::int FROM test.counters")).toEqual([[0]]);
});

async function runIn(url: string, text: string): Promise<unknown[][]> {
  await using sql = new SQL(url, { max: 1 });
  return await sql.unsafe(text).values();
}
