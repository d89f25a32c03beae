// What the keyboard reaches is seen: nothing that stays on the screen lies over it.

import { expect, test } from "bun:test";

import { openBrowser } from "../support/browser.ts";
import { openDashboard } from "./dashboard-shop.ts";
import { look } from "./look.ts";

const COVERED = `(() => {
  const { activeElement: focused } = document;
  const { left, top, height } = focused.getBoundingClientRect();
  const above = document.elementFromPoint(left + 10, top + height - 2);
  return !focused.contains(above) && !above?.contains(focused);
})()`;

test("a phone shows each field of a count as it is reached", async () => {
  await using dashboard = await openDashboard();
  await using opened = await openBrowser();
  const values = Array.from({ length: 20 }, (_, index) => `No ${index}`);
  await dashboard.shop.post("/v2/products", {
    name: "Ring",
    options: [{ name: "Size", values }],
    variants: values.map((value) => ({ options: { Size: value }, stock: 1 })),
  });
  const path = "/dashboard/test/stock/count";
  await using looked = await look(opened, {
    visitor: dashboard.owner,
    path,
    isFollowing: false,
  });
  const { page } = looked;
  const fields = page.locator("input[name$=on_hand]");
  await fields.first().focus();

  const covered: number[] = [];
  for (const [index] of values.entries()) {
    if ((await page.evaluate(COVERED)) === true) covered.push(index);
    await page.keyboard.press("Tab");
  }

  expect(covered).toEqual([]);
});
