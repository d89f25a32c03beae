// The pictures of the seeded products, which need no key.

import { expect, test } from "bun:test";

import { openTestShop, sharedShop, type TestShop } from "../support/shop.ts";

const shop = sharedShop();

const SVG_BYTES_MAX = 1_500;

/** The pictures of all seeded products. */
async function seedPictures(of: TestShop): Promise<{ url: string; alt: string }[]> {
  await of.post("/v2/test/seed");
  const products = (await of.get("/v2/products?limit=100")).list("/data");
  return products.flatMap((product) => Object(product).images);
}

test("every seeded product has a picture of its own, with a text for those who do not see it", async () => {
  await using own = await openTestShop();

  const pictures = await seedPictures(own);

  expect(new Set(pictures.map(({ url }) => url)).size).toBe(12);
  expect(pictures.every(({ alt }) => alt.length > 0)).toBeTrue();
  for (const { url } of pictures) {
    const answer = await fetch(url);
    const text = await answer.text();
    expect(url).toStartWith(`${own.url}/test/pictures/`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
    expect(text).toStartWith('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400">');
    expect(text.length).toBeLessThanOrEqual(SVG_BYTES_MAX);
  }
});

test("a picture may be cached for a day and runs nothing", async () => {
  const { headers } = await fetch(`${shop.url}/test/pictures/mug.svg`);

  expect(headers.get("cache-control")).toBe("public, max-age=86400");
  expect(headers.get("content-security-policy")).toBe(
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  expect(headers.get("x-content-type-options")).toBe("nosniff");
});

test("a picture that did not change is not sent again", async () => {
  const url = `${shop.url}/test/pictures/mug.svg`;
  const etag = (await fetch(url)).headers.get("etag") ?? "";

  const again = await fetch(url, { headers: { "If-None-Match": etag } });

  expect([again.status, await again.text()]).toEqual([304, ""]);
});

test("there is no picture of another name", async () => {
  expect((await fetch(`${shop.url}/test/pictures/teapot.svg`)).status).toBe(404);
});
