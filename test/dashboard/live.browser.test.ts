// What pages do by themselves, in a real browser: news, search, the keyboard, and forms that are sent once.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { type OpenBrowser, openBrowser } from "../support/browser.ts";
import { type DashboardShop, openDashboard } from "./dashboard-shop.ts";
import { look as lookAt } from "./look.ts";

let dashboard: DashboardShop;
let opened: OpenBrowser;

beforeAll(async () => {
  dashboard = await openDashboard();
  opened = await openBrowser();
  await place("Kojo Antwi");
});

afterAll(async () => {
  await opened[Symbol.asyncDispose]();
  await dashboard[Symbol.asyncDispose]();
});

let customers = 0;

/** An order of a new customer, which is to be packed. */
async function place(name: string): Promise<void> {
  customers += 1;
  const placed = await dashboard.shop.post("/v2/orders", {
    line_items: [{ name: "Mug", unit_price: "10.00", quantity: 1 }],
    customer: { name, email: `customer${customers}@example.com` },
    payment_method: "cash_on_delivery",
  });
  expect(placed.status).toBe(201);
}

/** The owner's browser at a page that follows the news. */
const look = (path: string) => lookAt(opened, { visitor: dashboard.owner, path });

describe("news", () => {
  test("of an order changes Home by itself", async () => {
    await using looked = await look("/dashboard/test");

    await place("Adwoa Sarpong");

    await looked.page.getByText("Adwoa Sarpong").waitFor();
    expect(looked.faults).toEqual([]);
  });

  test("of a second order soon after the first is shown, too", async () => {
    await using looked = await look("/dashboard/test");
    await place("Ibrahim Yakubu");
    await looked.page.getByText("Ibrahim Yakubu").waitFor();

    await place("Naa Tetteh");

    await looked.page.getByText("Naa Tetteh").waitFor();
  });

  test("of an order is offered above the list, which does not jump", async () => {
    await using looked = await look("/dashboard/test/orders");
    const { page } = looked;

    await place("Yaw Darko");
    const offer = page.getByRole("button", { name: "1 new order" });
    await offer.waitFor();
    const before = await page.getByText("Yaw Darko").count();
    await offer.click();

    await page.getByText("Yaw Darko").waitFor();
    expect(before).toBe(0);
    await offer.waitFor({ state: "detached" });
    expect(looked.faults).toEqual([]);
  });

  test("does not take away what a person is typing", async () => {
    await using looked = await look("/dashboard/test");
    const { page } = looked;
    await page.evaluate(`(() => {
      const field = document.createElement("textarea");
      document.querySelector(".halves").append(field);
      field.focus();
    })()`);
    await page.keyboard.type("Half a sentence");

    await place("Esi Quaye");
    await page.getByText("Esi Quaye").waitFor();

    expect(await page.locator("textarea").inputValue()).toBe("Half a sentence");
  });

  test("is shown to who comes back to the page", async () => {
    await using looked = await look("/dashboard/test");
    const { page } = looked;
    await page.goto(`${dashboard.shop.url}/dashboard/enter`);
    await place("Nii Lamptey");

    await page.goBack();

    await page.getByText("Nii Lamptey").waitFor();
  });
});

test("a search shows what it finds while it is typed", async () => {
  await place("Zenabu Issah");
  await using looked = await look("/dashboard/test/orders");
  const { page } = looked;

  await page.getByRole("searchbox").pressSequentially("Zenabu");
  await page.getByText("Kojo Antwi").waitFor({ state: "detached" });
  // The other orders are gone after the first letters; the last ones may still be searched for.
  await page.waitForURL((url) => url.search === "?q=Zenabu&show=all");

  expect(await page.getByText("Zenabu Issah").count()).toBe(1);
  expect(await page.locator(".tabs [aria-current]").textContent()).toBe("All");
  expect(looked.faults).toEqual([]);
});

test("the keys j, k and / go through the rows and to the search", async () => {
  await using looked = await look("/dashboard/test/orders");
  const { page } = looked;
  const focused = () => page.evaluate<string>("document.activeElement.className");
  const index = () =>
    page.evaluate<number>("[...document.querySelectorAll('.row')].indexOf(document.activeElement)");

  await page.keyboard.press("j");
  await page.keyboard.press("j");
  const second = await index();
  await page.keyboard.press("k");
  const first = await index();
  await page.keyboard.press("/");

  expect([second, first]).toEqual([1, 0]);
  expect(await focused()).toBe("");
  expect(await page.evaluate<string>("document.activeElement.type")).toBe("search");
});

test("a search that finds nothing says so while it is typed", async () => {
  await using looked = await look("/dashboard/test/customers");
  const { page } = looked;

  await page.getByRole("searchbox").pressSequentially("Zzz");

  await page.getByText("Kojo Antwi").waitFor({ state: "detached" });
});

test("the key / opens the search over all on a page that has none", async () => {
  await using looked = await look("/dashboard/test");
  const { page } = looked;

  await page.keyboard.press("/");

  await page.waitForURL("**/dashboard/test/search");
  // Browsers move the focus after the page is there.
  await page.waitForFunction("document.activeElement.type === 'search'");
});

test("the key j passes over a row that leads nowhere", async () => {
  const { shop, owner } = dashboard;
  await place("Efua Sarpong");
  const order = (await shop.get("/v2/orders?limit=1")).string("/data/0/id");
  const link = { amount: "3.00", currency: "USD" };
  for (const terms of [{ order_id: order }, link, link]) {
    const asked = await shop.post("/v2/payments/initialize", {
      method: "gateway",
      return_url: "https://shop.example/paid",
      ...terms,
    });
    expect(asked.status).toBe(201);
  }
  await using looked = await lookAt(opened, {
    visitor: owner,
    path: "/dashboard/test/payments?show=waiting",
  });
  const { page } = looked;

  await page.keyboard.press("j");
  await page.keyboard.press("Enter");

  await page.waitForURL(`**/dashboard/test/orders/${order}`);
});

test("the key / on the page of a new order leads to its own search", async () => {
  await using looked = await lookAt(opened, {
    visitor: dashboard.owner,
    path: "/dashboard/test/orders/new",
    isFollowing: false,
  });
  const { page } = looked;

  await page.keyboard.press("/");

  expect(await page.evaluate<string>("document.activeElement.type")).toBe("search");
  expect(new URL(page.url()).pathname).toBe("/dashboard/test/orders/new");
});
