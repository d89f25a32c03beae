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

test("a directory without a shop is reported, and nothing is created", async () => {
  using scratch = openScratchFolder();

  const ended = await runDuka(["check", "--data-dir", scratch.file("nowhere")], {
    folder: scratch.path,
  });

  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain("There is no shop at");
  expect(existsSync(scratch.file("nowhere"))).toBeFalse();
});
