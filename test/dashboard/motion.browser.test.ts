// Who asks their device for less motion gets none: pages change at once.

import { expect, test } from "bun:test";

import { openBrowser } from "../support/browser.ts";
import { openDashboard } from "./dashboard-shop.ts";

test.each([
  ["reduce", false],
  ["no-preference", true],
] as const)(
  "with the preference %s, a page moves into the next one: %p",
  async (preference, moves) => {
    await using dashboard = await openDashboard();
    await using opened = await openBrowser();
    const { owner, shop } = dashboard;
    const context = await opened.browser.newContext({ reducedMotion: preference });
    await context.addCookies(
      [...owner.cookies].map(([name, value]) => ({ name, value, url: shop.url })),
    );
    const page = await context.newPage();
    await page.addInitScript(
      `addEventListener("pagereveal", ({ viewTransition }) => { window.isMoved = viewTransition !== null; })`,
    );
    await page.goto(`${shop.url}/dashboard/test`);

    await page.getByRole("link", { name: "Products", exact: true }).click();
    await page.getByRole("heading", { name: "Products" }).waitFor();
    // A page is revealed at its first frame, which can be later than its heading is there.
    await page.waitForFunction("window.isMoved !== undefined");

    expect(await page.evaluate("window.isMoved")).toBe(moves);
  },
);
