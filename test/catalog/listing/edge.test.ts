// What browsers and caches may keep of the catalog: the answers to publishable keys, as long as the shop says.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { routes } from "#interface.ts";

import { ada } from "../../support/cast.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";

let shop: TestShop;
let key: string;
let product: string;
let collection: string;

const keep = (seconds: number | null) =>
  shop.put("/v2/store", { storefront_cache_seconds: seconds });

beforeAll(async () => {
  shop = await openTestShop({ asks: "nothing" });
  key = await shop.createKey({ kind: "publishable", scopes: null });
  product = (await shop.post("/v2/products", { name: "Mug", price: 10, currency: "USD" })).id;
  collection = (await shop.post("/v2/collections", { title: "All", published: true })).id;
});
afterAll(async () => {
  await shop[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await keep(20);
});

const asked = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  shop.get(path, { key, headers });

const paths: readonly (readonly [string, () => string])[] = [
  ["a list of products", () => "/v2/products?limit=1"],
  ["a product", () => `/v2/products/${product}`],
  ["related products", () => `/v2/products/${product}/related`],
  ["facets", () => "/v2/products/facets"],
  ["collections", () => "/v2/collections"],
  ["a collection", () => `/v2/collections/${collection}`],
  ["its products", () => `/v2/collections/${collection}/products`],
  ["its facets", () => `/v2/collections/${collection}/facets`],
  ["what a storefront shows", () => "/v2/storefront"],
];

describe("caches may keep", () => {
  test.each(paths)("%s, for any key of its own", async (_, path) => {
    const { status, headers } = await asked(path());

    expect([status, headers.get("cache-control")]).toEqual([
      200,
      "public, max-age=20, stale-while-revalidate=60",
    ]);
    expect(headers.get("vary")).toBe("Authorization, Customer-Token, Accept-Encoding");
    expect(headers.get("etag")).toMatch(/^(W\/)?"/);
    for (const own of ["x-request-id", "ratelimit", "ratelimit-policy"]) {
      expect(headers.has(own)).toBeFalse();
    }
  });

  test.each(paths)("that %s did not change", async (_, path) => {
    const tag = (await asked(path())).headers.get("etag") ?? "";

    const { status, headers, text } = await asked(path(), { "If-None-Match": tag });

    expect([status, text, headers.get("etag")]).toEqual([304, "", tag]);
    expect(headers.get("cache-control")).toStartWith("public, max-age=20");
    expect(headers.get("vary")).toBe("Authorization, Customer-Token, Accept-Encoding");
    expect(headers.has("link")).toBeFalse();
  });
});

describe("no cache keeps", () => {
  test.each(paths)("%s that a secret key is told", async (_, path) => {
    const { headers } = await shop.get(path());

    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-request-id")).toStartWith("req_");
  });

  test.each(paths)("%s that a customer is told", async (_, path) => {
    const { headers } = await asked(path(), { "Customer-Token": "cst_nobody" });

    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-request-id")).toStartWith("req_");
  });

  test.each(paths)("%s of a shop that wants none", async (_, path) => {
    await keep(0);

    const { headers } = await asked(path());

    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-request-id")).toStartWith("req_");
  });

  test.each([
    ["an unknown product", "/v2/products/prd_00000000000000000000000000"],
    ["a wrong filter", "/v2/products?limit=0"],
    ["a path that is none", "/v2/nothing"],
    ["what a key may not see", "/v2/orders"],
  ])("the refusal of %s", async (_, path) => {
    const { status, headers } = await asked(path);

    expect(status).toBeGreaterThan(399);
    expect(headers.get("cache-control")).toBe("no-store");
  });

  test("what any other operation answers", async () => {
    const customer = await ada(shop);

    const { headers } = await shop.get(`/v2/customers/${customer}`);

    expect(headers.get("cache-control")).toBe("no-store");
  });
});

test("the operations that caches keep are these", () => {
  const kept = routes.filter(({ edge }) => edge !== null);

  expect(kept.map(({ operationId }) => operationId).toSorted()).toEqual([
    "listCollectionProducts",
    "listCollections",
    "listProducts",
    "listRelatedProducts",
    "retrieveCollection",
    "retrieveCollectionFacets",
    "retrieveProduct",
    "retrieveProductFacets",
    "retrieveStorefront",
    "retrieveVariant",
  ]);
});

test("without a setting, live answers are kept for ten seconds and those of test mode are not", async () => {
  await keep(null);
  const liveKey = await shop.createKey({ mode: "live", kind: "publishable", scopes: null });

  const live = await shop.get("/v2/products", { key: liveKey });
  const tested = await asked("/v2/products");

  expect([live, tested].map(({ headers }) => headers.get("cache-control"))).toEqual([
    "public, max-age=10, stale-while-revalidate=60",
    "no-store",
  ]);
});

test("five minutes are the longest that is kept", async () => {
  const kept = await keep(300);

  expect([kept.status, kept.at("/storefront_cache_seconds")]).toEqual([200, 300]);
});

test.each([-1, 301, 1.5, "soon", true])("%p seconds are refused", async (seconds) => {
  const refused = await shop.put("/v2/store", { storefront_cache_seconds: seconds });

  expect([refused.status, refused.code]).toEqual([422, "validation_failed"]);
  expect(refused.faults).toHaveLength(1);
  expect(refused.faults[0]).toStartWith("#/storefront_cache_seconds ");
});
