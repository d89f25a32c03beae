// Pictures of products: media among them, what lists and events tell of them, and what keeps a medium from deletion.

import { expect, test } from "bun:test";
import { rmSync, utimesSync } from "node:fs";
import { join } from "node:path";

import { auditPictures } from "#catalog/media/audit-pictures.ts";
import { auditMedia, sweepFiles } from "#catalog/media/sweep-files.ts";
import { zeroId } from "#kernel/id.ts";
import { realClock } from "#kernel/time.ts";

import { tamper } from "../../support/behind-the-shop.ts";
import { picture } from "../../support/pictures.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";
import { until } from "../../support/until.ts";

async function upload(shop: TestShop, width: number) {
  return shop.send("POST", "/v2/media", {
    text: Uint8Array.from(await picture("png", width, 20)),
    headers: { "Content-Type": "image/png" },
  });
}

async function differencesIn({ test: { database, media } }: TestShop): Promise<string[]> {
  const found = await Array.fromAsync(auditMedia(database.read, media.files));
  return found.map((difference) => String(difference.found));
}

test("a check without a place of files names what has to be set, once for all pictures", async () => {
  await using shop = await openTestShop();
  await upload(shop, 400);
  await upload(shop, 300);

  const found = await Array.fromAsync(auditMedia(shop.test.database.read, null));

  expect(found).toMatchObject([
    { expected: "DUKA_MEDIA_DIR or DUKA_MEDIA_S3_BUCKET", found: "not set" },
  ]);
});

test("a product tells the address, the size and the smaller files of its media", async () => {
  await using shop = await openTestShop();
  const medium = await upload(shop, 400);
  await shop.put(`/v2/media/${medium.id}`, { alt: "A mug" });
  const elsewhere = { url: "https://cdn.example/mug.jpg", alt: "In the kitchen" };

  const made = await shop.post("/v2/products", {
    name: "Mug",
    images: [{ media_id: medium.id }, elsewhere, { media_id: medium.id, alt: "Again" }],
  });

  const { url, width, height, placeholder, sizes } = Object(medium.body);
  const shown = { media_id: medium.id, url, width, height, placeholder, sizes };
  const none = { media_id: null, width: null, height: null, placeholder: null, sizes: [] };
  const images = [
    { ...shown, alt: "A mug" },
    { ...elsewhere, ...none },
    { ...shown, alt: "Again" },
  ];
  expect(made.at("/images")).toEqual(images);
  expect((await shop.announced()).at(-1)).toMatchObject({
    event: "product.created",
    data: { images },
  });
});

test("what was told of a picture can be sent back, and the address of a file is its medium", async () => {
  await using shop = await openTestShop();
  const medium = await upload(shop, 40);
  const product = await shop.post("/v2/products", {
    name: "Mug",
    images: [{ media_id: medium.id }],
  });
  const [{ media_id, url, alt }] = Object(product.at("/images"));

  const same = await shop.put(`/v2/products/${product.id}`, { images: [{ media_id, url, alt }] });
  const named = await shop.put(`/v2/products/${product.id}`, { images: [{ url, alt }] });

  expect([same.text, named.text]).toEqual([product.text, product.text]);
});

test("the audit log has the words of a medium before and after", async () => {
  await using shop = await openTestShop();
  const medium = await upload(shop, 40);

  await shop.put(`/v2/media/${medium.id}`, { alt: "A mug" });

  const entries = await shop.get(`/v2/audit?subject=${medium.id}`);
  expect(entries.at("/data/0")).toMatchObject({
    action: "updateMedia",
    before: { alt: "" },
    after: { alt: "A mug" },
  });
  expect(entries.string("/data/1/action")).toBe("uploadMedia");
});

test("a picture that there is not is refused at its place", async () => {
  await using shop = await openTestShop();
  const gone = await upload(shop, 40);
  await shop.delete(`/v2/media/${gone.id}`);

  const refused = await shop.post("/v2/products", {
    name: "Mug",
    images: [{ media_id: gone.id }, { alt: "A mug" }],
  });

  expect(refused.status).toBe(422);
  expect(refused.faults).toEqual(["#/images/0/media_id unknown_medium", "#/images/1 required"]);
});

test("a medium that a product shows is not deleted, and one that none shows is, with its files", async () => {
  await using shop = await openTestShop();
  const medium = await upload(shop, 200);
  const product = await shop.post("/v2/products", {
    name: "Mug",
    images: [{ media_id: medium.id }],
  });

  const refused = await shop.delete(`/v2/media/${medium.id}`);
  await shop.put(`/v2/products/${product.id}`, { images: [] });
  const deleted = await shop.delete(`/v2/media/${medium.id}`);

  expect([refused.status, refused.code]).toEqual([409, "medium_in_use"]);
  expect(refused.at("/product_ids")).toEqual([product.id]);
  expect(deleted.body).toEqual({ id: medium.id, deleted: true });
  expect((await fetch(medium.string("/url"))).status).toBe(404);
  expect((await shop.get(`/v2/media/${medium.id}`)).code).toBe("medium_not_found");
  expect((await upload(shop, 200)).status).toBe(201);
});

