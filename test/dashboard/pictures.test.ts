// Pictures of a product at the dashboard, without a script.

import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";

import { mug } from "../support/cast.ts";
import { picture } from "../support/pictures.ts";
import { openDashboard, sharedDashboard, Visitor } from "./dashboard-shop.ts";

const dashboard = sharedDashboard();

const HOME = "/dashboard/test/products";
const ELSEWHERE = { url: "https://shop.example/mug.jpg", alt: "A mug" };

const bytesOf = async (width: number) => Uint8Array.from(await picture("png", width, 20));

test("are uploaded behind those that there are, put in order, described and removed", async () => {
  const { owner, shop } = dashboard;
  const { productId } = await mug(shop, { images: [ELSEWHERE] });
  const path = `${HOME}/${productId}`;
  const imagesOf = async () => {
    const { images } = Object((await shop.get(`/v2/products/${productId}`)).body);
    return images.map(({ width, alt }: Record<string, unknown>) => [width, alt]);
  };

  const added = await owner.sendFiles(`${path}/upload`, [await bytesOf(300), await bytesOf(200)]);

  expect([added.status, added.location]).toEqual([303, `${path}?done=added`]);
  expect(await imagesOf()).toEqual([
    [null, "A mug"],
    [300, ""],
    [200, ""],
  ]);
  expect(readdirSync(shop.folder.file("uploads"))).toEqual([]);
  const page = await owner.get(path);
  expect(page.html).toContain('src="/media/test/');

  const fields = {
    version: page.field("version"),
    "/images/": "[]",
    "/images/0/url": ELSEWHERE.url,
    "/images/0/alt": "From above",
    "/images/1/media_id": page.field("/images/1/media_id"),
    "/images/1/alt": "",
    "/images/1/act": "remove",
    "/images/2/media_id": page.field("/images/2/media_id"),
    "/images/2/alt": "From below",
    "/images/3/url": "",
  };
  const saved = await owner.sendAndFollow(`${path}/pictures`, fields);

  expect(saved.text).toContain("Saved.");
  expect(await imagesOf()).toEqual([
    [null, "From above"],
    [200, "From below"],
  ]);

  const forward = {
    version: saved.field("version"),
    "/images/0/url": ELSEWHERE.url,
    "/images/1/media_id": saved.field("/images/1/media_id"),
    "/images/1/act": "forward",
  };
  await owner.send(`${path}/pictures`, forward);

  expect((await imagesOf()).map(([width]: unknown[]) => width)).toEqual([200, null]);
});

test("that are no pictures are refused, and the product stays as it is", async () => {
  await using dashboard = await openDashboard();
  const { owner, shop } = dashboard;
  const { productId } = await mug(shop);

  const refused = await owner.sendFiles(`${HOME}/${productId}/upload`, [new Uint8Array(9)]);
  const strange = await new Visitor(shop).sendFiles(`${HOME}/${productId}/upload`, [
    await bytesOf(40),
  ]);

  expect(refused.status).toBe(415);
  expect(refused.text).toContain("The file is no JPEG, PNG or WebP picture.");
  expect(strange.location).toStartWith("/dashboard/");
  expect((await shop.get("/v2/media")).list("/data")).toEqual([]);
});

test("a collection is given an uploaded picture, keeps it while it is edited, and loses it undoably", async () => {
  const { owner, shop } = dashboard;
  const { id } = await shop.post("/v2/collections", { title: "Mugs", image: ELSEWHERE });
  const path = `${HOME}/collections/${id}`;
  const imageOf = async () => Object((await shop.get(`/v2/collections/${id}`)).at("/image"));

  const added = await owner.sendFiles(`${path}/upload`, [await bytesOf(300)]);
  const page = await owner.get(path);
  const fields = {
    version: page.field("version"),
    "/title": "Mugs",
    "/sort": "position",
    "/image/url": page.field("/image/url"),
    "/image/alt": "All mugs",
  };
  const saved = await owner.sendAndFollow(`${path}/save`, fields);
  const kept = await imageOf();
  const without = {
    ...fields,
    version: saved.field("version"),
    "/image/url": "",
    "/image/alt": "",
  };
  const emptied = await owner.sendAndFollow(`${path}/save`, without);
  const none = (await shop.get(`/v2/collections/${id}`)).at("/image");
  await owner.sendAndFollow(`${path}/save`, { undo: emptied.field("undo") });

  expect([added.status, added.location]).toEqual([303, `${path}?done=saved`]);
  expect(page.html).toContain('src="/media/test/');
  expect([kept.width, kept.alt]).toEqual([300, "All mugs"]);
  expect(none).toBeNull();
  expect(await imageOf()).toEqual(kept);
});

test("a variant is given one of its product's pictures, then an uploaded one, and loses it undoably", async () => {
  const { owner, shop } = dashboard;
  const { productId, variantId } = await mug(shop, { images: [ELSEWHERE] });
  const path = `${HOME}/${productId}/variants/${variantId}`;
  const imageOf = async () =>
    Object((await shop.get(`/v2/products/${productId}/variants/${variantId}`)).at("/image"));
  const choose = async (number: string) => {
    const version = (await owner.get(path)).field("version");
    return owner.sendAndFollow(`${path}/picture`, { version, "/picture": number });
  };

  await choose("0");
  const first = await imageOf();
  const added = await owner.sendFiles(`${path}/upload`, [await bytesOf(300)]);
  const uploaded = await imageOf();
  const emptied = await choose("");
  const none = await imageOf();
  await owner.sendAndFollow(`${path}/picture`, { undo: emptied.field("undo") });

  expect(first).toMatchObject(ELSEWHERE);
  expect(added.location).toBe(`${path}?done=saved`);
  expect(uploaded.width).toBe(300);
  expect(none.url).toBeUndefined();
  expect(await imageOf()).toEqual(uploaded);
});
