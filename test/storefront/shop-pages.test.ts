// The pages of the shop, as a visitor without script reads them.

import { beforeAll, describe, expect, test } from "bun:test";

import { kanga, mug } from "../support/cast.ts";
import { openTestShop, sharedShop } from "../support/shop.ts";
import { Visitor } from "./visitor.ts";

const shop = sharedShop();
const visitor = () => new Visitor(shop);

const HOSTILE = `<img src=x onerror=alert(1)>"'</title></style><script>alert(1)</script>`;

/** The address of the product's page below that of the shop. */
async function pageOf(productId: string): Promise<string> {
  return `/p/${(await shop.get(`/v2/products/${productId}`)).string("/slug")}`;
}

describe("the first page of the shop", () => {
  test("shows the newest products with their prices, and leads to them", async () => {
    const { name, productId } = await mug(shop);

    const { status, html } = await visitor().get("");

    expect(status).toBe(200);
    expect(html).toContain(name);
    expect(html).toContain("12.50");
    expect(html).toContain(`href="/test/shop${await pageOf(productId)}"`);
  });

  test("runs no script, and is for no search engine", async () => {
    const { html, headers } = await visitor().get("");
    const policy = headers.get("content-security-policy") ?? "";

    expect(html).toContain('<meta name="robots" content="noindex"');
    expect(html).not.toContain("<script");
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("script-src");
    expect(policy).not.toContain("'self'");
  });

  test("has a tag, with which a browser that has it is told nothing again", async () => {
    const { headers } = await visitor().get("");
    const etag = headers.get("etag") ?? "";

    expect((await visitor().get("", { "If-None-Match": etag })).status).toBe(304);
  });
});

describe("a product's page", () => {
  test("has its name, price, options and state, and one button", async () => {
    const { productId, name } = await mug(shop, { stock: 3 });

    const { html } = await visitor().get(await pageOf(productId));

    expect(html).toContain(`<h1>${name}</h1>`);
    expect(html).toContain("Only 3 left");
    expect(html).toContain('action="/test/shop/cart/add"');
  });

  test("says that what is sold out is, and offers no button", async () => {
    const { productId } = await mug(shop, { stock: 0 });

    const { html } = await visitor().get(await pageOf(productId));

    expect(html).toContain('class="state out"');
    expect(html).not.toContain("Add to cart");
  });

  test("shows the former price beside a lower one", async () => {
    const prices = [{ currency: "USD", amount: "8.20", compare_at: "10.00" }];
    const { id } = await shop.post("/v2/products", {
      name: "A mug on sale",
      variants: [{ prices, stock: 5 }],
      status: "active",
    });

    const product = await visitor().get(await pageOf(id));
    const list = await visitor().get("/c");

    expect(product.html).toMatch(/8\.20.*<s>.*10\.00/);
    expect(list.html).toContain("−18 %");
  });

  test("chooses the variant that its address names", async () => {
    const { id } = await shop.post("/v2/products", {
      name: "Shirt",
      options: [{ name: "Size", values: ["S", "M"] }],
      variants: [
        { options: { Size: "S" }, prices: [{ amount: 5 }], stock: 5 },
        { options: { Size: "M" }, prices: [{ amount: 7 }], stock: 5 },
      ],
      status: "active",
    });
    const second = (await shop.get(`/v2/products/${id}`)).string("/variants/1/id");

    const { html } = await visitor().get(`${await pageOf(id)}?v=${second}`);

    expect(html).toMatch(/value="M" required checked/);
    expect(html).toMatch(/class="price">[^<]*7\.00/);
  });

  test("is found at a former slug, which leads to the current one", async () => {
    const { productId } = await kanga(shop, { slug: "kanga-of-old" });
    await shop.put(`/v2/products/${productId}`, { slug: "kanga-of-now" });

    const { status, location } = await visitor().get("/p/kanga-of-old");

    expect([status, location]).toEqual([301, "/test/shop/p/kanga-of-now"]);
  });

  test("of a draft is not there, in the look of the shop and with a search", async () => {
    const { productId } = await mug(shop, { status: "draft" });

    const { status, html, headers } = await visitor().get(await pageOf(productId));

    expect(status).toBe(404);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(html).toContain('role="search"');
  });
});

