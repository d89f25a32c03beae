// Uploaded pictures over HTTP: what is kept of them, what is refused, and how their files are served.

import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { connect, type Socket } from "node:net";

import {
  animatedWebp,
  bombPicture,
  chunkTypes,
  colorProfile,
  DISPLAY_P3,
  picture,
  profiledPng,
  SECRET_PLACE,
  SRGB,
  taggedPicture,
} from "../../support/pictures.ts";
import { type Answered, openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";
import { until } from "../../support/until.ts";

const shop = sharedShop();

function upload(shop: TestShop, bytes: Uint8Array, type = "image/jpeg") {
  return uploadWith(shop, bytes, { key: shop.key, type });
}

function uploadWith(
  shop: TestShop,
  bytes: Uint8Array,
  { key, type = "image/png" }: { readonly key: string; readonly type?: string },
) {
  const headers = { "Content-Type": type };
  return shop.send("POST", "/v2/media", { text: Uint8Array.from(bytes), headers, key });
}

/** The files of the test shop, below the folder of its media. */
function filesOf(shop: TestShop): string[] {
  const folder = shop.test.media.files?.folder ?? "";
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.includes("."),
  );
}

function connectTo(shop: TestShop): Socket {
  return connect(Number(new URL(shop.url).port), "127.0.0.1");
}

/** The beginning of an upload that announces so many bytes. */
function headOf(shop: TestShop, bytes: number): string {
  return (
    `POST /v2/media HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${shop.key}\r\n` +
    `Content-Type: image/png\r\nContent-Length: ${bytes}\r\n\r\n`
  );
}

/** The answer to so many bytes, for a proxy that reads none of it before all of them are sent. */
async function answerAfter(shop: TestShop, bytes: number): Promise<string> {
  const socket = connectTo(shop).pause();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.on("error", reject).write(headOf(shop, bytes));
  socket.write(Buffer.alloc(bytes), () => resolve());
  await promise;
  const text = (await socket.toArray()).join("");
  socket.destroy();
  return text;
}

async function bytesAt(url: string): Promise<Buffer> {
  return Buffer.from(await (await fetch(url)).bytes());
}

const sizesOf = (medium: Answered) =>
  medium.list("/sizes").map((size) => String(Reflect.get(Object(size), "url")));

const widthsOf = (medium: Answered) =>
  medium.list("/sizes").map((size) => Number(Reflect.get(Object(size), "width")));

