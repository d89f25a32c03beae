// What pages do where the network is gone, in a real browser.

import { describe, expect, test } from "bun:test";

import { look } from "./look.ts";
import { sharedBrowser } from "./shared-browser.ts";

const shared = sharedBrowser();

async function place(name: string): Promise<void> {
  const placed = await shared().dashboard.shop.post("/v2/orders", {
    line_items: [{ name: "Mug", unit_price: "10.00", quantity: 1 }],
    customer: { name, email: "kojo@example.com" },
    payment_method: "cash_on_delivery",
  });
  expect(placed.status).toBe(201);
}

describe("without a network", () => {
  test("a page says from when it is, and shows how it is now once the network is back", async () => {
    await using looked = await look(shared().opened, {
      visitor: shared().dashboard.owner,
      path: "/dashboard/test",
    });
    const { page } = looked;
    const gone = page.getByText(/No connection\. What you see is from \d\d:\d\d\./);

    await page.context().setOffline(true);
    await gone.waitFor();
    await place("Adwoa Sarpong");
    await page.context().setOffline(false);

    await page.getByText("Adwoa Sarpong").waitFor();
    await gone.waitFor({ state: "detached" });
  });

  test("a form is not sent, keeps what was typed, and is sent once the network is back", async () => {
    const path = "/dashboard/test/products/new";
    await using looked = await look(shared().opened, {
      visitor: shared().dashboard.owner,
      path,
      isFollowing: false,
    });
    const { page } = looked;
    await page.getByLabel("Name", { exact: true }).fill("Door mat");
    await page.getByLabel("Price in USD").fill("12.50");
    await page.getByLabel("In stock").fill("3");

    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Add product" }).click();
    await page.getByText(/Nothing is saved until the connection is back/).waitFor();
    const typed = await page.getByLabel("Name", { exact: true }).inputValue();
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Add product" }).click();

    await page.getByRole("heading", { name: "Door mat" }).waitFor();
    expect(typed).toBe("Door mat");
    expect(looked.faults).toEqual([]);
  });
});

test("a stream of news that is refused is no network that is gone", async () => {
  // The stream of an address that there is none of is answered with 404, as one too many is with 429.
  const before = `
    globalThis.EventSource = class extends EventSource {
      constructor(address) { super(address.replace("/live", "/lost")); }
    };`;
  await using looked = await look(shared().opened, {
    visitor: shared().dashboard.owner,
    path: "/dashboard/test",
    isFollowing: false,
    before,
  });
  const { page } = looked;
  let fetches = 0;
  page.on("request", (request) => {
    if (request.resourceType() === "fetch") fetches += 1;
  });

  await page.waitForTimeout(1_500);

  expect([fetches, await page.locator("#gone").textContent()]).toEqual([1, ""]);
});
