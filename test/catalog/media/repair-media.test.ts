// Files of media that an earlier build wrote lose what is no pixel, also where a kill comes between the steps.

import { expect, test } from "bun:test";

import { hashOf } from "#catalog/media/media-shop.ts";
import { mediumRows, saveMediumFiles } from "#catalog/media/queries.ts";
import { repairMedia } from "#catalog/media/repair-media.ts";
import { auditMedia } from "#catalog/media/sweep-files.ts";
import { besideName } from "#catalog/rows/image.ts";
import { onlyPixels } from "#platform/files/only-pixels.ts";

import { openTestShop, type TestShop } from "../../support/shop.ts";
import { oldMedium } from "./old-medium.ts";

async function found(shop: TestShop) {
  const { database, media } = shop.test;
  const audit = auditMedia(database.read, media.files, { tellsChunks: true });
  return (await Array.fromAsync(audit)).map((one) => `${one.what}: ${one.found}`);
}

test("a file with a foreign profile is told of, and written anew with the same name and pixels", async () => {
  await using shop = await openTestShop();
  const { id, name, bytes, files, url } = await oldMedium(shop);
  const before = await found(shop);
  const sound = await Array.fromAsync(auditMedia(shop.test.database.read, files));

  const repaired = await repairMedia(shop.test);

  expect(before).toEqual([`${name}: 99580 bytes longer`]);
  expect(sound).toEqual([]);
  expect(repaired).toEqual({ files: 1, last: id });
  expect(await found(shop)).toEqual([]);
  const kept = Buffer.from(await (await fetch(url)).bytes());
  expect(kept).toEqual(Buffer.from(onlyPixels(bytes)?.bytes ?? []));
  const medium = await mediumRows.find(shop.test.database.read, id);
  expect(medium?.files).toEqual([
    { width: 100, bytes: kept.length, sha256: hashOf(kept), pixels: "alone" },
  ]);
  expect(medium?.version).toBe(1);
  expect(await Array.fromAsync(files.list(), (file) => file.name)).toEqual([name]);
  expect((await repairMedia(shop.test)).files).toBe(0);
});

test.each(["beside", "named"] as const)(
  "a kill after the row was committed, with the new file %s, is ended by the next start",
  async (state) => {
    await using shop = await openTestShop();
    const { id, name, bytes, files } = await oldMedium(shop);
    const clean = onlyPixels(bytes)?.bytes ?? new Uint8Array();
    await files.put(state === "beside" ? besideName(name) : name, clean);
    const row = [
      { width: 100, bytes: clean.length, sha256: hashOf(clean), pixels: "beside" as const },
    ];
    await shop.test.database.write((tx) => saveMediumFiles(tx, { id, files: row }));
    expect(await found(shop)).toEqual([]);

    await repairMedia(shop.test);

    expect(await found(shop)).toEqual([]);
    expect(await Array.fromAsync(files.list(), (file) => file.name)).toEqual([name]);
    const medium = await mediumRows.find(shop.test.database.read, id);
    expect(medium?.files.map(({ pixels }) => pixels)).toEqual(["alone"]);
  },
);

test("a file with other bytes than its row says is not blessed", async () => {
  await using shop = await openTestShop();
  const { name, bytes, files } = await oldMedium(shop);
  await files.put(name, bytes.subarray(0, -2));

  expect((await repairMedia(shop.test)).files).toBe(0);
  expect(await found(shop)).toHaveLength(1);
});
