// Pictures in backups, after a kill, and repaired: the program as operators run it.

import { expect, test } from "bun:test";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

import { picture } from "../../support/pictures.ts";
import { openRunningDuka, runDuka, type RunningDuka } from "../../support/running-duka.ts";
import { openS3Server } from "../../support/s3-server.ts";
import { openScratchFolder } from "../../support/scratch.ts";
import { openTestShop } from "../../support/shop.ts";
import { until } from "../../support/until.ts";
import { oldMedium } from "./old-medium.ts";

function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".webp")).toSorted();
}

async function upload(duka: RunningDuka, key: string, width: number): Promise<Response> {
  return fetch(`${duka.url}/v2/media`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "image/jpeg" },
    body: Uint8Array.from(await picture("jpeg", width, width)),
  });
}

test("a backup has the pictures, shares those of the one before, is proven, and brings them back", async () => {
  using folder = openScratchFolder();
  const terms = { folder: folder.path };
  const back = async () => (await runDuka(["backup", "--to", "backups"], terms)).stdout.trim();
  let key: string;
  let url: string;
  {
    await using duka = await openRunningDuka(terms);
    key = duka.key;
    const medium = Object(await (await upload(duka, key, 400)).json());
    url = new URL(medium.url).pathname;
    await duka.end("SIGTERM");
  }
  const media = join(folder.path, "data/media");
  const names = filesIn(media);
  expect(names).toHaveLength(3);

  const first = await back();
  const second = await back();

  const inBackup = (path: string, name = "") => join(path, "media", name);
  expect(filesIn(inBackup(first))).toEqual(names);
  const inode = (path: string) => statSync(inBackup(path, names[0])).ino;
  expect(inode(second)).toBe(inode(first));
  expect(inode(first)).not.toBe(statSync(join(media, names[0] ?? "")).ino);
  expect((await runDuka(["backup", "verify", second], terms)).code).toBe(0);

  rmSync(media, { recursive: true });
  const broken = await runDuka(["check"], terms);
  expect(broken.stdout).toContain("is missing");
  const restored = await runDuka(["restore", second], terms);
  expect(restored.code).toBe(0);
  expect((await runDuka(["check"], terms)).code).toBe(0);
  {
    await using duka = await openRunningDuka(terms);
    expect((await fetch(duka.url + url)).status).toBe(200);
  }

  rmSync(inBackup(first, names[0]));
  const damaged = await runDuka(["backup", "verify", first], terms);
  expect(damaged.code).toBe(1);
  expect(damaged.stdout).toContain("is missing");
});

test("a backup has the pictures of a bucket, and brings back those that the bucket lost", async () => {
  using folder = openScratchFolder();
  await using s3 = openS3Server();
  const terms = { folder: folder.path, settings: s3.settings };
  let url: string;
  {
    await using duka = await openRunningDuka(terms);
    url = new URL(Object(await (await upload(duka, duka.key, 400)).json()).url).pathname;
    await duka.end("SIGTERM");
  }
  const keys = [...s3.objects.keys()];
  expect(keys).toHaveLength(3);
  expect(existsSync(join(folder.path, "data/media"))).toBe(false);

  const first = await runDuka(["backup", "--to", "backups"], terms);
  const before = s3.asked.length;
  const second = (await runDuka(["backup", "--to", "backups"], terms)).stdout.trim();
  const downloads = s3.asked.slice(before).filter((one) => one.startsWith("GET str_"));
  s3.objects.delete(keys[0] ?? "");
  const broken = await runDuka(["check"], terms);
  const restored = await runDuka(["restore", second], terms);

  expect(first.stderr).toContain(
    `The backup has the pictures of the bucket pictures at ${s3.url}.`,
  );
  expect(filesIn(join(second, "media"))).toHaveLength(3);
  expect(downloads).toEqual([]);
  expect(broken.stdout).toContain("is missing");
  expect(restored.stdout).toContain("Its pictures are in the bucket pictures");
  expect([...s3.objects.keys()].toSorted()).toEqual(keys.toSorted());
  expect((await runDuka(["check"], terms)).code).toBe(0);
  await using duka = await openRunningDuka(terms);
  expect((await fetch(duka.url + url)).status).toBe(200);
});

test("a program that is killed between a file and its row has no medium, and takes the picture again", async () => {
  using folder = openScratchFolder();
  const terms = { folder: folder.path };
  let key: string;
  {
    await using duka = await openRunningDuka(terms);
    key = duka.key;
    const lost = upload(duka, key, 3000).catch(() => null);
    await until(
      () => filesIn(join(folder.path, "data/media")).length > 0,
      "No file of the upload came into the store.",
    );
    await duka.end("SIGKILL");
    await lost;
  }

  await using duka = await openRunningDuka(terms);
  const listed = await duka.request("GET", "/v2/media", { key });
  const again = await upload(duka, key, 3000);

  expect(Object(await listed.json()).data).toEqual([]);
  expect(again.status).toBe(201);
  expect((await runDuka(["check"], terms)).code).toBe(0);
});

test("a check rewrites files with more than pixels where that is asked for, and tells how many", async () => {
  using folder = openScratchFolder();
  const terms = { folder: folder.path };
  {
    await using shop = await openTestShop({
      folder: { ...folder, path: join(folder.path, "data") },
    });
    await oldMedium(shop);
  }

  const before = await runDuka(["check"], terms);
  const repaired = await runDuka(["check", "--repair-media"], terms);
  const again = await runDuka(["check", "--repair-media", "--json"], terms);

  expect([before.code, repaired.code, again.code]).toEqual([1, 0, 0]);
  expect(before.stdout).toContain("99580 bytes longer");
  expect(repaired.stdout).toContain("test: 1 file of media was written anew.");
  expect(JSON.parse(again.stdout)).toEqual({
    ok: true,
    repaired: { test: 0, live: 0 },
    differences: [],
  });
});
