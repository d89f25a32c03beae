// What customers, goods and addresses are called does not widen a page, and no menu leaves the screen.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { type OpenBrowser, openBrowser } from "../support/browser.ts";
import { type DashboardShop, openDashboard } from "./dashboard-shop.ts";
import { look } from "./look.ts";

const HOME = "/dashboard/test";
const EMAIL = "christopher.montgomery@subsidiary.company.example";
const WORD = "Donaudampfschifffahrtsgesellschaftskapitänsmützenfabrik";

let dashboard: DashboardShop;
let opened: OpenBrowser;
let variantId: string;
let shirtId: string;
let statusUrl: string;
let orderId: string;
let webhookId: string;

beforeAll(async () => {
  dashboard = await openDashboard();
  opened = await openBrowser();
  const { shop } = dashboard;
  const product = await shop.post("/v2/products", { name: WORD, price: "2345678.90", stock: 6 });
  variantId = product.string("/variants/0/id");
  const options = [{ name: WORD.slice(0, 50), values: [WORD.slice(0, 50)] }];
  const variants = [{ options: { [WORD.slice(0, 50)]: WORD.slice(0, 50) }, stock: 1 }];
  shirtId = (await shop.post("/v2/products", { name: "Shirt", options, variants })).id;
  const order = await shop.post("/v2/orders", {
    line_items: [{ variant_id: variantId, quantity: 2 }],
    customer: { email: EMAIL },
  });
  orderId = order.id;
  await shop.post("/v2/payments/initialize", {
    order_id: orderId,
    method: "card",
    card_token: "pm_card_visa",
  });
  statusUrl = order.string("/status_url");
  await shop.put(`/v2/orders/${orderId}/fulfill`, {
    line_items: [{ line_item_id: order.string("/line_items/0/id"), quantity: 1 }],
    tracking: {
      carrier: WORD.slice(0, 50),
      number: "1".repeat(50),
      url: "https://track.example/1",
    },
  });
  const webhook = await shop.post("/v2/webhooks", {
    url: `https://shop.example.com/integrations/duka/webhooks/${WORD.toLowerCase()}`,
    events: ["order.paid"],
    description: WORD.repeat(4),
  });
  webhookId = webhook.id;
});

afterAll(async () => {
  await opened[Symbol.asyncDispose]();
  await dashboard[Symbol.asyncDispose]();
});

describe.each([390, 1280])("at %d pixels", (width) => {
  test("no page scrolls sideways", async () => {
    await using looked = await look(opened, { visitor: dashboard.owner, path: HOME, width });
    const { page } = looked;
    const { url } = dashboard.shop;
    const wide: string[] = [];
    const check = async (name: string) => {
      const isWide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
      if (isWide === true) wide.push(name);
    };
    await check("home");
    const lists = ["/orders", "/orders/new", "/webhooks", "/search?q=donau"];
    for (const path of [...lists, `/products/${shirtId}`]) {
      await page.goto(`${url}${HOME}${path}`);
      await check(path);
    }
    for (const path of ["", "/send", "/slip", "/receipt", "/cancel"]) {
      await page.goto(`${url}${HOME}/orders/${orderId}${path}`);
      await check(`an order's ${path}`);
    }
    for (const path of ["", "/edit", "/replay", "/delete"]) {
      await page.goto(`${url}${HOME}/webhooks/${webhookId}${path}`);
      await check(`a webhook's ${path}`);
    }
    await page.goto(statusUrl);
    await check("the page of the customer");
    await page.goto(`${url}${HOME}/orders/${orderId}/cancel`);
    await page.getByRole("button", { name: "Continue" }).click();
    await check("what cancelling does");

    expect(wide).toEqual([]);
  });

  test("all that can be done with an order is on the screen", async () => {
    const path = `${HOME}/orders/${orderId}`;
    await using looked = await look(opened, { visitor: dashboard.owner, path, width });
    const { page } = looked;

    await page.getByRole("button", { name: "More" }).click();

    const menu = page.locator(".menu:popover-open a");
    await menu.last().waitFor();
    const lowest = await menu.evaluateAll((all) =>
      Math.max(...all.map((one) => one.getBoundingClientRect().bottom)),
    );
    expect(await menu.allInnerTexts()).toContain("Refund");
    expect(lowest).toBeLessThanOrEqual(844);
  });
});

test("an amount beside a long text keeps its place", async () => {
  const { shop } = dashboard;
  const cart = await shop.post("/v2/carts", {
    line_items: [{ variant_id: variantId, quantity: 1 }],
    email: EMAIL,
  });
  await shop.post(`/v2/carts/${cart.id}/checkout`, {});
  await shop.post("/v2/test/clock/advance", { seconds: 3_700 });
  await using looked = await look(opened, { visitor: dashboard.owner, path: `${HOME}/carts` });

  const isOver = await looked.page.evaluate(
    `[...document.querySelectorAll(".lined > strong")].some(
      (amount) => amount.scrollWidth > amount.clientWidth + 1 ||
        amount.getBoundingClientRect().right > amount.parentElement.getBoundingClientRect().right)`,
  );

  expect(await looked.page.locator(".lined > strong").count()).toBe(1);
  expect(isOver).toBe(false);
});

test("a name has room on a receipt beside an amount of ten digits", async () => {
  const placed = await dashboard.shop.post("/v2/orders", {
    line_items: [{ name: "Bedspread with pillow cases", unit_price: "12345678.90", quantity: 150 }],
  });
  const path = `${HOME}/orders/${placed.id}/receipt`;
  await using looked = await look(opened, { visitor: dashboard.owner, path, isFollowing: false });
  const row = looked.page.locator(".receipt .bill li");

  const [units, name] = await row
    .locator("> *")
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()));

  expect(units?.height).toBeLessThan(30);
  expect(name?.width).toBeGreaterThan(100);
});

test("a long name that is written from the right is read from its beginning", async () => {
  await dashboard.shop.post("/v2/orders", {
    line_items: [{ variant_id: variantId, quantity: 1 }],
    customer: { phone: "+233551234987", name: "محمد عبد الرحمن بن خالد بن الوليد المخزومي القرشي" },
  });
  await using looked = await look(opened, {
    visitor: dashboard.owner,
    path: `${HOME}/orders?show=all`,
  });

  const isInside = await looked.page.evaluate(
    `(() => {
      const who = [...document.querySelectorAll(".who")].find((one) => one.textContent.startsWith("محمد"));
      const first = document.createRange();
      first.setStart(who.firstChild, 0);
      first.setEnd(who.firstChild, 1);
      return first.getBoundingClientRect().right <= who.getBoundingClientRect().right;
    })()`,
  );

  expect(isInside).toBe(true);
});

test("a long name in the list of orders leaves what stands beside it readable", async () => {
  const path = `${HOME}/orders`;
  await using looked = await look(opened, { visitor: dashboard.owner, path, width: 1280 });
  const { page } = looked;

  const isOver = await page.evaluate(
    `[...document.querySelectorAll(".row .who")].some(
      (who) => who.scrollWidth > who.clientWidth && getComputedStyle(who).overflowX === "visible")`,
  );

  expect(isOver).toBe(false);
});
