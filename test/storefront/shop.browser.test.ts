// The shop in a real browser without script: from its first page to the order, and how its pages look.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import axe from "axe-core";
import { HtmlValidate } from "html-validate";

import { type OpenBrowser, openBrowser } from "../support/browser.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";

let opened: OpenBrowser;
let shop: TestShop;

beforeAll(async () => {
  opened = await openBrowser();
  shop = await openTestShop();
  const picture = (name: string) => ({ url: `${shop.url}/test/pictures/${name}.svg`, alt: name });
  await shop.post("/v2/products", {
    name: "Everyday T-Shirt",
    brand: "Tema Cotton",
    description: "Heavy cotton jersey.\n\nSewn in Tema.",
    images: [picture("shirt"), picture("tote")],
    options: [
      { name: "Size", values: ["S", "M"] },
      { name: "Color", values: ["White", "Black"] },
    ],
    variants: [
      { options: { Size: "S", Color: "White" }, prices: [{ amount: 15 }], stock: 9 },
      { options: { Size: "M", Color: "Black" }, prices: [{ amount: 15 }], stock: 3 },
      { options: { Size: "M", Color: "White" }, prices: [{ amount: 16 }], stock: 0 },
    ],
    slug: "everyday-t-shirt",
    status: "active",
  });
  for (const name of ["mug", "basket", "honey"]) {
    await shop.post("/v2/products", {
      name,
      price: 8,
      stock: 4,
      images: [picture(name)],
      category: name,
      status: "active",
    });
  }
  await shop.post("/v2/products", { name: "Plain", price: 8, stock: 0, status: "active" });
  await shop.post("/v2/collections", { title: "For the home", slug: "home" });
  await shop.put("/v2/store", {
    contact_email: "hello@makola.example",
    contact_phone: "+233302550142",
    support_line: "Things made well within a day's drive of Accra.",
  });
});
afterAll(async () => {
  await shop[Symbol.asyncDispose]();
  await opened[Symbol.asyncDispose]();
});

test("a customer without script finds, chooses, and comes to the checkout of the cart", async () => {
  const context = await opened.browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));

  await page.goto(`${shop.url}/test/shop`);
  await page.getByRole("link", { name: "Search", exact: true }).first().click();
  await page.getByRole("searchbox").fill("shirt");
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("link", { name: "Everyday T-Shirt" }).click();
  await page.locator("label", { hasText: /^M$/ }).click();
  await page.locator("label", { hasText: /^Black$/ }).click();
  await page.getByRole("button", { name: "Add to cart" }).first().click();
  await page.getByRole("spinbutton").fill("2");
  await page.getByRole("button", { name: "Update" }).click();
  const cart = await page.locator("main").innerText();
  await page.getByRole("button", { name: "Checkout" }).click();

  expect(cart).toContain("M / Black");
  expect(cart).toContain("USD 30.00");
  expect(new URL(page.url()).pathname).toStartWith("/checkout/");
  expect(await page.locator("body").innerText()).toContain("Everyday T-Shirt");
  expect(complaints).toEqual([]);
  await context.close();
});

const paths = ["", "/p/everyday-t-shirt", "/c?sort=price", "/search?q=mug", "/cart", "/nowhere"];
const looks = [
  { width: 390, colorScheme: "light", brand: null },
  { width: 1280, colorScheme: "dark", brand: null },
  { width: 390, colorScheme: "dark", brand: "#ffffff" },
  { width: 1280, colorScheme: "light", brand: "#000000" },
  { width: 390, colorScheme: "light", brand: "#e9a21b" },
] as const;

describe("each page", () => {
  test.each(looks)("fits, and everybody can read it, at %o", async ({ brand, ...look }) => {
    await shop.put("/v2/store", { brand_color: brand });
    const { width, colorScheme } = look;
    const context = await opened.browser.newContext({
      viewport: { width, height: 844 },
      colorScheme,
    });
    const page = await context.newPage();
    const found = [];
    for (const path of paths) {
      await page.goto(`${shop.url}/test/shop${path}`);
      // The page's own policy runs no script; the debugger's world is apart from it.
      await page.evaluate(axe.source);
      const faults: string[] = await page.evaluate(
        `axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => id + " " + nodes[0].html))`,
      );
      const isWide: boolean = await page.evaluate("document.body.scrollWidth > innerWidth");
      found.push([path, isWide, faults]);
    }
    await context.close();

    expect(found).toEqual(paths.map((path) => [path, false, []]));
  });

  test("is valid HTML, and small", async () => {
    const validator = new HtmlValidate({ extends: ["html-validate:standard"] });
    const style = /href="(\/shop-assets\/[^"]+)"/;
    for (const path of paths) {
      const answer = await fetch(`${shop.url}/test/shop${path}`);
      const html = await answer.text();
      const { results } = await validator.validateString(html);
      const file = await fetch(`${shop.url}${style.exec(html)?.[1] ?? ""}`);
      const bytes = Bun.gzipSync(html).length + Bun.gzipSync(await file.text()).length;

      expect(results.flatMap(({ messages }) => messages.map(({ message }) => message))).toEqual([]);
      expect(bytes).toBeLessThan(15_000);
    }
  });
});
