// Products at the dashboard: what a shopkeeper does with them through its forms, without a script.

import { describe, expect, test } from "bun:test";

import { kanga, mug } from "../support/cast.ts";
import {
  type DashboardShop,
  openDashboard,
  type SeenPage,
  sharedDashboard,
} from "./dashboard-shop.ts";

const dashboard = sharedDashboard();

const HOME = "/dashboard/test/products";

function productsOf({ shop }: DashboardShop) {
  return shop.get("/v2/products?limit=100");
}

/** A shirt in two sizes. */
function shirt({ shop }: DashboardShop) {
  return shop.post("/v2/products", {
    name: "Shirt",
    options: [{ name: "Size", values: ["S", "M", "L"] }],
    variants: [
      { options: { Size: "S" }, prices: [{ amount: "10.00" }], stock: 1 },
      { options: { Size: "M" }, prices: [{ amount: "14.00" }], stock: 2 },
    ],
  });
}

describe("the list of products", () => {
  test("asks for the first product where there is none", async () => {
    await using dashboard = await openDashboard();
    const page = await dashboard.owner.get(HOME);

    expect(page.text).toContain("Your first product");
    expect(page.html).toContain(`href="${HOME}/new"`);
  });

  test("shows the price from the lowest to the highest, and what is left", async () => {
    await using dashboard = await openDashboard();
    await shirt(dashboard);

    const page = await dashboard.owner.get(HOME);

    expect(page.text).toContain("Shirt 2 variants For sale 3 left 10.00 – 14.00");
  });

  test("shows a picture of this server at any of its names", async () => {
    await using dashboard = await openDashboard();
    const { shop, owner } = dashboard;
    const url = `${shop.url}/test/pictures/mug.svg`;
    await shop.post("/v2/products", { name: "Mug", images: [{ url, alt: "" }] });

    const page = await owner.get(HOME);

    expect(page.html).toContain('src="/test/pictures/mug.svg"');
  });

  test("finds a product by its SKU, and drafts in their own tab", async () => {
    await using dashboard = await openDashboard();
    const { shop, owner } = dashboard;
    await mug(shop);
    await kanga(shop, { status: "draft" });

    expect((await owner.get(`${HOME}?q=MUG`)).text).toContain("Mug");
    expect((await owner.get(`${HOME}?q=KANGA`)).text).toContain("Nothing found");
    expect((await owner.get(`${HOME}?show=draft`)).text).toContain("Kanga");
  });

  test("leads to older products with its tab kept", async () => {
    await using dashboard = await openDashboard();
    const names = Array.from({ length: 21 }, (_, index) => `Thing ${index}`);
    for (const name of names) await dashboard.shop.post("/v2/products", { name, status: "draft" });

    const page = await dashboard.owner.get(`${HOME}?show=draft`);
    const older = /rel="next" href="([^"]+)"/.exec(page.html)?.[1]?.replaceAll("&amp;", "&") ?? "";

    expect(older).toContain("show=draft");
    expect((await dashboard.owner.get(older)).text).toContain("Thing 0");
  });
});

describe("a new product", () => {
  test("needs a name, a price and a stock only", async () => {
    await using dashboard = await openDashboard();
    const { owner, shop } = dashboard;
    const form = (await owner.get(`${HOME}/new`)).field("form");

    const page = await owner.sendAndFollow(`${HOME}/new/make`, {
      form,
      "/name": "Mug",
      "/price": "12.50",
      "/stock": "10",
      "/tags": "",
      "/images/0/url": "",
      "/options/0/name": "",
      "/options/0/values": "",
      "/sku": "",
      "/category": "",
    });

    expect(page.text).toContain("Added.");
    const made = await shop.get("/v2/products");
    expect(made.at("/data/0/name")).toBe("Mug");
    expect(made.at("/data/0/variants/0/prices/0/amount_minor")).toBe(1250);
    expect(made.at("/data/0/variants/0/available")).toBe(10);
  });

  test("with options has a variant of each combination with the price and the stock", async () => {
    await using dashboard = await openDashboard();
    await dashboard.owner.sendAndFollow(`${HOME}/new/make`, {
      form: "one",
      "/name": "Shirt",
      "/price": "9.00",
      "/stock": "4",
      "/tags": "cotton, summer",
      "/options/0/name": "Size",
      "/options/0/values": "S, M",
      "/options/1/name": "Color",
      "/options/1/values": "Red,Blue",
      "/sku": "",
    });

    const made = await productsOf(dashboard);
    expect(made.at("/data/0/tags")).toEqual(["cotton", "summer"]);
    expect(made.list("/data/0/variants")).toMatchObject([
      { title: "S / Red", available: 4, prices: [{ amount_minor: 900 }] },
      { title: "S / Blue", available: 4, prices: [{ amount_minor: 900 }] },
      { title: "M / Red", available: 4, prices: [{ amount_minor: 900 }] },
      { title: "M / Blue", available: 4, prices: [{ amount_minor: 900 }] },
    ]);
  });

  test("is taken as it is typed with the keyboard of another script", async () => {
    await using dashboard = await openDashboard();
    await dashboard.owner.sendAndFollow(`${HOME}/new/make`, {
      form: "one",
      "/name": "قميص",
      "/price": "٩٫٥٠",
      "/stock": "٤",
      "/tags": "قطن، صيف",
      "/options/0/name": "المقاس",
      "/options/0/values": "صغير، كبير",
    });

    const made = await productsOf(dashboard);
    expect(made.at("/data/0/tags")).toEqual(["قطن", "صيف"]);
    expect(made.list("/data/0/variants")).toMatchObject([
      { title: "صغير", available: 4, prices: [{ amount_minor: 950 }] },
      { title: "كبير", available: 4, prices: [{ amount_minor: 950 }] },
    ]);
  });

  test("sent twice at once is one product", async () => {
    await using dashboard = await openDashboard();
    const fields = { form: "one", "/name": "Mug", "/price": "1", "/stock": "1" };
    const send = () => dashboard.owner.send(`${HOME}/new/make`, fields);

    const answers = await Promise.all([send(), send()]);

    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect((await productsOf(dashboard)).list("/data")).toHaveLength(1);
  });

  test.each([{}, { "/options/0/name": "Size", "/options/0/values": "S,M" }])(
    "with a wrong price says so at the price, and keeps what was typed: %p",
    async (options) => {
      await using dashboard = await openDashboard();
      const page = await dashboard.owner.send(`${HOME}/new/make`, {
        form: "one",
        "/name": "Mug & <cup>",
        "/price": "12.505",
        "/stock": "3",
        ...options,
      });

      expect(page.status).toBe(422);
      expect(page.field("/name")).toBe("Mug & <cup>");
      expect(page.field("/price")).toBe("12.505");
      expect(page.html.match(/<input[^>]*name="\/price"[^>]*>/)?.[0]).toContain(
        'aria-invalid="true" aria-describedby="f-price-fault"',
      );
      expect(page.html.split('href="#f-price"')).toHaveLength(2);
      expect((await productsOf(dashboard)).list("/data")).toEqual([]);
    },
  );
});

