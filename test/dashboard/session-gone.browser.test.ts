// What pages that stay open do once the session has ended, in a real browser.

import { describe, expect, test } from "bun:test";

import { PASSWORD, type Visitor } from "./dashboard-shop.ts";
import { look } from "./look.ts";
import { sharedBrowser } from "./shared-browser.ts";

const HOME = "/dashboard/test";

const shared = sharedBrowser();

/** The owner at another device, whose session a test ends. */
async function enter(): Promise<Visitor> {
  const visitor = shared().dashboard.stranger();
  await visitor.send("/dashboard/enter", { "/name": "Ama", "/password": PASSWORD });
  return visitor;
}

/** Ends the session, whose cookie the browser keeps. */
async function end(visitor: Visitor): Promise<void> {
  await visitor.send("/dashboard/leave");
}

describe("a page whose session has ended", () => {
  test("leads to the way in, and back to itself", async () => {
    const visitor = await enter();
    await using looked = await look(shared().opened, { visitor, path: `${HOME}/orders?show=all` });
    const { page } = looked;

    await end(visitor);

    await page.waitForURL("**/dashboard/enter?*");
    await page.getByLabel("Your name").fill("Ama");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(`**${HOME}/orders?show=all`);
  });

  test("leads there also once it is looked at again", async () => {
    const visitor = await enter();
    await using looked = await look(shared().opened, { visitor, path: HOME, isFollowing: false });
    await end(visitor);

    await looked.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");

    await looked.page.waitForURL("**/dashboard/enter?*");
  });

  test("stays while something is typed, which is kept once it is sent", async () => {
    const visitor = await enter();
    const placed = await shared().dashboard.shop.post("/v2/orders", {
      line_items: [{ name: "Mug", unit_price: "10.00", quantity: 1 }],
    });
    const path = `${HOME}/orders/${placed.id}`;
    await using looked = await look(shared().opened, { visitor, path });
    const { page } = looked;
    await page.getByLabel("Your note").fill("Ring twice");
    const refused = page.waitForResponse((answer) => answer.url().includes("/dashboard/enter"));

    await end(visitor);
    await refused;
    await page.getByRole("button", { name: "Save note" }).click();
    await page.getByLabel("Your name").fill("Ama");
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();

    await page.getByText("Nothing was saved yet").waitFor();
    expect(await page.getByLabel("Your note").inputValue()).toBe("Ring twice");
  });
});
