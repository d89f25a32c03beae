// The dashboard where it is not looked at on a plain screen: at four times the size, in a contrast theme, on paper.

import { afterAll, beforeAll, expect, test } from "bun:test";

import { type OpenBrowser, openBrowser } from "../support/browser.ts";
import { type DashboardShop, openDashboard } from "./dashboard-shop.ts";
import { look } from "./look.ts";

const HOME = "/dashboard/test";

let dashboard: DashboardShop;
let opened: OpenBrowser;
let order: string;

beforeAll(async () => {
  dashboard = await openDashboard();
  opened = await openBrowser();
  const placed = await dashboard.shop.post("/v2/orders", {
    line_items: [{ name: "Mug", unit_price: "5.00", quantity: 2 }],
    customer: { name: "Ada Mensah", phone: "+233551234987" },
    payment_method: "cash_on_delivery",
  });
  order = `${HOME}/orders/${placed.id}`;
});

afterAll(async () => {
  await opened[Symbol.asyncDispose]();
  await dashboard[Symbol.asyncDispose]();
});

test("at four times the size, nothing stands over what is read", async () => {
  await using looked = await look(opened, { visitor: dashboard.owner, path: order, width: 320 });
  const { page } = looked;
  await page.setViewportSize({ width: 320, height: 256 });

  const over = await page.evaluate(
    `[...document.body.querySelectorAll("*")]
      .filter((one) => getComputedStyle(one).position === "fixed" && one.checkVisibility())
      .map((one) => one.className || one.id)`,
  );

  expect(over).toEqual([]);
  expect(await page.getByRole("button", { name: "Mark as sent" }).isVisible()).toBe(true);
});

test("in a contrast theme, the list that is shown and what is done are told from the others", async () => {
  const path = `${HOME}/orders?show=all`;
  await using looked = await look(opened, { visitor: dashboard.owner, path, width: 1280 });
  const { page } = looked;
  await page.emulateMedia({ forcedColors: "active" });
  const styleOf = (selector: string, name: string, part = "") =>
    page.evaluate(
      `getComputedStyle(document.querySelector(${JSON.stringify(selector)}), ${JSON.stringify(part)})["${name}"]`,
    );

  expect(await styleOf(".tabs a[aria-current]", "outlineStyle")).toBe("solid");
  expect(await styleOf(".tabs a:not([aria-current])", "outlineStyle")).toBe("none");
  await page.goto(`${dashboard.shop.url}${order}`);
  const done = await styleOf(".track li.done", "backgroundColor", "::after");
  expect(done).not.toBe(await styleOf(".track li:not(.done)", "backgroundColor", "::after"));
});

test("on wide paper, an order begins at the edge", async () => {
  const path = `${order}/slip`;
  await using looked = await look(opened, {
    visitor: dashboard.owner,
    path,
    width: 1100,
    isFollowing: false,
  });

  await looked.page.emulateMedia({ media: "print" });

  expect((await looked.page.locator("main").boundingBox())?.x).toBe(0);
});