describe("a product", () => {
  test("is changed, and what was emptied is taken away", async () => {
    const { owner, shop } = dashboard;
    const { productId } = await mug(shop, {
      tags: ["clay, fired", "old"],
      images: [{ url: "https://shop.example/mug.jpg", alt: "A mug" }],
    });
    const page = await owner.get(`${HOME}/${productId}`);
    expect(page.field("/tags/0")).toBe("clay, fired");

    const saved = await owner.sendAndFollow(`${HOME}/${productId}/save`, {
      version: page.field("version"),
      "/name": "Big mug",
      "/price": "13.00",
      "/description": "Of clay.",
      "/category": "Home",
      "/brand": "Kente & Co",
      "/seo/title": "",
      "/seo/description": "A big mug of clay.",
      "/status": "draft",
      "/tags/": "[]",
      "/tags/0": "clay, fired",
      "/tags/1": "",
    });

    expect(saved.text).toContain("Saved.");
    expect((await shop.get(`/v2/products/${productId}`)).body).toMatchObject({
      name: "Big mug",
      description: "Of clay.",
      category: "Home",
      brand: "Kente & Co",
      seo: { title: null, description: "A big mug of clay." },
      status: "draft",
      tags: ["clay, fired"],
      // They have a form of their own.
      images: [{ alt: "A mug" }],
      variants: [{ prices: [{ amount_minor: 1300 }] }],
    });
  });

  test("that a colleague changed meanwhile shows beside each field what it is now", async () => {
    const { owner, shop } = dashboard;
    const { productId } = await mug(shop, { category: "Home" });
    const shown = await owner.get(`${HOME}/${productId}`);
    await shop.put(`/v2/products/${productId}`, { category: "Kitchen", status: "draft" });

    const page = await owner.send(`${HOME}/${productId}/save`, {
      version: shown.field("version"),
      "/name": shown.field("/name"),
      "/price": "14.00",
      "/category": shown.field("/category"),
      "/status": "active",
    });

    expect(page.text).toMatch(/Price in USD Now: 12\.50.*Category Now: Kitchen.*Now: Draft/);
    expect(page.text.match(/Now:/g)).toHaveLength(3);
  });

  test("that a colleague changed before a wrong price was put right stays as it is", async () => {
    const { owner, shop } = dashboard;
    const { productId, name } = await mug(shop, { category: "Home" });
    const shown = await owner.get(`${HOME}/${productId}`);
    await shop.put(`/v2/products/${productId}`, { category: "Kitchen" });
    const save = ({ html }: SeenPage, price: string) =>
      owner.send(`${HOME}/${productId}/save`, {
        version: /\/save"[^]*?name="version"\s+value="(\d+)"/.exec(html)?.[1] ?? "",
        "/name": name,
        "/price": price,
        "/category": "Home",
      });

    const wrong = await save(shown, "1,400");
    const right = await save(wrong, "14.00");

    expect([wrong.status, right.status]).toEqual([422, 412]);
    expect(right.text).toContain("Now: Kitchen");
    expect((await shop.get(`/v2/products/${productId}`)).at("/category")).toBe("Kitchen");
  });

  test("with a price is not sent without one, which would be saved as it was", async () => {
    const { productId } = await mug(dashboard.shop);

    const { html } = await dashboard.owner.get(`${HOME}/${productId}`);

    expect(/<input[^>]*name="\/price"[^>]*>/.exec(html)?.[0]).toMatch(/ required\b/);
  });

  test("that a colleague changed meanwhile stays as it is, and what was typed is kept", async () => {
    const { owner, shop } = dashboard;
    const { productId } = await mug(shop);
    const version = (await owner.get(`${HOME}/${productId}`)).field("version");
    await shop.put(`/v2/products/${productId}`, { name: "Cup" });

    const page = await owner.send(`${HOME}/${productId}/save`, { version, "/name": "Beaker" });

    expect(page.status).toBe(412);
    expect(page.text).toContain("changed in the meantime");
    expect(page.field("/name")).toBe("Beaker");
    expect((await shop.get(`/v2/products/${productId}`)).at("/name")).toBe("Cup");
  });

  test.each(["active", "draft"])("that is archived is %s again after Undo", async (status) => {
    const { owner, shop } = dashboard;
    const { productId } = await mug(shop, { status });
    const path = `${HOME}/${productId}`;
    const version = (await owner.get(path)).field("version");

    const archived = await owner.sendAndFollow(`${path}/archive`, {
      version,
      "/status": "archived",
    });
    expect((await shop.get(`/v2/products/${productId}`)).at("/status")).toBe("archived");
    const undone = await owner.sendAndFollow(`${path}/archive`, { undo: archived.field("undo") });

    expect(archived.text).toContain("Archived: it is no longer sold. Undo");
    expect(undone.text).toContain("Undone. It is as it was.");
    expect((await shop.get(`/v2/products/${productId}`)).at("/status")).toBe(status);
  });

  test("gets a variant with a value of its option, once for two taps", async () => {
    const { owner, shop } = dashboard;
    const { id } = await shirt(dashboard);
    const path = `${HOME}/${id}`;
    const fields = {
      version: (await owner.get(path)).field("version"),
      "/options/Size": "L",
      "/prices/0/amount": "16.00",
      "/stock": "5",
      "/sku": "",
    };

    await Promise.all([owner.send(`${path}/add`, fields), owner.send(`${path}/add`, fields)]);

    const after = await shop.get(`/v2/products/${id}`);
    expect(after.list("/variants")).toHaveLength(3);
    expect(after.at("/variants/2")).toMatchObject({ title: "L", available: 5 });
  });
});

