// A medium as earlier builds wrote it, whose file has more than pixels.

import { hashOf, readFile } from "#catalog/media/media-shop.ts";
import { saveMediumFiles } from "#catalog/media/queries.ts";
import { fileName } from "#catalog/rows/image.ts";
import { assume } from "#kernel/assume.ts";
import type { Id } from "#kernel/id.ts";

import { colorProfile, DISPLAY_P3, extendedWebp, picture } from "../../support/pictures.ts";
import type { TestShop } from "../../support/shop.ts";

/** A medium whose only file has a profile of 100 kB, as an earlier build wrote it. */
export async function oldMedium(shop: TestShop) {
  const { database, media } = shop.test;
  const made = await shop.send("POST", "/v2/media", {
    text: Uint8Array.from(await picture("webp", 100, 80)),
    headers: { "Content-Type": "image/webp" },
  });
  const id = assume<Id<"medium">>(made.id);
  const { files } = media;
  if (files === null) throw new Error("no files");
  const name = fileName(id, 100);
  const clean = Buffer.from((await readFile(files, name)) ?? []);
  const bytes = extendedWebp(clean, { profile: colorProfile(DISPLAY_P3, 100_000) });
  await files.put(name, bytes);
  const old = [{ width: 100, bytes: bytes.length, sha256: hashOf(bytes) }];
  await database.write((tx) => saveMediumFiles(tx, { id, files: old }));
  return { id, name, bytes, files, url: made.string("/url") };
}
