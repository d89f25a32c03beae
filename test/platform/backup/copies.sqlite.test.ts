// Copies of backups in a bucket that others use, too, and that does not always answer. The backups are real ones.

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";

import { DAY_MS, HOUR_MS } from "#kernel/time.ts";
import { takeBackup } from "#platform/backup/backup.ts";
import {
  downloadCopy,
  listCopies,
  openCopies,
  readCopy,
  uploadCopy,
} from "#platform/backup/copies.ts";
import { pruneCopies } from "#platform/backup/prune-copies.ts";
import { verifyBackup } from "#platform/backup/verify.ts";
import { vaultWith } from "#platform/vault/vault.ts";

import { errorOf, NOON } from "../../support/database.ts";
import { openRawReceiver } from "../../support/receivers.ts";
import { openS3Server, S3_SECRET, type S3Server } from "../../support/s3-server.ts";
import { openScratchFolder, type ScratchFolder } from "../../support/scratch.ts";
import { makeDatabases, vault, workOf } from "./backup-work.ts";

setDefaultTimeout(60_000);

let scratch: ScratchFolder;
let s3: S3Server;

beforeEach(() => {
  scratch = openScratchFolder();
  s3 = openS3Server();
  mkdirSync(scratch.file("data"));
  makeDatabases(scratch.file("data"));
});

afterEach(async () => {
  scratch[Symbol.dispose]();
  await s3[Symbol.asyncDispose]();
});

function storeBelow(prefix: string, port?: number) {
  const credentials = { key: "AKEXAMPLE", secret: S3_SECRET, region: "eu-west-1" };
  const bucket = {
    endpoint: port === undefined ? s3.url : `http://127.0.0.1:${port}`,
    name: "pictures",
    publicUrl: null,
    ...credentials,
  };
  return openCopies({ bucket, prefix });
}

const MEDIA = ["live/00/med_a-300.webp", "test/ab/med_b-300.webp"];

/** Makes a backup of the hour and copies it. */
async function copyOf(hour: number, terms: Parameters<typeof workOf>[0] = {}) {
  for (const name of MEDIA) {
    mkdirSync(join(scratch.file("data/media"), name, ".."), { recursive: true });
    writeFileSync(join(scratch.file("data/media"), name), `picture ${name}`);
  }
  const work = workOf({ hour, ...terms });
  const taken = await takeBackup(scratch.file("data"), scratch.file("backups"), work);
  await uploadCopy(storeBelow("shop/"), taken, work);
  return taken;
}

function nameAt(hour: number): string {
  return `duka-${new Date(NOON + hour * HOUR_MS).toISOString().replaceAll(":", "")}`;
}

function prune(terms: { keep: number; spare: number; days?: number }) {
  const { keep, spare, days = 0 } = terms;
  const nowMs = Date.now() + days * DAY_MS;
  const own = { storeId: "str_ada", vault, nowMs };
  return pruneCopies(storeBelow("shop/"), { keep, spare: nameAt(spare), ...own });
}

async function copied(): Promise<string[]> {
  return (await listCopies(storeBelow("shop/"))).map(({ path }) => path);
}

function keys(): string[] {
  return [...s3.objects.keys()].toSorted();
}

test("a copy has all that the backup has, its manifest last, and comes back byte for byte", async () => {
  const { path, manifest } = await copyOf(0);
  const store = storeBelow("shop/");
  const name = nameAt(0);

  expect(s3.asked.filter((one) => one.startsWith("PUT ")).at(0)).toBe(`PUT shop/${name}/media.txt`);
  expect(s3.asked.filter((one) => one.startsWith("PUT ")).at(-1)).toBe(
    `PUT shop/${name}/manifest.json`,
  );
  expect(await readCopy(store, name)).toEqual(manifest);
  const folder = scratch.file("elsewhere");
  await downloadCopy(store, { name, manifest }, { ...workOf(), folder });

  const filesIn = (of: string) =>
    readdirSync(of, { recursive: true, encoding: "utf8" })
      .filter((file) => file.includes("."))
      .toSorted();
  expect(filesIn(folder)).toEqual(filesIn(path));
  for (const file of filesIn(path)) {
    expect(readFileSync(join(folder, file)).equals(readFileSync(join(path, file)))).toBeTrue();
  }
  expect(
    (await verifyBackup(folder, scratch.file("drill"), workOf())).proven.live.differences,
  ).toBe(0);
});

