// The sound of a new order, in a real browser.

import { expect, test } from "bun:test";

import { until } from "../support/until.ts";
import { look, type LookedAt } from "./look.ts";
import { sharedBrowser } from "./shared-browser.ts";

/** Counts the tones that the page begins. */
const before = `{
  globalThis.tones = 0;
  const { start } = OscillatorNode.prototype;
  OscillatorNode.prototype.start = function (at) { globalThis.tones += 1; start.call(this, at); };
}`;

const shared = sharedBrowser();

/** The page of the person, where the sound is switched. */
function openMe(): Promise<LookedAt> {
  const terms = { visitor: shared().dashboard.owner, path: "/dashboard/test/me" };
  return look(shared().opened, { ...terms, before, isFollowing: false });
}

async function place(): Promise<void> {
  const placed = await shared().dashboard.shop.post("/v2/orders", {
    line_items: [{ name: "Mug", unit_price: "10.00", quantity: 1 }],
    payment_method: "cash_on_delivery",
  });
  expect(placed.status).toBe(201);
}

test("is heard on any page that was touched, once it is switched on", async () => {
  await using looked = await openMe();
  const { page } = looked;
  await page.getByLabel("A sound for each new order").check();
  const listening = page.waitForResponse((response) => response.url().includes("/live?"));
  await page.goto(`${shared().dashboard.shop.url}/dashboard/test/more`);
  await listening;
  await page.getByRole("heading", { name: "More" }).click();

  await place();

  // Not waitForFunction: the policy of the page lets no text become a script.
  await until(
    async () => (await page.evaluate("globalThis.tones")) === 2,
    "The page did not play two tones.",
  );
  expect(looked.faults).toEqual([]);
});

test("stays off until it is switched on, and goes off again", async () => {
  await using looked = await openMe();
  const { page } = looked;
  const box = page.getByLabel("A sound for each new order");
  const isOnAtFirst = await box.isChecked();

  await box.check();
  await page.reload();
  const isKept = await box.isChecked();
  await box.uncheck();
  await page.reload();

  expect([isOnAtFirst, isKept, await box.isChecked()]).toEqual([false, true, false]);
});
