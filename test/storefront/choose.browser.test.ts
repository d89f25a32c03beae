// A customer of the example storefront chooses by options, and finds what was misspelt.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import type { Page } from "playwright-core";

import { type OpenBrowser, openBrowser } from "../support/browser.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";
import { ready } from "./buy-in-store.ts";

setDefaultTimeout(60_000);

let opened: OpenBrowser;
let shop: TestShop;
let page: Page;

beforeAll(async () => {
  opened = await openBrowser();
  shop = await openTestShop();
  await shop.post("/v2/products", shirt("Kente shirt", ["S Red", "M Red", "M Blue"]));
  await shop.post("/v2/products", shirt("Batik shirt", ["S Blue", "L Blue"]));
  await shop.post("/v2/products", { name: "Black soap", price: "2.00", stock: 5 });
  page = await opened.browser.newPage({ viewport: { width: 390, height: 844 } });
  page.setDefaultTimeout(10_000);
});

afterAll(async () => {
  await shop[Symbol.asyncDispose]();
  await opened[Symbol.asyncDispose]();
});

function shirt(name: string, sorts: readonly string[]) {
  const both = sorts.map((sort) => sort.split(" "));
  const values = (place: number) => [...new Set(both.map((sort) => sort[place]))];
  return {
    name,
    options: [
      { name: "Size", values: values(0) },
      { name: "Color", values: values(1) },
    ],
    variants: both.map(([Size, Color]) => ({
      options: { Size, Color },
      prices: [{ currency: "USD", amount: Size === "L" ? "9.00" : "8.00" }],
      stock: 4,
    })),
  };
}

async function visit(query: string): Promise<void> {
  await page.goto(`${shop.url}/test/store${query}`);
  await ready(page);
}

const tiles = () => page.locator(".products li");

test("the list is filtered by size and color, and finds both again after a reload", async () => {
  await visit("");
  await page.getByLabel("Size").selectOption("M");
  await tiles().nth(1).waitFor({ state: "detached" });
  await page.getByLabel("Color").selectOption("Blue");
  await page
    .getByLabel("Size")
    .locator("option", { hasText: "M (1)" })
    .waitFor({ state: "attached" });

  await page.reload();
  await ready(page);
  await tiles().first().waitFor();

  expect(await tiles().allInnerTexts()).toEqual(["Kente shirt\n$8.00"]);
  expect(await page.getByLabel("Size").inputValue()).toBe("M");
  expect(await page.getByLabel("Color").inputValue()).toBe("Blue");
});

test("the variant that is bought has every option that was chosen", async () => {
  await visit("");
  await page.getByRole("link", { name: /^Kente shirt/ }).click();

  await page.getByLabel("Size").selectOption("M");
  await page.getByLabel("Color").selectOption("Blue");
  await page.getByRole("button", { name: "Add to cart" }).click();
  await page.getByRole("heading", { name: "Cart" }).waitFor();

  expect(await page.locator(".lines").innerText()).toContain("M / Blue");
});

test("of options that are not made together, the one that was chosen last holds", async () => {
  await visit("");
  await page.getByRole("link", { name: /^Kente shirt/ }).click();

  await page.getByLabel("Color").selectOption("Blue");
  const blue = await page.getByLabel("Size").inputValue();
  await page.getByLabel("Size").selectOption("S");

  expect(blue).toBe("M");
  expect(await page.getByLabel("Color").inputValue()).toBe("Red");
});

test("a misspelt search shows what it was corrected to, and searches as typed when asked", async () => {
  await visit("?q=soep");

  const notice = await page.locator(".notice").innerText();
  const found = await tiles().allInnerTexts();
  await page.getByRole("link", { name: "Search for “soep” all the same" }).click();
  await page.getByText("Nothing was found.").waitFor();

  expect(notice).toContain("Nothing was found for “soep”. These are for “soap”.");
  expect(found).toEqual(["Black soap\n$2.00"]);
});
