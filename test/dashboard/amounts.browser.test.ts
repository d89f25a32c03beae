// An amount is shown beside its field as it is read, while it is typed.

import { expect, test } from "bun:test";

import { look } from "./look.ts";
import { sharedBrowser } from "./shared-browser.ts";

const shared = sharedBrowser();

test.each([390, 1280])("an amount is shown as it is read, %i pixels wide", async (width) => {
  const { dashboard, opened } = shared();
  const path = "/dashboard/test/products/new";
  await using looked = await look(opened, {
    visitor: dashboard.owner,
    path,
    width,
    isFollowing: false,
  });
  const { page, faults } = looked;
  const shown = page.locator("output[for=f-price]");

  await page.getByLabel("Price in USD").pressSequentially("1250");
  await shown.getByText("USD 1,250.00").waitFor();
  await page.getByLabel("Price in USD").fill("1.250");
  await shown.getByText("1.25 or 1,250.00?").waitFor();
  await page.getByLabel("Price in USD").fill("1.25");
  await shown.getByText("USD 1.25").waitFor();

  const overflow = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
  expect([overflow, faults]).toEqual([0, []]);
});
