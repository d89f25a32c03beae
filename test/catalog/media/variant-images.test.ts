// Pictures of variants: how they are given and told, and what keeps their media from deletion.

import { expect, test } from "bun:test";

import { auditPictures } from "#catalog/media/audit-pictures.ts";
import { markSold } from "#catalog/products/save-product.ts";
import { isId } from "#kernel/id.ts";

import { tamper } from "../../support/behind-the-shop.ts";
import { picture } from "../../support/pictures.ts";
import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";

const shop = sharedShop();

const options = [{ name: "Color", values: ["red", "blue"] }];
const red = { options: { Color: "red" } };
const blue = { options: { Color: "blue" } };

async function upload(shop: TestShop) {
  return shop.send("POST", "/v2/media", {
    text: Uint8Array.from(await picture("png", 200, 20)),
    headers: { "Content-Type": "image/png" },
  });
}

function variantId(id = "") {
  if (!isId("variant", id)) throw new Error(`${id} is no variant`);
  return id;
}

function differencesIn({ test: { database } }: TestShop) {
  return database.readTogether((db) => Array.fromAsync(auditPictures(db)));
}

test("a variant tells its picture as a product does, in answers, lists and events", async () => {
  await using shop = await openTestShop();
  const medium = await upload(shop);
  await shop.put(`/v2/media/${medium.id}`, { alt: "A red mug" });
  const elsewhere = { url: "https://cdn.example/blue.jpg", alt: "A blue mug" };

  const made = await shop.post("/v2/products", {
    name: "Mug",
    options,
    variants: [{ ...red, image: { media_id: medium.id } }],
  });
  const added = await shop.post(`/v2/products/${made.id}/variants`, { ...blue, image: elsewhere });

  const { url, width, height, placeholder, sizes, alt } = Object(medium.body);
  const shown = { media_id: medium.id, url, alt: "A red mug", width, height, placeholder, sizes };
  const none = { media_id: null, width: null, height: null, placeholder: null, sizes: [] };
  expect(alt).toBe("");
  expect(made.at("/variants/0/image")).toEqual(shown);
  expect(added.at("/image")).toEqual({ ...elsewhere, ...none });
  const listed = await shop.get("/v2/products");
  expect(listed.at("/data/0/variants")).toMatchObject([{ image: shown }, { image: elsewhere }]);
  expect((await shop.announced()).at(-1)).toMatchObject({
    event: "product.updated",
    data: { variants: [{ image: shown }, { image: elsewhere }] },
  });
});

test("a picture of a variant is changed, kept and taken away", async () => {
  const medium = await upload(shop);
  const product = await shop.post("/v2/products", { name: "Mug" });
  const path = `/v2/products/${product.id}/variants/${product.string("/variants/0/id")}`;

  const given = await shop.put(path, { image: { url: medium.string("/url") } });
  const kept = await shop.put(path, { barcode: "123" });
  const same = await shop.put(path, { image: { media_id: medium.id } });
  const taken = await shop.put(path, { image: null });

  expect(given.at("/image/media_id")).toBe(medium.id);
  expect(kept.at("/image")).toEqual(given.at("/image"));
  expect(same.text).toBe(kept.text);
  expect(taken.at("/image")).toBeNull();
});

test("pictures that there are not are refused at their places, with those of the product", async () => {
  const gone = await upload(shop);
  await shop.delete(`/v2/media/${gone.id}`);
  const image = { media_id: gone.id };

  const refused = await shop.post("/v2/products", {
    name: "Mug",
    options,
    images: [{ alt: "A mug" }],
    variants: [red, { ...blue, image }],
  });
  const mug = await shop.post("/v2/products", { name: "Mug", options, variants: [red] });
  const added = await shop.post(`/v2/products/${mug.id}/variants`, { ...blue, image });
  const path = `/v2/products/${mug.id}/variants/${mug.string("/variants/0/id")}`;
  const changed = await shop.put(path, { image: { alt: "A mug" } });

  expect(refused.faults).toEqual([
    "#/images/0 required",
    "#/variants/1/image/media_id unknown_medium",
  ]);
  expect(added.faults).toEqual(["#/image/media_id unknown_medium"]);
  expect(changed.faults).toEqual(["#/image required"]);
});

test("a medium that a variant shows is not deleted until the variant has another picture or is gone", async () => {
  const medium = await upload(shop);
  const image = { media_id: medium.id };
  const product = await shop.post("/v2/products", {
    name: "Mug",
    options,
    images: [image],
    variants: [
      { ...red, image, prices: [{ amount: 5 }], stock: 1 },
      { ...blue, image },
    ],
  });
  const [first, second] = ["/variants/0/id", "/variants/1/id"].map((at) => product.string(at));
  const variants = `/v2/products/${product.id}/variants`;
  await shop.test.database.write((tx) => markSold(tx, [variantId(first)]));

  const codes: (string | null)[] = [];
  const tryToDelete = async () => codes.push((await shop.delete(`/v2/media/${medium.id}`)).code);
  await shop.put(`/v2/products/${product.id}`, { images: [] });
  await tryToDelete();
  await shop.put(`${variants}/${second}`, { image: null });
  await tryToDelete();
  expect(await differencesIn(shop)).toEqual([]);
  const archived = await shop.delete(`${variants}/${first}`);
  const deleted = await shop.delete(`/v2/media/${medium.id}`);

  expect(codes).toEqual(["medium_in_use", "medium_in_use"]);
  expect(archived.at("/archived")).toBe(true);
  expect(deleted.status).toBe(200);
  expect(await differencesIn(shop)).toEqual([]);
});

test("a check finds a medium of a variant that could be deleted", async () => {
  await using shop = await openTestShop();
  const medium = await upload(shop);
  const product = await shop.post("/v2/products", {
    name: "Mug",
    variants: [{ image: { media_id: medium.id } }],
  });
  expect(await differencesIn(shop)).toEqual([]);

  await tamper(shop.folder.path, "DELETE FROM product_media");

  expect(await differencesIn(shop)).toEqual([
    { subject: product.id, what: "media kept for it", expected: medium.id, found: "none" },
  ]);
});
