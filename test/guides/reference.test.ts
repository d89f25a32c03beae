// The API reference as it is served: the real document, whole and without scripts.

import { expect, setDefaultTimeout, test } from "bun:test";

import { readReference } from "#guides/reference/read-reference.ts";
import { document } from "#interface.ts";
import { isObject } from "#kernel/assume.ts";

import { openTestShop, type TestShop } from "../support/shop.ts";

setDefaultTimeout(60_000);

/** What a page may cost to load, bytes of gzip. */
const PAGE_BYTES_MAX = 60_000;

const openapi = document();
const tags = Object.keys(Object.groupBy(readReference(openapi).sections, ({ path }) => path));

async function read(shop: TestShop, path: string): Promise<string> {
  return (await fetch(`${shop.url}${path}`)).text();
}

/** Each page of the reference with its address. */
async function readAll(shop: TestShop) {
  const paths = ["/docs", ...tags];
  return Promise.all(paths.map(async (path) => ({ path, text: await read(shop, path) })));
}

test("the reference is without scripts, and each of its pages small", async () => {
  await using shop = await openTestShop();

  const pages = await readAll(shop);

  expect(pages.filter(({ text }) => text.includes("<script"))).toEqual([]);
  const sizes = pages.map(({ path, text }) => [path, Bun.gzipSync(text).length] as const);
  expect(sizes.filter(([, bytes]) => bytes > PAGE_BYTES_MAX)).toEqual([]);
});

test("the index and the page of its tag have every operation", async () => {
  await using shop = await openTestShop();
  const pages = await readAll(shop);
  const [index, ...others] = pages;

  // The ways that will end are those of an operation that has another way.
  const ids = Object.values(openapi.paths).flatMap((methods) =>
    Object.values(methods).flatMap((one: unknown) =>
      isObject(one) && one["x-former-way"] === undefined ? [String(one["operationId"])] : [],
    ),
  );

  expect(ids.length).toBeGreaterThan(100);
  expect(ids.filter((id) => index?.text.includes(`#${id}"`) !== true)).toEqual([]);
  expect(ids.filter((id) => !others.some(({ text }) => text.includes(` id="${id}"`)))).toEqual([]);
});

test("every link of the reference leads to a place that is there", async () => {
  await using shop = await openTestShop();
  const pages = await readAll(shop);
  const texts = new Map(pages.map(({ path, text }) => [path, text]));
  texts.set("/docs/errors", await read(shop, "/docs/errors"));
  const places = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/href="([^"#]*)#([^"]+)"/g)].map(([, to = "", id = ""]) => ({
      to: to === "" ? path : to,
      id,
    })),
  );

  const gone = places.filter(({ to, id }) => texts.get(to)?.includes(` id="${id}"`) !== true);

  expect(places.length).toBeGreaterThan(1_000);
  expect(gone.filter(({ id }) => id !== "pages")).toEqual([]);
});

test("an operation is told with its fields, audience, refusals, and both calls", async () => {
  await using shop = await openTestShop();
  const page = await read(shop, "/docs/carts");

  const [, told = ""] =
    /<section class="operation" id="addCartLine">([^]*?)<\/section>/.exec(page) ?? [];

  expect(told).toContain("secret and publishable keys");
  expect(told).toMatch(/<code class="name">variant_id<\/code>[^]*?required/);
  expect(told).toContain('href="/docs/errors#cart_completed"');
  expect(told).not.toContain("internal_error");
  expect(told).toContain(`curl -X POST ${shop.url}/v2/carts/cart_…/lines`);
  expect(told).toContain("duka.carts.addLine(&quot;cart_…&quot;, {");
  expect(told).toContain('<a href="/docs/carts#Cart">Cart</a>');
});

test("a field that publishable keys are not told is marked", async () => {
  await using shop = await openTestShop();
  const page = await read(shop, "/docs/orders");

  const fieldOf = (name: string) =>
    new RegExp(`<code class="name">${name}</code>(?:(?!</li>)[^])*`).exec(page)?.[0];

  expect(fieldOf("cancel_note")).toContain("secret keys");
  expect(fieldOf("payment_status")).not.toContain("secret keys");
});

test("what every operation may refuse with is told once, in the index", async () => {
  await using shop = await openTestShop();

  const index = await read(shop, "/docs");

  expect(index).toMatch(/id="any"[^]*errors#internal_error/);
});
