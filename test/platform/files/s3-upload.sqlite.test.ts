// Files that are larger than a part, and uploads that break.

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";

import { openS3Store } from "#platform/files/s3-store.ts";

import { errorOf } from "../../support/database.ts";
import { openS3Server, S3_SECRET, type S3Server } from "../../support/s3-server.ts";
import { openScratchFolder, type ScratchFolder } from "../../support/scratch.ts";

setDefaultTimeout(60_000);

const PART = 6 * 1_048_576;

let scratch: ScratchFolder;
let s3: S3Server;
const bytes = randomBytes(2 * PART + 5);
const { signal } = new AbortController();

beforeEach(() => {
  scratch = openScratchFolder();
  s3 = openS3Server();
  writeFileSync(scratch.file("large"), bytes);
});

afterEach(async () => {
  scratch[Symbol.dispose]();
  await s3[Symbol.asyncDispose]();
});

function put(aborted = signal): Promise<void> {
  const credentials = { key: "AKEXAMPLE", secret: S3_SECRET, region: "eu-west-1" };
  const bucket = { endpoint: s3.url, name: "pictures", publicUrl: null, ...credentials };
  const store = openS3Store(bucket, { prefix: async () => "a b/ü&+/", type: "image/webp" });
  return store.putFile("00/large.bin", scratch.file("large"), aborted);
}

const KEY = "a b/ü&+/00/large.bin";

test("a large file goes in parts, is whole, and its bytes are compared", async () => {
  await put();

  expect(s3.asked).toEqual([
    `POST ${KEY}?uploads`,
    `PUT ${KEY}?partNumber=1`,
    `PUT ${KEY}?partNumber=2`,
    `PUT ${KEY}?partNumber=3`,
    `POST ${KEY}?uploadId`,
    `HEAD ${KEY}`,
  ]);
  expect(bytes.equals(s3.objects.get(KEY)?.bytes ?? new Uint8Array())).toBeTrue();
  expect(s3.uploads.size).toBe(0);
});

test("a part that the store is too busy for is sent again", async () => {
  let refusals = 2;
  s3.refuses = (request) => request.endsWith("partNumber=2") && refusals-- > 0;

  await put();

  expect(s3.objects.get(KEY)?.bytes.length).toBe(bytes.length);
});

test.each(["?partNumber=3", "?uploadId", "HEAD"])(
  "an upload that breaks at %s is refused, and is aborted",
  async (step) => {
    s3.refuses = (request) => request.includes(step) && !request.startsWith("DELETE");

    expect((await errorOf(put()))?.name).toBe("Refusal");

    expect(s3.uploads.size).toBe(0);
    expect(s3.objects.has(KEY)).toBe(step === "HEAD");
  },
);

test("an upload that is stopped is aborted", async () => {
  const stop = new AbortController();
  s3.refuses = (request) => {
    if (request.endsWith("partNumber=2")) stop.abort();
    return false;
  };

  expect(await errorOf(put(stop.signal))).not.toBeNull();

  expect(s3.uploads.size).toBe(0);
  expect(s3.objects.size).toBe(0);
});
