// The settings of the bucket to which backups are copied.

import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";

import { parseConfig } from "#platform/config/config.ts";
import { describeConfig } from "#platform/config/describe-config.ts";
import { givenPlaces } from "#platform/config/read-media.ts";
import { ConfigFaults } from "#platform/process/environment.ts";

import { openScratchFolder } from "../../support/scratch.ts";

const bucket = {
  DUKA_BACKUP_S3_ENDPOINT: "https://s3.example",
  DUKA_BACKUP_S3_BUCKET: "backups",
  DUKA_BACKUP_S3_KEY: "AKEXAMPLE",
};
const secret = { DUKA_BACKUP_S3_SECRET: "hunter2" };

/** Each fault, as `SETTING: sentence`. */
function faultsOf(environment: Record<string, string>): string[] {
  try {
    parseConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigFaults)) throw error;
    return error.faults.map(({ setting, detail }) => `${setting}: ${detail}`);
  }
  return [];
}

test("a prefix is the same with and without its final slash, and none is empty", () => {
  const prefixOf = (prefix: string) =>
    parseConfig({ ...bucket, ...secret, DUKA_BACKUP_S3_PREFIX: prefix }).backup.copies?.prefix;

  expect([prefixOf("shop/a-b"), prefixOf("shop/a-b/"), prefixOf("")]).toEqual([
    "shop/a-b/",
    "shop/a-b/",
    "",
  ]);
  const DUKA_BACKUP_S3_PREFIX = (value: string) =>
    faultsOf({ ...bucket, ...secret, DUKA_BACKUP_S3_PREFIX: value });
  for (const wrong of ["/shop", "shop//a", "../shop", "shop/..", "a b", "/"]) {
    expect(DUKA_BACKUP_S3_PREFIX(wrong)).toEqual([
      `DUKA_BACKUP_S3_PREFIX: "${wrong}" is not a path such as shop/backups`,
    ]);
  }
});

test("the secret may be in a file, and is shown in no form", () => {
  using folder = openScratchFolder();
  writeFileSync(folder.file("secret"), "hunter2\n");
  const given = { ...bucket, DUKA_BACKUP_S3_SECRET_FILE: folder.file("secret") };

  const config = parseConfig(given);

  expect(config.backup.copies?.bucket.secret).toBe("hunter2");
  expect(config.log.secrets).toContain("hunter2");
  expect(JSON.stringify(describeConfig(config))).not.toContain("hunter2");
  expect(givenPlaces(config)).toEqual(given);
  expect(faultsOf({ ...given, ...secret })).toEqual([
    "DUKA_BACKUP_S3_SECRET_FILE: must not be set together with DUKA_BACKUP_S3_SECRET",
  ]);
  writeFileSync(folder.file("secret"), "hunter 2");
  expect(faultsOf(given)).toEqual([
    "DUKA_BACKUP_S3_SECRET_FILE: has a space or a letter beyond ASCII",
  ]);
});

test("every fault is listed: what is missing and what has no effect", () => {
  const { DUKA_BACKUP_S3_ENDPOINT } = bucket;

  expect(faultsOf({ DUKA_BACKUP_S3_ENDPOINT })).toEqual(
    ["BUCKET", "KEY", "SECRET"].map(
      (name) => `DUKA_BACKUP_S3_${name}: must be set with DUKA_BACKUP_S3_ENDPOINT`,
    ),
  );
  expect(faultsOf({ ...secret, DUKA_BACKUP_S3_PREFIX: "shop" })).toEqual(
    ["SECRET", "PREFIX"].map(
      (name) => `DUKA_BACKUP_S3_${name}: has no effect without DUKA_BACKUP_S3_ENDPOINT`,
    ),
  );
});

test("for a shop in PostgreSQL it is refused, with what to do", () => {
  const server = { DUKA_DATABASE_URL: "postgres://ada@127.0.0.1/duka" };

  expect(faultsOf({ ...bucket, ...secret, ...server })).toEqual([
    expect.stringContaining("back it up with PostgreSQL's own tools (pg_dump, base backups)"),
  ]);
});
