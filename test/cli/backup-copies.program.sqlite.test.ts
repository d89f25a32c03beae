// Backups that are copied to a bucket, and a shop that comes back from there: the program as operators run it.

import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  expect,
  setDefaultTimeout,
  test,
} from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { basename } from "node:path";

import { backupJobs } from "#platform/backup/job.ts";
import { readManifest, renderManifest, signManifest } from "#platform/backup/manifest.ts";
import { openLog } from "#platform/log/log.ts";
import { openVault } from "#platform/vault/vault.ts";

import { errorOf } from "../support/database.ts";
import { picture } from "../support/pictures.ts";
import { openRunningDuka, runDuka } from "../support/running-duka.ts";
import { openS3Server, type S3Server } from "../support/s3-server.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";

setDefaultTimeout(120_000);

/** A shop with a picture, made once. */
let template: ScratchFolder;
let scratch: ScratchFolder;
let s3: S3Server;

beforeAll(async () => {
  template = openScratchFolder();
  await using server = await openRunningDuka({ folder: template.path });
  await fetch(`${server.url}/v2/media`, {
    method: "POST",
    headers: { Authorization: `Bearer ${server.key}`, "Content-Type": "image/jpeg" },
    body: Uint8Array.from(await picture("jpeg", 400, 400)),
  });
  await server.end("SIGTERM");
});

afterAll(() => template[Symbol.dispose]());

beforeEach(() => {
  scratch = openScratchFolder();
  s3 = openS3Server();
  cpSync(template.file("data"), scratch.file("data"), { recursive: true });
});

afterEach(async () => {
  scratch[Symbol.dispose]();
  await s3[Symbol.asyncDispose]();
});

/** Runs a command in the folder of the shop, or in another one. */
function duka(
  args: readonly string[],
  { directory = "data", ...more }: Readonly<Record<string, string>> = {},
) {
  const settings = { ...s3.copySettings, DUKA_BACKUP_S3_PREFIX: "a/b", DUKA_DATA_DIR: directory };
  return runDuka(args, { folder: scratch.path, settings: { ...settings, ...more } });
}

function local(): string[] {
  return readdirSync(scratch.file("data/backups"));
}

/** All files of the shop, in the order of their paths. */
function filesOf(): string[] {
  return readdirSync(scratch.file("data"), { recursive: true, encoding: "utf8" }).toSorted();
}

test("each backup is copied with its pictures, which are there once, and the oldest copy goes", async () => {
  const first = await duka(["backup", "--keep", "2"]);
  const pictures = [...s3.objects.keys()].filter((key) => key.includes("/media/"));
  const asked = s3.asked.length;
  const second = await duka(["backup", "--keep", "2"]);
  const third = await duka(["backup", "--to", "s3:", "--keep", "2"]);
  const listed = await duka(["backup", "list", "--json"]);
  const upload = await duka(["backup", "upload"]);

  expect([first.code, second.code, third.code, upload.code]).toEqual([0, 0, 0, 0]);
  expect(pictures).toHaveLength(3);
  const puts = s3.asked.slice(asked).filter((one) => one.startsWith("PUT a/b/media/"));
  expect(puts).toEqual([]);
  const copies = [third.stdout.trim(), `s3:${basename(second.stdout.trim())}`];
  expect(JSON.parse(listed.stdout).map(({ path }: { path: string }) => path)).toEqual([
    second.stdout.trim(),
    first.stdout.trim(),
    ...copies,
  ]);
  expect(third.stderr).toContain(`Deleted s3:${basename(first.stdout.trim())}`);
  expect([...s3.objects.keys()].every((key) => key.startsWith("a/b/"))).toBeTrue();
  expect(upload.stdout).toBe("");
});

test("an empty machine gets the shop back with its pictures, once it has the key", async () => {
  const backup = `s3:${basename((await duka(["backup"])).stdout.trim())}`;
  const empty = { directory: "new" };
  s3.asked.splice(0);

  const withoutKey = await duka(["restore", backup], empty);
  const asked = [...s3.asked];
  mkdirSync(scratch.file("new"), { recursive: true, mode: 0o700 });
  cpSync(scratch.file("data/secret.key"), scratch.file("new/secret.key"));
  const restored = await duka(["restore", backup], empty);

  expect(withoutKey.code).toBe(1);
  expect(withoutKey.stderr).toContain("there is no secret.key here");
  expect(withoutKey.stderr).toContain("all of it but the secrets of webhooks, gateways and links");
  expect(asked).toEqual([`GET a/b/${backup.slice(3)}/manifest.json`]);
  expect([restored.code, restored.stderr]).toEqual([
    0,
    expect.stringContaining("downloading live"),
  ]);
  expect((await duka(["check"], empty)).code).toBe(0);
  expect(readdirSync(scratch.file("new/backups"))).toEqual([]);
});

