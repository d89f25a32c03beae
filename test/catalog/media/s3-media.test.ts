// Pictures whose files are in a bucket: how they come there, are served and go, and what happens while the store is away.

import { expect, test } from "bun:test";

import { auditMedia, sweepFiles } from "#catalog/media/sweep-files.ts";
import { zeroId } from "#kernel/id.ts";

import { picture } from "../../support/pictures.ts";
import { openS3Server, S3_SECRET } from "../../support/s3-server.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";

async function upload(shop: TestShop, width = 200, headers: Record<string, string> = {}) {
  return shop.send("POST", "/v2/media", {
    text: Uint8Array.from(await picture("png", width, 20)),
    headers: { "Content-Type": "image/png", ...headers },
  });
}

test("a picture is written below the id of the store and the mode, served like others, and deleted", async () => {
  await using s3 = openS3Server();
  await using shop = await openTestShop({ settings: s3.settings });
  const store = (await shop.get("/v2/store")).id;

  const made = await upload(shop);

  const [small = "", own = ""] = [160, 200].map(
    (width) => `${store}/test/${made.id.slice(-2)}/${made.id}-${width}.webp`,
  );
  expect([...s3.objects.keys()].toSorted()).toEqual([small, own].toSorted());
  expect(s3.objects.get(own)?.type).toBe("image/webp");
  const found = await fetch(made.string("/url"));
  expect(made.string("/url")).toStartWith(`${shop.url}/media/test/`);
  expect(Buffer.from(await found.bytes())).toEqual(Buffer.from(s3.objects.get(own)?.bytes ?? ""));
  expect(found.headers.get("content-type")).toBe("image/webp");
  expect(found.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  const ETag = found.headers.get("etag") ?? "";
  const again = await fetch(made.string("/url"), { headers: { "If-None-Match": ETag } });
  expect([again.status, s3.asked.at(-1)]).toEqual([304, `HEAD ${own}`]);
  const { database, media } = shop.test;
  expect(await Array.fromAsync(auditMedia(database.read, media.files))).toEqual([]);
  s3.objects.delete(small);
  expect(await Array.fromAsync(auditMedia(database.read, media.files))).toMatchObject([
    { subject: made.id, found: "missing" },
  ]);

  await shop.delete(`/v2/media/${made.id}`);

  expect(s3.objects.size).toBe(0);
  expect((await fetch(made.string("/url"))).status).toBe(404);
});

test("what needs no bytes asks the bucket for none, and a range for no others", async () => {
  await using s3 = openS3Server();
  await using shop = await openTestShop({ settings: s3.settings });
  const made = await upload(shop, 40);
  const [key = "", { bytes } = { bytes: new Uint8Array(0) }] = [...s3.objects][0] ?? [];
  const get = (range: string, more = {}) =>
    fetch(made.string("/url"), { headers: { Range: range, ...more } });

  const before = s3.asked.length;
  const head = await fetch(made.string("/url"), { method: "HEAD" });
  const beyond = await get(`bytes=${bytes.length}-`);
  const asked = s3.asked.slice(before);
  const part = await get("bytes=4-11");
  const end = await get("bytes=-5");
  const changed = await get("bytes=4-11", { "If-Range": '"another"' });

  expect([head.status, head.headers.get("content-length")]).toEqual([200, String(bytes.length)]);
  expect(head.headers.get("accept-ranges")).toBe("bytes");
  expect(beyond.headers.get("cache-control")).toBe("no-store");
  expect([beyond.status, beyond.headers.get("content-range")]).toEqual([
    416,
    `bytes */${bytes.length}`,
  ]);
  expect(asked).toEqual([`HEAD ${key}`, `HEAD ${key}`]);
  expect([part.status, part.headers.get("content-range")]).toEqual([
    206,
    `bytes 4-11/${bytes.length}`,
  ]);
  expect(await part.bytes()).toEqual(bytes.slice(4, 12));
  expect(await end.bytes()).toEqual(bytes.slice(-5));
  expect([changed.status, await changed.bytes()]).toEqual([200, bytes]);
});

test("a store that is away refuses uploads for now, and leaves no row without files", async () => {
  await using s3 = openS3Server();
  const log: string[] = [];
  const writeLog = (line: string) => log.push(line);
  await using shop = await openTestShop({ settings: s3.settings, writeLog });
  const kept = await upload(shop, 60);
  const key = { "Idempotency-Key": "a-picture" };

  // The second of two files, and what was written is not deleted either.
  s3.refuses = (request) => request.endsWith("-160.webp") || request.startsWith("DELETE");
  const refused = await upload(shop, 200, key);
  const listed = (await shop.get("/v2/media")).list("/data").map((one) => Object(one).id);
  s3.refuses = () => true;
  const unread = await fetch(kept.string("/url"));
  const deleted = await shop.delete(`/v2/media/${kept.id}`);
  const left = s3.objects.size;
  s3.refuses = null;
  const again = await upload(shop, 200, key);
  await sweepFiles(shop.test, Infinity);

  expect([refused.status, refused.code]).toEqual([503, "media_store_unavailable"]);
  expect(listed).toEqual([kept.id]);
  expect([unread.status, deleted.status, left]).toEqual([503, 200, 2]);
  expect(again.status).toBe(201);
  expect([...s3.objects.keys()].every((name) => name.includes(again.id))).toBe(true);
  expect(s3.objects.size).toBe(2);
  expect(log.join()).toContain("SlowDown");
  expect(log.join()).not.toContain(S3_SECRET);
});

test("a reset of test mode and the sweep touch nothing else in the bucket", async () => {
  await using s3 = openS3Server();
  await using shop = await openTestShop({ settings: s3.settings });
  const store = (await shop.get("/v2/store")).id;
  const medium = zeroId("medium");
  const file = `00/${medium}-40.webp`;
  const others = [`${store}/live/${file}`, `str_other/test/${file}`, file, "invoices/2026.pdf"];
  const old = { bytes: new Uint8Array(9), type: null, writtenAt: 0 };
  for (const key of [...others, `${store}/test/${file}`]) s3.objects.set(key, old);
  await upload(shop);

  await shop.post("/v2/test/reset");
  await sweepFiles(shop.test, 1_000_000);

  expect([...s3.objects.keys()].toSorted()).toEqual(others.toSorted());
});

test("browsers read the files at the public address of the bucket where it has one", async () => {
  await using s3 = openS3Server();
  const DUKA_MEDIA_S3_PUBLIC_URL = "https://cdn.example/shop/";
  await using shop = await openTestShop({ settings: { ...s3.settings, DUKA_MEDIA_S3_PUBLIC_URL } });
  const store = (await shop.get("/v2/store")).id;

  const made = await upload(shop, 40);
  const { url } = Object(made.body);
  const product = await shop.post("/v2/products", { name: "Mug", images: [{ url }] });

  const name = `${made.id.slice(-2)}/${made.id}-40.webp`;
  expect(url).toBe(`https://cdn.example/shop/${store}/test/${name}`);
  expect(product.string("/images/0/media_id")).toBe(made.id);
  expect((await fetch(`${shop.url}/media/test/${name}`)).status).toBe(200);
});