describe("a variant", () => {
  test("gets another price, and keeps those in other currencies", async () => {
    const { owner, shop } = dashboard;
    const { productId, variantId } = await mug(shop);
    const variant = `/v2/products/${productId}/variants/${variantId}`;
    await shop.put(variant, {
      prices: [
        { currency: "GHS", amount: "150.00" },
        { currency: "USD", amount: "12.50" },
      ],
    });
    const path = `${HOME}/${productId}/variants/${variantId}`;
    const page = await owner.get(path);

    await owner.sendAndFollow(`${path}/save`, {
      version: page.field("version"),
      "/prices/0/currency": page.field("/prices/0/currency"),
      "/prices/0/amount": "11.00",
      "/prices/0/compare_at": "12.50",
      "/prices/1/currency": page.field("/prices/1/currency"),
      "/prices/1/amount": page.field("/prices/1/amount"),
      "/prices/1/compare_at": "",
      "/sku": "CUP",
    });

    expect((await shop.get(variant)).body).toMatchObject({
      sku: "CUP",
      prices: [
        { currency: "USD", amount_minor: 1100, compare_at_minor: 1250 },
        { currency: "GHS", amount_minor: 15_000, compare_at_minor: null },
      ],
    });
  });

  test("is removed after its page said what goes with it", async () => {
    const { owner, shop } = dashboard;
    const made = await shirt(dashboard);
    const path = `${HOME}/${made.id}/variants/${made.string("/variants/1/id")}/remove`;
    const page = await owner.get(path);
    expect(page.text).toContain("2 units in stock go with it");

    const after = await owner.sendAndFollow(`${path}/go`, { version: page.field("version") });

    expect(after.text).toContain("Removed.");
    expect((await shop.get(`/v2/products/${made.id}`)).list("/variants")).toHaveLength(1);
  });
});

test("a viewer sees products, and of their forms the one that saves them as a file", async () => {
  const { productId, variantId } = await mug(dashboard.shop);
  const viewer = await dashboard.join("viewer", "Esi");
  const paths = ["", "/new", `/${productId}`, `/${productId}/variants/${variantId}`];

  const pages = await Promise.all(paths.map((path) => viewer.get(`${HOME}${path}`)));

  const formsOf = (html: string) => html.split(`action="${HOME}/`).slice(1);
  expect(pages.map(({ html }) => formsOf(html).map((form) => form.split('"')[0]))).toEqual([
    ["export"],
    [],
    [],
    [],
  ]);
  const refused = await viewer.send(`${HOME}/${productId}/save`, { version: 1, "/name": "Cup" });
  expect(refused.status).toBe(403);
});
