// The guides and the reference in a real browser: whole under their own policy, and no wider than a phone.

import { expect, test } from "bun:test";

import axe from "axe-core";

import { guides } from "#guides/guide.ts";
import { sectionPath } from "#guides/reference/read-reference.ts";
import { tagNames } from "#interface.ts";

import { openBrowser } from "../support/browser.ts";
import { openTestShop } from "../support/shop.ts";

const pages = [
  "/guides",
  "/guides/search?q=DUKA_CORS_ORIGINS",
  ...guides.map(({ name }) => `/guides/${name}`),
  "/docs/errors",
  "/docs",
  ...tagNames.map(sectionPath),
];

test("every page of the manual fits a phone, with its pictures, and the browser stops nothing and lacks nothing", async () => {
  await using shop = await openTestShop();
  await using opened = await openBrowser();
  const page = await opened.browser.newPage({ viewport: { width: 390, height: 844 } });
  const stopped: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") stopped.push(message.text());
  });

  const wide: string[] = [];
  const unloaded: string[] = [];
  for (const path of pages) {
    await page.goto(`${shop.url}${path}`);
    const width = Number(await page.evaluate("document.documentElement.scrollWidth"));
    const missing = Number(
      await page.evaluate("[...document.images].filter((one) => one.naturalWidth === 0).length"),
    );
    if (width > 390) wide.push(path);
    if (missing > 0) unloaded.push(path);
  }

  expect({ wide, unloaded, stopped }).toEqual({ wide: [], unloaded: [], stopped: [] });
}, 60_000);

test("a person searches on any page, and comes to what was found", async () => {
  await using shop = await openTestShop();
  await using opened = await openBrowser();
  const page = await opened.browser.newPage({ viewport: { width: 390, height: 844 } });

  await page.goto(`${shop.url}/docs/carts`);
  await page.getByRole("searchbox").fill("no_way_to_pay");
  await page.getByRole("searchbox").press("Enter");
  await page.getByRole("link", { name: "no_way_to_pay", exact: true }).click();

  await page.waitForURL("**/docs/errors#no_way_to_pay");
  expect(await page.locator("article:target h3").innerText()).toBe("no_way_to_pay");
}, 60_000);

test.each(["light", "dark"] as const)(
  "every kind of page can be read by everybody, %s",
  async (colorScheme) => {
    await using shop = await openTestShop();
    await using opened = await openBrowser();
    // The policy of the pages lets no script in, and the check is one.
    const page = await opened.browser.newPage({
      bypassCSP: true,
      colorScheme,
      viewport: { width: 390, height: 844 },
    });

    const found: string[] = [];
    for (const path of [
      "/guides",
      "/guides/nextjs",
      "/guides/search?q=key",
      "/docs",
      "/docs/carts",
      "/docs/errors",
    ]) {
      await page.goto(`${shop.url}${path}`);
      await page.evaluate(axe.source);
      const ids = await page.evaluate<string[]>(
        "axe.run(document).then(({ violations }) => violations.map(({ id }) => id))",
      );
      found.push(...ids.map((id) => `${path} ${id}`));
    }

    expect(found).toEqual([]);
  },
  60_000,
);
