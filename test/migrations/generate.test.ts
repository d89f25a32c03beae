// The generator adds to a migration what drizzle-kit does not write.

import { describe, expect, test } from "bun:test";

import { finishMigration, wordFor } from "../../drizzle/generate.ts";
import { migrationsSayTheirWord } from "../support/tidy-rules.ts";

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

test.each([
  [
    "a table with its constraints",
    'CREATE TABLE "a" (\n\t"n" bigint NOT NULL\n);\n--> statement-breakpoint\nALTER TABLE "a" ADD CONSTRAINT "a_n" FOREIGN KEY ("n") REFERENCES "b"("n");--> statement-breakpoint\nCREATE UNIQUE INDEX "a_n" ON "a" ("n");',
  ],
  ["a column that may be null", "ALTER TABLE `orders` ADD `note` text;"],
  ["a column with a default", 'ALTER TABLE "orders" ADD COLUMN "n" bigint DEFAULT 0 NOT NULL;'],
  ["an index", "CREATE INDEX `orders_by_note` ON `orders` (`note`);"],
])("programs of before work beside a migration that adds %s", (_, text) => {
  expect(wordFor(text)).toBe("expand");
  expect(wordFor(`-- expand\n${text}`)).toBe("expand");
});

test.each([
  [
    "makes a table anew",
    "CREATE TABLE `__new_a` (\n\t`n` integer\n);--> statement-breakpoint\nDROP TABLE `a`;",
  ],
  ["drops a column", "ALTER TABLE `orders` DROP COLUMN `note`;"],
  [
    "adds a column that every row must have",
    'ALTER TABLE "orders" ADD COLUMN "n" bigint NOT NULL;',
  ],
  ["adds a rule to an old table", 'ALTER TABLE "orders" ADD CONSTRAINT "n" CHECK (n > 0);'],
  ["lets one row have what two may have", "CREATE UNIQUE INDEX `i` ON `orders` (`note`);"],
  [
    "changes rows beside an addition",
    "ALTER TABLE `orders` ADD `n` text;\nUPDATE `orders` SET `n` = 'a';",
  ],
  ["has no statement", "-- contract\n"],
])("programs of before do not work beside a migration that %s", (_, text) => {
  expect(wordFor(text)).toBe("contract");
});

describe("a migration says whether programs of before can work beside it", () => {
  const added = "-- expand\nALTER TABLE `orders` ADD `a` text;\n";

  test("those of before it had to, and those with the same word on both engines, pass", () => {
    const migrations = { "sqlite/0063_a.sql": "DROP TABLE a", "sqlite/0064_b.sql": added };

    expect(
      migrationsSayTheirWord({
        ...migrations,
        "postgres/0064_b.sql": '-- expand\nALTER TABLE "orders" ADD COLUMN "a" text;',
      }),
    ).toEqual([]);
  });

  test("one without a word, and an expanding one that changes rows, are stopped", () => {
    const found = migrationsSayTheirWord({
      "sqlite/0064_a.sql": "ALTER TABLE `orders` ADD `a` text;",
      "sqlite/0065_b.sql": "-- expand\nUPDATE `orders` SET `a` = 1;",
    });

    expect(found).toEqual([
      'drizzle/sqlite/0064_a.sql begins with neither "-- expand" nor "-- contract"',
      'drizzle/sqlite/0065_b.sql changes more than it adds: begin it with "-- contract"',
    ]);
  });

  test("one with another word on the other engine is stopped", () => {
    const migrations = { "sqlite/0064_b.sql": added, "postgres/0064_b.sql": "-- contract\n" };

    expect(migrationsSayTheirWord(migrations)).toHaveLength(2);
  });
});
