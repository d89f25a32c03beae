// A customer of the example storefront who has no mouse: where the keyboard is after each step.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import type { Page } from "playwright-core";

import { type OpenBrowser, openBrowser } from "../support/browser.ts";
import { openTestShop } from "../support/shop.ts";
import { checkOut, putInCart, ready, signIn } from "./buy-in-store.ts";

setDefaultTimeout(60_000);

let opened: OpenBrowser;

beforeAll(async () => {
  opened = await openBrowser();
});

afterAll(() => opened[Symbol.asyncDispose]());

/** What the keyboard is at: its label or text. */
const held = (page: Page) =>
  page.evaluate<string>(
    "document.activeElement.ariaLabel ?? document.activeElement.textContent.trim()",
  );

test("the keyboard stays at its control while the cart is shown anew, and comes to the next step", async () => {
  await using shop = await openTestShop();
  await shop.post("/v2/products", { name: "Lantern", price: "32.00", stock: 9 });
  await shop.post("/v2/products", { name: "Mug", price: "5.00", stock: 9 });
  const page = await opened.browser.newPage();
  page.setDefaultTimeout(10_000);
  await page.goto(`${shop.url}/test/store`);
  await ready(page);
  await putInCart(page, "Lantern");

  await page.getByLabel("Quantity of Lantern").fill("3");
  await page.keyboard.press("Tab");
  await page.getByText("$96.00").first().waitFor();
  const inCart = await held(page);
  await checkOut(page);

  expect([inCart, await held(page)]).toEqual(["Remove", "Delivery and payment"]);
  await page.close();
});

test("the keyboard stays in the list of addresses, and is never at a button that does something else", async () => {
  await using shop = await openTestShop();
  const page = await opened.browser.newPage();
  page.setDefaultTimeout(10_000);
  await page.goto(`${shop.url}/test/store?view=sign-in`);
  await ready(page);
  await signIn(page, "ada@example.com");
  await page.getByText("You have saved no address yet.").waitFor();
  const known = Object((await shop.get("/v2/customers?email=ada@example.com")).at("/data/0"));
  const addresses = ["Red gate", "Blue gate"].map((line1) => ({ line1, city: "Accra" }));
  await shop.put(`/v2/customers/${known.id}`, { addresses });
  await page.reload();

  await page.getByRole("button", { name: "Make default: Blue gate" }).press("Enter");
  await page
    .locator("li", { hasText: "Blue gate" })
    .getByText("Default", { exact: true })
    .waitFor();
  const arranged = await held(page);
  await page.getByRole("button", { name: "Remove: Red gate" }).press("Enter");
  await page.getByText("Red gate").waitFor({ state: "detached" });

  expect([arranged, await held(page)]).toEqual(["Make default: Red gate", "Your account"]);
  await page.close();
});
