// `duka check` also verifies the database files.

import { Database as SqliteFile } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

import { runDuka } from "../support/running-duka.ts";
import { openScratchFolder } from "../support/scratch.ts";

setDefaultTimeout(60_000);

test("a damaged file is reported, and the other one is still checked", async () => {
  using scratch = openScratchFolder();
  const folder = scratch.path;
  await runDuka(["migrate", "--init"], { folder });
  const file = readFileSync(scratch.file("data/test.sqlite"));
  writeFileSync(scratch.file("data/test.sqlite"), file.fill(0xaa, 8192));

  const ended = await runDuka(["check"], { folder });

  expect(ended.code).toBe(1);
  expect(ended.stdout).toContain("test.sqlite: database file should be");
  expect(ended.stdout).toEndWith("live: everything agrees\n");
});

test("a trigger that Duka did not make is reported", async () => {
  using scratch = openScratchFolder();
  const folder = scratch.path;
  await runDuka(["migrate", "--init"], { folder });
  using database = new SqliteFile(scratch.file("data/live.sqlite"));
  database.run("CREATE TRIGGER spy AFTER INSERT ON orders BEGIN DELETE FROM payments; END");

  const ended = await runDuka(["check"], { folder });

  expect(ended.code).toBe(1);
  expect(ended.stdout).toContain(
    "live: trigger spy: definition should be none and is one that Duka did not make\n",
  );
});

test("tables of litestream are none of the shop's, and no difference; a trigger of such a name is one", async () => {
  using scratch = openScratchFolder();
  const folder = scratch.path;
  await runDuka(["migrate", "--init"], { folder });
  using database = new SqliteFile(scratch.file("data/live.sqlite"));
  database.run("CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)");
  database.run("INSERT INTO _litestream_seq VALUES (1, 1)");

  const checked = await runDuka(["check"], { folder });
  const backup = (await runDuka(["backup"], { folder })).stdout.trim();
  const verified = await runDuka(["backup", "verify", backup], { folder });
  const restored = await runDuka(["restore", backup], { folder });
  using replaced = new SqliteFile(scratch.file("data/live.sqlite"));
  replaced.run("CREATE TRIGGER _litestream_spy AFTER INSERT ON orders BEGIN SELECT 1; END");

  expect([checked.code, verified.code, restored.code]).toEqual([0, 0, 0]);
  expect(readFileSync(`${backup}/manifest.json`, "utf8")).not.toContain("_litestream_");
  expect((await runDuka(["check"], { folder })).stdout).toContain("trigger _litestream_spy");
});

test("a directory without a shop is reported, and nothing is created", async () => {
  using scratch = openScratchFolder();

  const ended = await runDuka(["check", "--data-dir", scratch.file("nowhere")], {
    folder: scratch.path,
  });

  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain("There is no shop at");
  expect(existsSync(scratch.file("nowhere"))).toBeFalse();
});
