// What the example storefront makes of texts and amounts as shops have them: long, from the right, in any currency.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import type { Page } from "playwright-core";

import { shipTo, tax } from "../sales/pricing/priced-shop.ts";
import { type OpenBrowser, openBrowser } from "../support/browser.ts";
import { seenOrder } from "../support/seen-order.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";
import { checkOut, putInCart, ready } from "./buy-in-store.ts";

setDefaultTimeout(60_000);

let opened: OpenBrowser;

beforeAll(async () => {
  opened = await openBrowser();
});

afterAll(() => opened[Symbol.asyncDispose]());

interface Visit extends AsyncDisposable {
  readonly page: Page;
}

async function visit(shop: TestShop): Promise<Visit> {
  const context = await opened.browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  await page.goto(`${shop.url}/test/store`);
  await ready(page);
  return { page, [Symbol.asyncDispose]: () => context.close() };
}

test("an amount is shown as it is charged, also where browsers leave out smaller units", async () => {
  await using shop = await openTestShop();
  await shop.put("/v2/store", { currency: "PKR" });
  await shop.post("/v2/products", { name: "Shawl", price: "1999.50", stock: 3 });
  await using seen = await visit(shop);

  await putInCart(seen.page, "Shawl");

  expect(await seen.page.locator(".sums").innerText()).toMatch(/Total\s+PKR\s1,999\.50/);
});

test("a long word widens no view", async () => {
  await using shop = await openTestShop();
  const word = "Donaudampfschifffahrtsgesellschaftskapitänsmützenfabrik".repeat(3);
  await shop.post("/v2/products", {
    name: word,
    description: word,
    options: [{ name: "Size", values: [word.slice(0, 50), "S"] }],
    variants: [
      { options: { Size: word.slice(0, 50) }, prices: [{ currency: "USD", amount: 1 }], stock: 3 },
      { options: { Size: "S" }, prices: [{ currency: "USD", amount: 1 }], stock: 3 },
    ],
  });
  await shipTo(shop, ["GH"], { name: word.slice(0, 100) });
  await tax(shop, "GH", { rates: [{ name: word.slice(0, 50), rate: "15" }], name: word });
  await using seen = await visit(shop);
  const { page } = seen;
  const wide: string[] = [];
  const check = async (name: string) => {
    if (await page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth"))
      wide.push(name);
  };

  await check("products");
  await page.getByRole("link", { name: /^Donau.*from|^Donau.*\$/ }).click();
  await ready(page);
  await check("product");
  await page.getByRole("button", { name: "Add to cart" }).click();
  await page.getByRole("heading", { name: "Cart" }).waitFor();
  await check("cart");
  await checkOut(page);
  await check("payment");

  expect(wide).toEqual([]);
});

test("a description keeps its lines, and a tax from the right its rate", async () => {
  await using shop = await openTestShop();
  const description = "Woven by hand.\nTwo metres.";
  await shop.post("/v2/products", { name: "Shawl", description, price: "20.00", stock: 3 });
  await tax(shop, "GH", { rates: [{ name: "ضريبة", rate: "15" }], locale: "he-IL" });
  await using seen = await visit(shop);
  const { page } = seen;

  await page.getByRole("link", { name: /^Shawl/ }).click();
  const read = await page.getByText("Woven by hand.").innerText();
  await page.getByRole("button", { name: "Add to cart" }).click();
  await page.getByRole("heading", { name: "Cart" }).waitFor();

  expect(read).toBe(description);
  const parts = ["ضريبة", "15", "%"];
  expect(await seenOrder(page, ".sums dt", parts)).toEqual(parts);
  // In Hebrew the currency follows the digits, from the right.
  expect(await seenOrder(page, ".sums dd", ["20", "$"])).toEqual(["$", "20"]);
});