describe("a list", () => {
  test("of a collection has its products, its words and the way to the rest", async () => {
    const { name, productId } = await mug(shop);
    const made = await shop.post("/v2/collections", { title: "For tea", slug: "for-tea" });
    await shop.put(`/v2/collections/${made.id}/products`, { product_ids: [productId] });

    const { html } = await visitor().get("/c/for-tea");

    expect(html).toContain("<h1>For tea</h1>");
    expect(html).toContain(name);
    expect(html).toContain("1 product");
    expect(html).toMatch(/href="\/test\/shop\/c\/for-tea" aria-current="page"/);
  });

  test("has the order and the filters of its address, and drops what it does not know", async () => {
    await mug(shop, { name: "Cheap cup", brand: "Volta", price: 1 });
    await mug(shop, { name: "Dear cup", brand: "Volta", price: 900 });

    const { html } = await visitor().get("/c?brand=Volta&sort=-price&utm_source=mail");

    expect(html.indexOf("Dear cup")).toBeGreaterThan(0);
    expect(html.indexOf("Dear cup")).toBeLessThan(html.indexOf("Cheap cup"));
    expect(html).toContain("2 products");
  });

  test.each(["?after=nonsense", "?price%5Bgte%5D=much", "?sort=loudest"])(
    "with a parameter that says nothing, such as %s, is the list without it",
    async (search) => {
      expect((await visitor().get(`/c${search}`)).status).toBe(200);
    },
  );

  test("shows more by a link", async () => {
    await using other = await openTestShop();
    for (const number of Array.from({ length: 26 }, (_, at) => at + 1)) {
      await mug(other, { name: `Cup ${number}`, sku: `CUP-${number}` });
    }
    const reader = new Visitor(other);

    const first = await reader.get("/c");
    const next = /href="\/test\/shop(\/c\?after=[^"]+)"/.exec(first.html)?.[1] ?? "";
    const second = await reader.get(next);

    expect(first.html).not.toContain(">Cup 1<");
    expect(second.html).toContain(">Cup 1<");
  });

  test("of a search tells the words that were found in place of those that were typed", async () => {
    await mug(shop, { name: "Calabash", sku: "CALABASH-1" });

    const { html } = await visitor().get("/search?q=calabsh");

    expect(html).toContain("Calabash");
    expect(html).toContain("calabash”");
  });
});

describe("addresses", () => {
  test("with a slash at the end lead to the page without", async () => {
    const { status, location } = await visitor().get("/c/?sort=name");

    expect([status, location]).toEqual([308, "/test/shop/c?sort=name"]);
  });

  test("that lead nowhere are told in the look of the shop", async () => {
    const { status, html } = await visitor().get("/nowhere/at/all");

    expect(status).toBe(404);
    expect(html).toContain("/shop-assets/shop.");
  });

  test("of the live shop have no pages yet: it was never opened", async () => {
    const answers = await Promise.all(
      ["/live/shop", "/p/mug", "/c", "/cart"].map((path) => fetch(`${shop.url}${path}`)),
    );

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });
});

describe("planted texts", () => {
  const planted = sharedShop();
  let pages: readonly string[];
  beforeAll(async () => {
    await planted.put("/v2/store", { name: HOSTILE, support_line: HOSTILE });
    const { id } = await planted.post("/v2/products", {
      name: HOSTILE,
      description: HOSTILE,
      brand: HOSTILE.slice(0, 100),
      category: HOSTILE.slice(0, 100),
      images: [{ url: "https://pictures.example/a.png", alt: HOSTILE }],
      options: [{ name: HOSTILE.slice(0, 100), values: [HOSTILE.slice(0, 90), "other"] }],
      variants: [
        {
          options: { [HOSTILE.slice(0, 100)]: HOSTILE.slice(0, 90) },
          prices: [{ amount: 5 }],
          stock: 5,
          sku: "HOSTILE",
        },
        {
          options: { [HOSTILE.slice(0, 100)]: "other" },
          prices: [{ amount: 5 }],
          stock: 5,
        },
      ],
      slug: "planted",
      status: "active",
    });
    await planted.post("/v2/collections", {
      title: HOSTILE,
      slug: "planted",
      description: HOSTILE,
    });
    const seen = new Visitor(planted);
    const product = await planted.get(`/v2/products/${id}`);
    await seen.post("/cart/add", { variant_id: product.string("/variants/0/id") });
    await seen.post("/cart/code", { code: HOSTILE.slice(0, 40) });
    const paths = [
      "",
      "/p/planted",
      "/c",
      "/c/planted",
      `/search?q=${encodeURIComponent(HOSTILE)}`,
      "/cart",
      "/nowhere",
    ];
    pages = await Promise.all(paths.map(async (path) => (await seen.get(path)).html));
  });

  test("make no element on any page", () => {
    for (const html of pages) {
      expect(html).not.toContain("<img src=x");
      expect(html).not.toContain("<script");
      expect(html.match(/<\/title>/g)).toHaveLength(1);
      expect(html.match(/<\/style>/g)).toHaveLength(1);
    }
  });
});