test("the files of an upload that a crash cut off are deleted after a day, and nothing else in the folder", async () => {
  await using shop = await openTestShop();
  const medium = await upload(shop, 40);
  const { files } = shop.test.media;
  if (files === null) throw new Error("no files");
  const id = zeroId("medium");
  const [orphan, unfinished, fresh, foreign] = [
    `00/${id}-40.webp`,
    `00/${id}-80.webp.x.partial`,
    `00/${id}-90.webp`,
    "invoices/2026.pdf",
  ];
  for (const name of [orphan, unfinished, fresh, foreign]) await files.put(name, new Uint8Array(9));
  const names = await Array.fromAsync(files.list(), ({ name }) => name);
  for (const name of names.filter((one) => one !== fresh))
    utimesSync(join(files.folder ?? "", name), 0, 0);

  await sweepFiles(shop.test, realClock.now() - 86_400_000);

  const left = await Array.fromAsync(files.list(), ({ name }) => name);
  expect(left.toSorted()).toEqual(
    [fresh, foreign, medium.string("/url").split("/media/test/")[1] ?? ""].toSorted(),
  );
});

test("a picture that is uploaded again while its files are being deleted has files of its own", async () => {
  await using shop = await openTestShop();
  const medium = await upload(shop, 200);
  const { files } = shop.test.media;
  if (files === null) throw new Error("no files");
  const [isDeleting, mayDelete] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  Reflect.set(shop.test.media, "files", {
    ...files,
    remove: async (names: readonly string[]) => {
      isDeleting.resolve();
      await mayDelete.promise;
      await files.remove(names);
    },
  });

  // The row is gone: to another program the picture is a new one.
  const deleted = shop.delete(`/v2/media/${medium.id}`);
  await isDeleting.promise;
  const again = await upload(shop, 200);
  mayDelete.resolve();

  expect((await deleted).status).toBe(200);
  expect(again.status).toBe(201);
  expect(again.id).not.toBe(medium.id);
  expect(await differencesIn(shop)).toEqual([]);
  expect((await fetch(again.string("/url"))).status).toBe(200);
  expect((await fetch(medium.string("/url"))).status).toBe(404);
});

test("an upload that fails or loses takes no file from another one of the same bytes", async () => {
  await using shop = await openTestShop({ writeLog: () => {} });
  const { files } = shop.test.media;
  if (files === null) throw new Error("no files");
  const mayPut = Promise.withResolvers<void>();
  let isFirst = true;
  Reflect.set(shop.test.media, "files", {
    ...files,
    put: async (name: string, bytes: Uint8Array) => {
      await files.put(name, bytes);
      if (!isFirst) return;
      isFirst = false;
      await mayPut.promise;
      throw Object.assign(new Error("The disk is full."), { code: "ENOSPC" });
    },
  });

  const failing = upload(shop, 200);
  await until(
    async () => (await Array.fromAsync(files.list())).length > 0,
    "No file of the first upload came into the store.",
  );
  const made = await upload(shop, 200);
  mayPut.resolve();

  expect((await failing).code).toBe("storage_full");
  expect(made.status).toBe(201);
  expect(await differencesIn(shop)).toEqual([]);
});

