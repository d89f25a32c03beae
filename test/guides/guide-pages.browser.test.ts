// The guides in a real browser: whole under their own policy, and no wider than a phone.

import { expect, test } from "bun:test";

import { guides } from "#guides/guide.ts";

import { openBrowser } from "../support/browser.ts";
import { openTestShop } from "../support/shop.ts";

test("every guide fits a phone, with its pictures, and the browser stops nothing and lacks nothing", async () => {
  await using shop = await openTestShop();
  await using opened = await openBrowser();
  const page = await opened.browser.newPage({ viewport: { width: 390, height: 844 } });
  const stopped: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") stopped.push(message.text());
  });

  const wide: string[] = [];
  const unloaded: string[] = [];
  for (const path of ["/guides", ...guides.map(({ name }) => `/guides/${name}`)]) {
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
