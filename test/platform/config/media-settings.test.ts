// The settings of uploaded pictures.

import { expect, test } from "bun:test";
import { resolve } from "node:path";

import { parseConfig } from "#platform/config/config.ts";
import { describeConfig } from "#platform/config/describe-config.ts";
import { ConfigFaults } from "#platform/process/environment.ts";

const bucket = {
  DUKA_MEDIA_S3_ENDPOINT: "https://s3.example",
  DUKA_MEDIA_S3_BUCKET: "pictures",
  DUKA_MEDIA_S3_KEY: "AKEXAMPLE",
  DUKA_MEDIA_S3_SECRET: "hunter2",
};
const server = { DUKA_DATABASE_URL: "postgres://ada@127.0.0.1/duka" };

/** The names of the settings with a fault, and the text of all faults. */
function faultsOf(environment: Record<string, string>) {
  try {
    parseConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigFaults)) throw error;
    return {
      names: error.faults.map(({ setting }) => setting.replace("DUKA_MEDIA_", "")),
      text: error.faults.map(({ detail }) => detail).join(),
    };
  }
  return { names: [], text: "" };
}

test("a bucket takes the place of a folder, also for a shop in PostgreSQL", () => {
  const { media } = parseConfig({ ...bucket, ...server, DUKA_MEDIA_S3_REGION: "eu-west-1" });

  expect(media).toEqual({
    bucket: {
      endpoint: "https://s3.example",
      name: "pictures",
      key: "AKEXAMPLE",
      secret: "hunter2",
      region: "eu-west-1",
      publicUrl: null,
    },
  });
  expect(parseConfig(server).media).toBeNull();
  expect(parseConfig({ ...server, DUKA_MEDIA_DIR: "m" }).media).toEqual({ folder: resolve("m") });
});

test("every fault is listed: what is missing, what has no effect, and two places", () => {
  const { DUKA_MEDIA_S3_ENDPOINT, DUKA_MEDIA_S3_SECRET } = bucket;

  expect(faultsOf({ DUKA_MEDIA_S3_ENDPOINT, DUKA_MEDIA_DIR: "m" }).names.toSorted()).toEqual([
    "DIR",
    "S3_BUCKET",
    "S3_KEY",
    "S3_SECRET",
  ]);
  expect(faultsOf({ DUKA_MEDIA_S3_SECRET, DUKA_MEDIA_S3_PUBLIC_URL: "https://c.example" })).toEqual(
    {
      names: ["S3_SECRET", "S3_PUBLIC_URL"],
      text: expect.stringContaining("has no effect without DUKA_MEDIA_S3_ENDPOINT"),
    },
  );
  const wrong = faultsOf({
    ...bucket,
    DUKA_MEDIA_S3_ENDPOINT: "s3.example",
    DUKA_MEDIA_S3_BUCKET: "My Pictures",
    DUKA_MEDIA_S3_SECRET: "hunter2 with spaces",
  });
  expect(wrong.names).toEqual(["S3_ENDPOINT", "S3_BUCKET", "S3_SECRET"]);
  expect(wrong.text).not.toContain("hunter2");
});

test("the secret is shown nowhere", () => {
  const rows = describeConfig(parseConfig(bucket));

  expect(JSON.stringify(rows)).not.toContain("hunter2");
  expect(rows.find(({ name }) => name === "DUKA_MEDIA_S3_BUCKET")?.value).toBe("pictures");
});