test("an upload that is at work while the test shop is reset keeps its files", async () => {
  await using shop = await openTestShop();
  const { files } = shop.test.media;
  if (files === null) throw new Error("no files");
  const [isWritten, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  Reflect.set(shop.test.media, "files", {
    ...files,
    put: async (name: string, bytes: Uint8Array) => {
      await files.put(name, bytes);
      isWritten.resolve();
      await mayGoOn.promise;
    },
  });

  const uploading = upload(shop, 40);
  await isWritten.promise;
  await shop.post("/v2/test/reset");
  mayGoOn.resolve();

  expect((await uploading).status).toBe(201);
  expect(await differencesIn(shop)).toEqual([]);
});

test("a medium that a collection shows is told with its sizes, and is not deleted", async () => {
  await using shop = await openTestShop();
  const medium = await upload(shop, 200);
  await shop.put(`/v2/media/${medium.id}`, { alt: "Mugs" });

  const wrong = await shop.post("/v2/collections", { title: "Mugs", image: {} });
  const made = await shop.post("/v2/collections", {
    title: "Mugs",
    image: { media_id: medium.id },
  });
  const elsewhere = { url: "https://cdn.example/mug.jpg", alt: "Elsewhere" };
  const other = await shop.post("/v2/collections", { title: "Other", image: elsewhere });
  const back = await shop.put(`/v2/collections/${other.id}`, {
    image: { url: medium.string("/url"), alt: "As told" },
  });
  const refused = await shop.delete(`/v2/media/${medium.id}`);
  await shop.put(`/v2/collections/${made.id}`, { image: null });
  await shop.delete(`/v2/collections/${other.id}`);
  const deleted = await shop.delete(`/v2/media/${medium.id}`);
  const gone = await shop.put(`/v2/collections/${made.id}`, { image: { media_id: medium.id } });

  expect(wrong.faults).toEqual(["#/image required"]);
  const { url, width, height, placeholder, sizes } = Object(medium.body);
  const shown = { media_id: medium.id, url, width, height, placeholder, sizes };
  expect(made.at("/image")).toEqual({ ...shown, alt: "Mugs" });
  expect(other.at("/image/url")).toBe(elsewhere.url);
  expect(back.at("/image")).toEqual({ ...shown, alt: "As told" });
  expect([refused.status, refused.code]).toEqual([409, "medium_in_use"]);
  expect(refused.at("/product_ids")).toEqual([]);
  expect(refused.at("/collection_ids")).toEqual([made.id, other.id]);
  expect(deleted.status).toBe(200);
  expect(gone.faults).toEqual(["#/image/media_id unknown_medium"]);
});

test("a check finds a file that is missing, and one with other bytes", async () => {
  await using shop = await openTestShop();
  const medium = await upload(shop, 200);
  const folder = shop.test.media.files?.folder ?? "";
  const [small = "", own = ""] = [0, 1].map(
    (index) => medium.string(`/sizes/${index}/url`).split("/media/test/")[1] ?? "",
  );
  expect(await differencesIn(shop)).toEqual([]);

  rmSync(join(folder, small));
  await Bun.write(join(folder, own), "other bytes");

  expect(await differencesIn(shop)).toEqual(["missing", expect.stringMatching(/^[0-9a-f]{64}$/)]);
});

test("a check finds the pictures of products and collections that are not as their media", async () => {
  await using shop = await openTestShop();
  const [shown, lost] = [await upload(shop, 40), await upload(shop, 50)];
  const product = await shop.post("/v2/products", {
    name: "Mug",
    images: [{ media_id: shown.id }],
  });
  const image = { media_id: lost.id };
  const collection = await shop.post("/v2/collections", { title: "Mugs", image });
  const audit = () => shop.test.database.readTogether((db) => Array.fromAsync(auditPictures(db)));
  expect(await audit()).toEqual([]);

  await shop.duka.stop();
  await tamper(
    shop.folder.path,
    `DELETE FROM media WHERE id = '${lost.id}'`,
    `UPDATE media SET height = 21 WHERE id = '${shown.id}'`,
    "DELETE FROM product_media",
  );
  await using again = await openTestShop({ folder: shop.folder });
  const found = await again.test.database.readTogether((db) => Array.fromAsync(auditPictures(db)));

  const [expected, is] = ["40 x 21 in 40", "40 x 20 in 40"];
  expect(found).toEqual([
    { subject: collection.id, what: `picture ${lost.id}`, expected: "a medium", found: "missing" },
    { subject: product.id, what: `picture ${shown.id}`, expected, found: is },
    { subject: product.id, what: "media kept for it", expected: shown.id, found: "none" },
  ]);
});

test("media are listed that no product and no collection shows, and the others", async () => {
  await using shop = await openTestShop();
  const listed = async (query: string) =>
    (await shop.get(`/v2/media${query}`)).list("/data").map((one) => Object(one).id);
  const [first, second, third] = [
    await upload(shop, 40),
    await upload(shop, 50),
    await upload(shop, 60),
  ];
  await shop.post("/v2/products", { name: "Mug", images: [{ media_id: first.id }] });
  const before = [await listed("?unused=true"), await listed("?unused=false")];
  await shop.post("/v2/collections", { title: "Mugs", image: { media_id: second.id } });
  const fourth = await upload(shop, 70);

  expect(before).toEqual([[third.id, second.id], [first.id]]);
  expect(await listed("?unused=true")).toEqual([fourth.id, third.id]);
  expect(await listed("?unused=false")).toEqual([second.id, first.id]);
  expect(await listed("")).toEqual([fourth.id, third.id, second.id, first.id]);
  const page = await shop.get("/v2/media?unused=true&limit=1");
  expect(await listed(`?unused=true&cursor=${page.string("/next_cursor")}`)).toEqual([third.id]);
  expect((await shop.get("/v2/media?unused=yes")).status).toBe(400);
});

test("a reset of the test shop deletes its media and their files", async () => {
  await using shop = await openTestShop();
  const medium = await upload(shop, 200);
  await shop.post("/v2/products", { name: "Mug", images: [{ media_id: medium.id }] });

  await shop.post("/v2/test/reset");

  expect((await shop.get("/v2/media")).list("/data")).toEqual([]);
  expect((await fetch(medium.string("/url"))).status).toBe(404);
});

test("a shop without a place for files refuses uploads", async () => {
  await using shop = await openTestShop();
  Reflect.set(shop.test.media, "files", null);

  expect((await upload(shop, 40)).code).toBe("media_store_missing");
});
