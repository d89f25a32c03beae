// The generator adds to a migration what drizzle-kit does not write.

import { expect, test } from "bun:test";

import { finishMigration } from "../../drizzle/generate.ts";

test("a new table becomes strict", () => {
  const written = "CREATE TABLE `crates` (\n\t`id` text PRIMARY KEY NOT NULL\n);\n";

  expect(finishMigration(written)).toBe(
    "CREATE TABLE `crates` (\n\t`id` text PRIMARY KEY NOT NULL\n) STRICT;\n",
  );
});

test("a table whose rows live in its key's tree is made without rowids", () => {
  const written = "CREATE TABLE `order_lines` (\n\t`id` text PRIMARY KEY NOT NULL\n);\n";

  expect(finishMigration(written)).toBe(
    "CREATE TABLE `order_lines` (\n\t`id` text PRIMARY KEY NOT NULL\n) STRICT, WITHOUT ROWID;\n",
  );
});

test("every table of a migration is finished, whatever its columns and checks", () => {
  const written = [
    'CREATE TABLE `a` (\n\t`n` integer NOT NULL,\n\tCONSTRAINT "n" CHECK(("a"."n") > (0))\n);',
    "CREATE UNIQUE INDEX `a_n` ON `a` (`n`);",
    "CREATE TABLE `b` (\n\t`a` integer,\n\tFOREIGN KEY (`a`) REFERENCES `a`(`n`)\n);",
  ].join("--> statement-breakpoint\n");

  const finished = finishMigration(written);

  expect(finished.match(/\) STRICT;/g)).toHaveLength(2);
  expect(finished).toContain('CHECK(("a"."n") > (0))\n) STRICT;');
});

test("what is finished is not finished again", () => {
  const written = "CREATE TABLE `events` (\n\t`id` text\n);\nCREATE TABLE `b` (\n\t`id` text\n);";
  const once = finishMigration(written);

  expect(finishMigration(once)).toBe(once);
});

test("statements that make no table stay as they are", () => {
  const written = "ALTER TABLE `crates` ADD `note` text;\nCREATE INDEX `i` ON `crates` (`note`);";

  expect(finishMigration(written)).toBe(written);
});