test("a copy is verified in a temporary folder, which a running server does not mind", async () => {
  const backup = (await duka(["backup", "--to", "s3:"])).stdout.trim();
  const temporary = scratch.file("temporary");
  mkdirSync(temporary);
  const before = filesOf();

  const sound = await duka(["backup", "verify", backup], { TMPDIR: temporary });
  const [key = "", live] = [...s3.objects].find(([one]) => one.endsWith("/live.sqlite.zst")) ?? [];
  live?.bytes.fill(7, 0, 100);
  const damaged = await duka(["backup", "verify", backup], { TMPDIR: temporary });

  expect([sound.code, damaged.code]).toEqual([0, 1]);
  expect(sound.stdout).toContain("The backup restores the shop of");
  expect(damaged.stderr).toContain(basename(key));
  expect(readdirSync(temporary)).toEqual([]);
  expect(filesOf()).toEqual(before);
});

test("without its key a copy is restored as far as it can be, if that is wished", async () => {
  const backup = `s3:${basename((await duka(["backup"])).stdout.trim())}`;

  const restored = await duka(["restore", "--unverified", backup], { directory: "new" });

  expect(restored.code).toBe(0);
  expect(restored.stderr).toStartWith("This backup is not proven to be of your shop.");
  expect(restored.stdout).toContain("no secret of a gateway is stored");
  expect((await duka(["check"], { directory: "new" })).code).toBe(0);
});

test("a bucket that refuses leaves the backup where it is, and gets it later", async () => {
  s3.refuses = () => true;
  const made = await duka(["backup"]);
  const listed = await duka(["backup", "list"]);
  const again = await duka(["backup", "upload"]);
  s3.refuses = null;
  const uploaded = await duka(["backup", "upload"]);

  expect([made.code, listed.code, again.code, uploaded.code]).toEqual([1, 1, 1, 0]);
  expect(made.stderr).toContain("status 503, SlowDown, Refused by the test. It stays in");
  expect(listed.stdout).toContain(made.stdout.trim());
  expect(local()).toEqual([basename(made.stdout.trim())]);
  expect(uploaded.stdout).toBe(`s3:${basename(made.stdout.trim())}\n`);
});

test("the server makes backups, and copies later what a bucket that was away lacks", async () => {
  const lines: string[] = [];
  const [making, copying] = backupJobs({
    schedule: "30 3 * * *",
    dataDirectory: scratch.file("data"),
    folder: scratch.file("other"),
    keep: 1,
    areCopied: true,
    places: s3.copySettings,
    secretKey: null,
    log: openLog({ level: "info", write: (line) => lines.push(line) }),
  });
  s3.refuses = () => true;
  const error = await errorOf(making?.run() ?? Promise.resolve());
  s3.refuses = null;

  await copying?.run();
  await copying?.run();

  expect(error?.message).toContain("The backup was not copied: Cannot use the bucket");
  const [name = ""] = readdirSync(scratch.file("other"));
  expect(lines.map((line) => JSON.parse(line).path)).toEqual([`s3:${name}`]);
  expect(copying?.pattern).toBe("17 * * * *");
});

test("a copy that was made while the clock was wrong keeps no other from the bucket", async () => {
  const made = (await duka(["backup", "--to", "data/backups"])).stdout.trim();
  const createdAt = "2999-01-01T00:00:00.000Z";
  const manifest = { ...readManifest(made), createdAt };
  const bytes = Buffer.from(
    renderManifest(signManifest(manifest, openVault(scratch.file("data"), null))),
  );
  const key = "a/b/duka-2999-01-01T000000.000Z/manifest.json";
  s3.objects.set(key, { bytes: new Uint8Array(bytes), type: null, writtenAt: 0 });

  const uploaded = await duka(["backup", "upload"]);

  expect(uploaded.stdout).toBe(`s3:${basename(made)}\n`);
});

test("copies that may not be deleted stay, with a warning", async () => {
  await duka(["backup", "--keep", "1"]);
  s3.refuses = (request) => request.startsWith("DELETE ");

  const second = await duka(["backup", "--keep", "1"]);

  expect(second.code).toBe(0);
  expect(second.stderr).toContain(
    "Warning: what is old stays in the bucket. Cannot use the bucket pictures",
  );
  expect(local()).toEqual([basename(second.stdout.trim())]);
});

test("a name that is none, a copy that is not there and a bucket that is not set are refused", async () => {
  const none = { DUKA_BACKUP_S3_ENDPOINT: "" };
  const code = async (args: string[], more = {}) => (await duka(args, more)).code;
  const unset = Object.fromEntries(Object.keys(s3.copySettings).map((name) => [name, ""]));

  expect(await code(["restore", "s3:../../etc"])).toBe(2);
  expect(await code(["restore", "s3:duka-2020-01-01T000000.000Z"])).toBe(1);
  expect(await code(["backup"], none)).toBe(2);
  for (const args of [
    ["backup", "--to", "s3:"],
    ["backup", "upload"],
  ]) {
    expect(await code(args, { ...unset, DUKA_BACKUP_S3_PREFIX: "" })).toBe(2);
  }
  expect(existsSync(scratch.file("data/backups"))).toBeFalse();
});

test("a folder that is named is not copied", async () => {
  const made = await duka(["backup", "--to", "elsewhere"]);

  expect(made.code).toBe(0);
  expect(s3.asked).toEqual([]);
});
