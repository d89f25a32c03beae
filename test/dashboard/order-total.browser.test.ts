// A sale at the counter in a real browser: with and without a script it takes one tap more to hear the total.

import { afterAll, beforeAll, expect, test } from "bun:test";

import { levies, tax } from "../sales/pricing/priced-shop.ts";
import { type OpenBrowser, openBrowser } from "../support/browser.ts";
import { type DashboardShop, openDashboard } from "./dashboard-shop.ts";

const path = "/dashboard/test/orders/new";

let dashboard: DashboardShop;
let opened: OpenBrowser;

beforeAll(async () => {
  dashboard = await openDashboard();
  opened = await openBrowser();
  const { shop } = dashboard;
  await shop.put("/v2/store", { payment_methods: { cash: { enabled: true } } });
  await tax(shop, "GH", { rates: levies });
  await shop.post("/v2/products", { name: "Blue mug", price: "12.50", stock: 50 });
});

afterAll(async () => {
  await opened[Symbol.asyncDispose]();
  await dashboard[Symbol.asyncDispose]();
});

test.each([
  ["with", true],
  ["without", false],
])("a sale %s a script tells the total, then the change", async (_, javaScriptEnabled) => {
  const { shop, owner } = dashboard;
  const context = await opened.browser.newContext({
    viewport: { width: 390, height: 844 },
    javaScriptEnabled,
  });
  await context.addCookies(
    [...owner.cookies].map(([name, value]) => ({ name, value, url: shop.url })),
  );
  const page = await context.newPage();
  await page.goto(`${shop.url}${path}`);

  await page.getByLabel(/^Blue mug/).fill("2");
  await page.getByRole("button", { name: "Show total" }).click();
  await page.getByRole("heading", { name: "Check the total" }).waitFor();
  const bill = await page.locator(".bill .total").innerText();
  await page.getByLabel("Cash received").fill("50");
  await page.getByRole("button", { name: "Sell now" }).click();

  await page.getByText("Change to give: USD 19.99.").waitFor();
  await context.close();
  expect(bill.replaceAll(/\s+/g, " ")).toContain("Total USD30.01");
});