test("without a manifest it is no backup, whatever else is there", async () => {
  s3.refuses = (request) => request.endsWith("/manifest.json");

  const error = await errorOf(copyOf(0));

  expect(error?.message).toContain("status 503, SlowDown");
  s3.refuses = null;
  expect(keys().some((key) => key.endsWith("/live.sqlite.zst"))).toBeTrue();
  expect(await copied()).toEqual([]);
  expect((await errorOf(readCopy(storeBelow("shop/"), nameAt(0))))?.message).toContain(
    "There is no backup",
  );
});

test("the oldest copies of the shop go first, and nothing else goes", async () => {
  for (const hour of [0, 1, 2]) await copyOf(hour);
  await copyOf(3, { storeId: "str_bob" });
  await copyOf(4, { vault: vaultWith([new Uint8Array(32).fill(9)], []) });
  const object = { bytes: new Uint8Array(0), type: null, writtenAt: 0 };
  const foreign = [
    "shop/duka-notes.txt",
    `shop/${nameAt(5)}/notes`,
    `shop/duka-é&<b>/x`,
    "other/x",
  ];
  for (const key of foreign) s3.objects.set(key, object);
  const replayed = s3.objects.get(`shop/${nameAt(0)}/manifest.json`) ?? object;
  s3.objects.set(`shop/${nameAt(7)}/manifest.json`, replayed);
  s3.objects.set(`shop/${nameAt(6)}/manifest.json`, { ...object, bytes: Buffer.from("{}") });
  const asked = s3.asked.length;

  const pruned = await prune({ keep: 2, spare: 0 });

  expect(pruned).toEqual({ deleted: [nameAt(1)], refused: null });
  const deletions = s3.asked.slice(asked).filter((one) => one.startsWith("DELETE "));
  expect(deletions).toEqual(
    ["manifest.json", "media.txt", "live.sqlite.zst", "test.sqlite.zst"].map(
      (file) => `DELETE shop/${nameAt(1)}/${file}`,
    ),
  );
  expect(await copied()).toEqual([7, 6, 4, 3, 2, 0].map((hour) => `s3:${nameAt(hour)}`));
  expect(keys()).toEqual(expect.arrayContaining(foreign));
});

test("what an upload left that died goes after a week, but not before, and pictures go with their last copy", async () => {
  await copyOf(0);
  const old = { bytes: new Uint8Array(1), type: null, writtenAt: Date.now() - 30 * DAY_MS };
  for (const [key, { bytes }] of s3.objects) s3.objects.set(key, { ...old, bytes });
  s3.objects.set("shop/media/live/00/med_gone-300.webp", old);
  s3.objects.set("shop/media/live/00/med_new-300.webp", { ...old, writtenAt: Date.now() });
  s3.refuses = (request) => request.includes(`${nameAt(1)}/manifest.json`);
  await errorOf(copyOf(1));
  s3.refuses = null;

  expect((await prune({ keep: 1, spare: 0, days: 6 })).deleted).toEqual([]);
  expect((await prune({ keep: 1, spare: 0, days: 8 })).deleted).toEqual([nameAt(1)]);

  const media = keys().filter((key) => key.startsWith("shop/media/"));
  expect(media).toEqual(MEDIA.map((name) => `shop/media/${name}`));
});

test("the parts of uploads that died go after a week, also where no copy may be deleted", async () => {
  for (const hour of [0, 1]) await copyOf(hour);
  const begin = (key: string, days: number) =>
    s3.uploads.set(`${key} +&`, { key, begunAt: Date.now() - days * DAY_MS, parts: new Map() });
  const own = [`shop/${nameAt(0)}/live.sqlite.zst`, `shop/media/live/${MEDIA[0]}`];
  for (const key of own) begin(key, 8);
  begin(`shop/${nameAt(1)}/live.sqlite.zst`, 6);
  begin("shop/other", 8);
  s3.refuses = (request) => request.startsWith("DELETE ") && !request.endsWith("?uploadId");

  const { refused } = await prune({ keep: 1, spare: 1 });

  expect(refused).toContain("status 503");
  expect([...s3.uploads.values()].map(({ key }) => key)).toEqual([
    `shop/${nameAt(1)}/live.sqlite.zst`,
    "shop/other",
  ]);
});

