// The documentation pages in a real browser.

import { expect, test } from "bun:test";

import { openBrowser } from "../../support/browser.ts";
import { openDocs } from "./docs-site.ts";

/** What a browser met while a page was open. */
async function openPage(url: string, { width = 1400, withScript = true } = {}) {
  const { browser, ...rest } = await openBrowser();
  const page = await browser.newPage({ viewport: { width, height: 1000 } });
  if (!withScript) await page.route("**/assets/**", (route) => route.abort());
  const requested: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  await page.goto(url);
  return { page, requested, complaints, ...rest };
}

test("the page that sends requests shows every operation", async () => {
  await using docs = openDocs();
  await using opened = await openPage(`${docs.origin}/docs/try`);

  await opened.page.getByRole("heading", { name: "List products" }).waitFor();
  await opened.page.getByRole("button", { name: "Open Group - Orders" }).click();
  await opened.page.getByRole("link", { name: "Place an order" }).waitFor();

  const shown = await opened.page.locator("body").innerText();
  expect(shown).toContain("Ada's <shop>");
  expect(shown).toContain("List products");
  expect(shown).toContain("Create a product");
  expect(shown).toContain("Place an order");
}, 60_000);

test("without the script, the page leads to the reference", async () => {
  await using docs = openDocs();
  await using opened = await openPage(`${docs.origin}/docs/try`, { width: 390, withScript: false });

  await opened.page.getByRole("link", { name: "The API reference" }).waitFor();
});

test("the script's page replaces what stands there before it", async () => {
  await using docs = openDocs();
  await using opened = await openPage(`${docs.origin}/docs/try#tag/orders/POST/v2/orders`);

  await opened.page.getByRole("heading", { name: "Place an order" }).waitFor();

  expect(await opened.page.locator("#loading").isVisible()).toBeFalse();
});

test("the reference sends requests to this server alone", async () => {
  await using docs = openDocs();
  await using opened = await openPage(`${docs.origin}/docs/try`);

  await opened.page.getByRole("heading", { name: "List products" }).waitFor();
  await opened.page.getByRole("button", { name: /Test Request.*get/ }).click();
  await opened.page.getByRole("button", { name: /Send get request/ }).click();
  await opened.page.getByText("200 OK").waitFor();

  expect(opened.requested.map((url) => new URL(url).pathname)).toEqual([
    "/docs/try",
    "/assets/scalar.js",
    "/openapi.json",
    "/v2/products",
  ]);
  expect(new Set(opened.requested.map((url) => new URL(url).origin))).toEqual(
    new Set([docs.origin]),
  );
  expect(opened.complaints).toEqual([]);
}, 60_000);

test("the reference offers no service of a third party", async () => {
  await using docs = openDocs();
  await using opened = await openPage(`${docs.origin}/docs/try`);

  await opened.page.getByRole("heading", { name: "List products" }).waitFor();

  const shown = await opened.page.locator("body").innerText();
  expect(shown).not.toMatch(/Ask AI|MCP|Share|Deploy|Developer Tools|Open API Client/);
}, 60_000);

test.each([390, 1280])(
  "the errors page is whole under its policy, %p wide",
  async (width) => {
    await using docs = openDocs();
    await using opened = await openPage(`${docs.origin}/docs/errors#stale_stock`, { width });

    const shown = await opened.page.evaluate<number>("document.documentElement.scrollWidth");
    const display = await opened.page.evaluate<string>(
      "getComputedStyle(document.querySelector('figcaption')).display",
    );

    expect(shown).toBe(width);
    expect(display).toBe("flex");
    expect(opened.complaints).toEqual([]);
    expect(opened.requested).toEqual([`${docs.origin}/docs/errors`]);
  },
  60_000,
);