describe("uploading a picture", () => {
  test("keeps it in its own size and the smaller ones of the list", async () => {
    await using shop = await openTestShop();

    const made = await upload(shop, await picture("png", 700, 350), "image/png");

    expect(made.status).toBe(201);
    expect(made.headers.get("location")).toBe(`/v2/media/${made.id}`);
    expect(widthsOf(made)).toEqual([160, 320, 640, 700]);
    expect([made.at("/width"), made.at("/height")]).toEqual([700, 350]);
    expect(made.string("/placeholder")).toStartWith("data:image/png;base64,");
    const small = await bytesAt(made.string("/sizes/1/url"));
    expect(await new Bun.Image(small).metadata()).toEqual({
      width: 320,
      height: 160,
      format: "webp",
    });
    expect(filesOf(shop)).toHaveLength(4);
    expect((await shop.get("/v2/media")).string("/data/0/id")).toBe(made.id);
  });

  test.each(["jpeg", "png", "webp"] as const)(
    "leaves nothing of the metadata of a %s, and turns it upright as it says",
    async (format) => {
      const bytes = await taggedPicture(format);
      expect(bytes.includes(SECRET_PLACE)).toBe(true);

      const made = await upload(shop, bytes, `image/${format}`);

      const kept = await bytesAt(made.string("/url"));
      expect(kept.includes("GPS")).toBe(false);
      expect(kept.includes("Exif")).toBe(false);
      expect(kept.includes("EXIF")).toBe(false);
      // Cameras write JPEG: the decoder reads the turn of no other format.
      const isTurned = format === "jpeg";
      expect(await new Bun.Image(kept).metadata()).toEqual({
        width: isTurned ? 20 : 40,
        height: isTurned ? 40 : 20,
        format: "webp",
      });
    },
  );

  test.each([
    ["of sRGB", SRGB, ["VP8X", "VP8 "]],
    ["of Display P3", DISPLAY_P3, ["VP8X", "ICCP", "VP8 "]],
  ] as const)(
    "keeps nothing of a profile %s that was made to be large",
    async (_, space, chunks) => {
      await using shop = await openTestShop();
      const profile = colorProfile(space, 4 * 1_048_576).fill("<script>", 400);
      const small = profiledPng(await picture("png", 2000, 10), profile);

      const made = await upload(shop, small, "image/png");

      const sizes = await Promise.all(sizesOf(made).map(bytesAt));
      expect(sizes).toHaveLength(7);
      expect(sizes.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(10_000);
      expect(sizes.map(chunkTypes)).toEqual(sizes.map(() => [...chunks]));
      expect(sizes.some((size) => size.includes("script"))).toBe(false);
    },
  );

  test("of an animated WebP keeps its first frame, in its colors", async () => {
    const frames = [await picture("webp", 40, 20), await picture("webp", 30, 10)];

    const made = await upload(shop, animatedWebp(frames, colorProfile(DISPLAY_P3)), "image/webp");

    const kept = await bytesAt(made.string("/url"));
    expect(await new Bun.Image(kept).metadata()).toEqual({
      width: 40,
      height: 20,
      format: "webp",
    });
    expect(chunkTypes(kept)).toEqual(["VP8X", "ICCP", "VP8 "]);
  });

  test("of an animated WebP without a whole frame is refused as damaged", async () => {
    const cut = animatedWebp([await picture("webp")]).subarray(0, -40);

    const refused = [
      await upload(shop, animatedWebp([]), "image/webp"),
      await upload(shop, cut, "image/webp"),
    ];

    expect(refused.map(({ status, code }) => [status, code])).toEqual([
      [422, "image_damaged"],
      [422, "image_damaged"],
    ]);
  });

  test("is the same medium for the same bytes", async () => {
    await using shop = await openTestShop();
    const bytes = await picture("webp");

    const [first, second] = await Promise.all([
      upload(shop, bytes, "image/webp"),
      upload(shop, bytes, "application/octet-stream"),
    ]);

    expect(first.status + second.status).toBe(200 + 201);
    expect(second.id).toBe(first.id);
    expect(filesOf(shop)).toHaveLength(1);
  });

  test("believes the bytes and not their name", async () => {
    const misnamed = await upload(shop, await picture("png"), "image/jpeg");
    const page = await upload(shop, Buffer.from("<svg onload='alert(1)'/>"), "image/png");
    const gif = await upload(shop, Buffer.from("GIF89a\x01\0\x01\0\0\0\0;", "latin1"), "image/png");
    const text = await upload(shop, await picture("png"), "text/plain");
    const nothing = await upload(shop, Buffer.alloc(0), "image/png");

    expect(misnamed.status).toBe(201);
    for (const refused of [page, gif, text, nothing]) {
      expect([refused.status, refused.code]).toEqual([415, "image_unsupported"]);
    }
  });

  test("refuses what claims too many pixels, is damaged, or has too many bytes, and keeps nothing of it", async () => {
    await using shop = await openTestShop();
    const damaged = (await picture("png", 400, 300)).subarray(0, 300);

    const bomb = await upload(shop, await bombPicture(60_000), "image/png");
    const half = await upload(shop, damaged, "image/png");
    const cutJpeg = (await taggedPicture("jpeg", 400, 300)).subarray(0, -200);
    const grey = await upload(shop, cutJpeg);
    const thread = await upload(shop, await picture("png", 65_535, 1), "image/png");
    const webp = await picture("webp", 400, 300);
    webp.writeUInt32LE(webp.length, 4);
    const longer = await upload(shop, webp, "image/webp");
    const large = await answerAfter(shop, 20 * 1_048_576 + 1);

    expect([bomb.status, bomb.code]).toEqual([413, "image_too_large"]);
    for (const one of [half, grey, thread, longer]) {
      expect([one.status, one.code]).toEqual([422, "image_damaged"]);
    }
    expect(large).toContain("HTTP/1.1 413");
    expect(large).toContain("body_too_large");
    expect(filesOf(shop)).toEqual([]);
    expect((await shop.get("/v2/media")).list("/data")).toEqual([]);
  });

  test("gives up a picture that takes more memory than its pixels explain", async () => {
    await using shop = await openTestShop();
    const bomb = profiledPng(await picture("png", 2000, 10), Buffer.alloc(150 * 1_048_576));

    const refused = await upload(shop, bomb, "image/png");

    expect([refused.status, refused.code]).toEqual([422, "image_damaged"]);
    expect(refused.string("/detail")).toContain("takes too much memory or time");
    expect(filesOf(shop)).toEqual([]);
  });

  test("that breaks off leaves nothing", async () => {
    await using shop = await openTestShop();
    const socket = connectTo(shop);
    const uploads = shop.folder.file("uploads");
    socket.write(headOf(shop, 100_000));
    socket.write(await picture("png"));
    await until(
      () => existsSync(uploads) && readdirSync(uploads).length > 0,
      "The upload did not begin.",
    );

    socket.destroy();

    await until(() => readdirSync(uploads).length === 0, "What was uploaded stayed.");
    expect(filesOf(shop)).toEqual([]);
    expect((await shop.get("/v2/media")).list("/data")).toEqual([]);
  });

  test("needs a secret key that may write products", async () => {
    const key = await shop.createKey({ scopes: ["products:read"] });

    expect((await uploadWith(shop, await picture("png"), { key })).code).toBe("scope_missing");
  });

  test("is done once for an idempotency key, which stands for these bytes", async () => {
    await using shop = await openTestShop();
    const headers = { "Content-Type": "image/png", "Idempotency-Key": "a-picture" };
    const send = async (bytes: Uint8Array) =>
      shop.send("POST", "/v2/media", { text: Uint8Array.from(bytes), headers });

    const first = await send(await picture("png"));
    const again = await send(await picture("png"));
    const other = await send(await picture("png", 50, 50));

    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(other.code).toBe("idempotency_key_reused");
  });
});

describe("the files of media", () => {
  test("are kept by caches for good, and do nothing", async () => {
    const made = await upload(shop, await picture("jpeg"));
    const url = made.string("/url");

    const found = await fetch(url);
    const tag = found.headers.get("etag") ?? "";
    const known = await fetch(url, { headers: { "If-None-Match": tag } });

    expect(found.status).toBe(200);
    expect(found.headers.get("content-type")).toBe("image/webp");
    expect(found.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(found.headers.get("x-content-type-options")).toBe("nosniff");
    expect(found.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(known.status).toBe(304);
    expect((await fetch(url, { method: "POST" })).status).toBe(405);
    expect((await fetch(url.replace("-40.", "-41."))).status).toBe(404);
    expect((await fetch(`${shop.url}/media/test/..%2f..%2fsecret.key`)).status).toBe(404);
  });
});