test("a bucket that tells of no uploads lets old copies go all the same", async () => {
  for (const hour of [0, 1]) await copyOf(hour);
  s3.refuses = (request) => request.includes("?uploads");

  const pruned = await prune({ keep: 1, spare: 1 });

  expect(pruned).toEqual({ deleted: [nameAt(0)], refused: expect.stringContaining("status 503") });
});

test("keys that cannot delete leave the copies, and say so", async () => {
  for (const hour of [0, 1]) await copyOf(hour);
  s3.refuses = (request) => request.startsWith("DELETE ");

  const pruned = await prune({ keep: 1, spare: 1 });

  expect(pruned).toEqual({ deleted: [], refused: expect.stringContaining("status 503") });
  s3.refuses = null;
  expect(await copied()).toHaveLength(2);
});

/** A bucket that breaks each answer off after so many bytes, of objects that are all the same. */
function openBrittle(bytes: Uint8Array, sentMax: number) {
  const accept = (socket: Socket) =>
    socket.on("data", (chunk) => {
      const [, from = "", to = ""] = /range: bytes=(\d+)-(\d+)/i.exec(chunk.toString()) ?? [];
      const asked = bytes.subarray(Number(from), Number(to) + 1);
      const status = from === "" ? "404 Not Found" : "206 Partial Content";
      socket.write(`HTTP/1.1 ${status}\r\nContent-Length: ${asked.length}\r\n\r\n`);
      socket.end(asked.subarray(0, sentMax));
    });
  return openRawReceiver({ accept });
}

test("a download that breaks off goes on, and one that gets no further is refused and leaves no backup", async () => {
  const { manifest } = await copyOf(0);
  const bytes = randomBytes(2_000_000);
  const packed = { ...manifest.databases.live, packedBytes: bytes.length };
  const databases = { live: packed, test: packed };
  const copy = { name: nameAt(0), manifest: { ...manifest, databases } };
  const folder = scratch.file("elsewhere");
  const work = { ...workOf(), folder };
  await using brittle = await openBrittle(bytes, 700_000);

  const failed = await errorOf(downloadCopy(storeBelow("", brittle.port), copy, work));

  expect(readFileSync(join(folder, "live.sqlite.zst")).equals(bytes)).toBeTrue();
  expect(brittle.connections).toBeGreaterThan(6);
  expect(failed?.message).toContain("status 404");
  await using mute = await openBrittle(bytes, 0);
  const error = await errorOf(downloadCopy(storeBelow("", mute.port), copy, work));
  expect(error?.message).toContain("Cannot use the bucket pictures");
  expect(existsSync(join(folder, "manifest.json"))).toBeFalse();
});

test("a list of pictures that leads out of the backup brings nothing", async () => {
  const { manifest } = await copyOf(0);
  const key = `shop/${nameAt(0)}/media.txt`;
  const lines = ["live/../../../stolen", "live/00/../../stolen", "/etc/passwd", "", "prod/00/x"];
  const bytes = Buffer.from(`${lines.join("\n")}\n`);
  s3.objects.set(key, { bytes: new Uint8Array(bytes), type: null, writtenAt: 0 });
  const folder = scratch.file("elsewhere/copy");

  const copy = { name: nameAt(0), manifest };
  await downloadCopy(storeBelow("shop/"), copy, { ...workOf(), folder });

  expect(readdirSync(scratch.file("elsewhere"))).toEqual(["copy"]);
  expect(readdirSync(folder).toSorted()).toEqual([
    "live.sqlite.zst",
    "manifest.json",
    "test.sqlite.zst",
  ]);
});

test("two programs that upload the same backup leave a whole one", async () => {
  const taken = await takeBackup(scratch.file("data"), scratch.file("backups"), workOf());
  const store = storeBelow("");

  await Promise.all([uploadCopy(store, taken, workOf()), uploadCopy(store, taken, workOf())]);

  const copy = { name: nameAt(0), manifest: await readCopy(store, nameAt(0)) };
  const folder = scratch.file("elsewhere");
  await downloadCopy(store, copy, { ...workOf(), folder });
  expect((await verifyBackup(folder, scratch.file("drill"), workOf())).isGenuine).toBeTrue();
  expect(keys().every((key) => key.startsWith("duka-"))).toBeTrue();
});

test("a bucket whose clock is another one's says so", async () => {
  s3.aheadMs = HOUR_MS;

  expect((await errorOf(copyOf(0)))?.message).toContain("RequestTimeTooSkewed");
});
