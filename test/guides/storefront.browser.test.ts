// The storefronts of the README and of the guide, saved as they are printed, in a real browser: a
// customer buys something and comes back.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import type { Page } from "playwright-core";

import { type OpenBrowser, openBrowser } from "../support/browser.ts";
import { documents } from "../support/documents.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";

setDefaultTimeout(60_000);

let opened: OpenBrowser;

beforeAll(async () => {
  opened = await openBrowser();
});

afterAll(async () => {
  await opened[Symbol.asyncDispose]();
});

interface Storefront extends AsyncDisposable {
  readonly shop: TestShop;
  readonly page: Page;
  readonly complaints: string[];
}

/** The page of the document, served from an origin of its own beside a seeded shop. */
async function openStorefront(path: string): Promise<Storefront> {
  let html = "";
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response(html, { headers: { "Content-Type": "text/html" } }),
  });
  const origin = `http://127.0.0.1:${server.port}`;
  const shop = await openTestShop({ settings: { DUKA_CORS_ORIGINS: origin } });
  await shop.post("/v2/test/seed");
  const text = documents.find((document) => document.path === path)?.text ?? "";
  html = (/```html\n([\s\S]*?)```/.exec(text)?.[1] ?? "")
    .replaceAll("http://127.0.0.1:4000", shop.url)
    .replace("STOREFRONT_KEY", await shop.createKey({ scopes: ["storefront"] }));
  const context = await opened.browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(origin);
  return {
    shop,
    page,
    complaints,
    [Symbol.asyncDispose]: async () => {
      await context.close();
      await shop[Symbol.asyncDispose]();
      await server.stop(true);
    },
  };
}

/** Says who buys and where it goes, as the guide's page asks. */
async function fillIn(page: Page): Promise<void> {
  await page.getByLabel("Name").fill("Ada Mensah");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Street").fill("12 Ring Road");
  await page.getByLabel("Town").fill("Accra");
  await page.getByLabel("Country").fill("GH");
}

async function buyOnReadme(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Buy Solar Lantern" }).click();
  for (const [name, text] of Object.entries({
    name: "Ada Mensah",
    email: "ada@example.com",
    line1: "12 Ring Road",
    city: "Accra",
    country: "GH",
  })) {
    await page.locator(`input[name=${name}]`).fill(text);
  }
  await page.getByRole("button", { name: "Pay", exact: true }).click({ noWaitAfter: true });
}

test("the storefront of the README sells something", async () => {
  await using storefront = await openStorefront("README.md");
  const { page, shop } = storefront;

  await buyOnReadme(page);
  await page.getByRole("button", { name: /^Pay / }).click();
  await page.waitForURL(/payment=pay_/);

  const newest = (await shop.get("/v2/orders?limit=1")).at("/data/0");
  expect(newest).toMatchObject({
    payment_status: "paid",
    line_items: [{ name: "Solar Lantern", quantity: 1 }],
  });
  expect(storefront.complaints).toEqual([]);
});

const byHand = { gateway: { by: "hand", instructions: "Send it to till 4711." } };

test("the storefront of the README says how to pay where no gateway does it", async () => {
  await using storefront = await openStorefront("README.md");
  const { page, shop } = storefront;
  await shop.put("/v2/store", { payment_methods: byHand });
  const told = page.waitForEvent("dialog");

  await buyOnReadme(page);
  const dialog = await told;
  const text = dialog.message();
  await dialog.dismiss();

  expect(text).toBe("Send it to till 4711.");
  expect(storefront.complaints).toEqual([]);
});

test("the storefront of the guide keeps a cart, sells it and says thank you", async () => {
  await using storefront = await openStorefront("src/guides/storefront.md");
  const { page, shop } = storefront;

  const lantern = page.getByRole("listitem").filter({ hasText: "Solar Lantern" });
  await lantern.getByRole("button").click();
  await page.getByText("1 × Solar Lantern").waitFor();
  await lantern.getByRole("button").click();
  await page.getByText("2 × Solar Lantern").waitFor();
  await page.reload();
  await page.getByText("Total: $76.80").waitFor();
  await page.getByLabel("Courier: $2.00").check();
  await page.getByText("Total: $79.20").waitFor();
  await fillIn(page);
  await page.getByRole("button", { name: "Pay" }).click();
  await page.getByRole("button", { name: /^Pay / }).click();
  await page.getByText("Thank you: $79.20 is paid.").waitFor();

  const orders = await shop.get("/v2/orders?payment_status=paid");
  expect(orders.at("/data/0/customer/email")).toBe("ada@example.com");
  expect(storefront.complaints).toEqual([]);
});

test("the storefront of the guide says how to pay where no gateway does it", async () => {
  await using storefront = await openStorefront("src/guides/storefront.md");
  const { page, shop } = storefront;
  await shop.put("/v2/store", { payment_methods: byHand });

  const lantern = page.getByRole("listitem").filter({ hasText: "Solar Lantern" });
  await lantern.getByRole("button").click();
  await page.getByLabel("Courier: $2.00").check();
  await fillIn(page);
  await page.getByRole("button", { name: "Pay" }).click();

  await page.getByText("Send it to till 4711.").waitFor();
  expect(await page.getByRole("button", { name: "Pay" }).isVisible()).toBeFalse();
  expect(storefront.complaints).toEqual([]);
});

test("a customer who cancels reads that nothing was charged", async () => {
  await using storefront = await openStorefront("src/guides/storefront.md");
  const { page } = storefront;

  const lantern = page.getByRole("listitem").filter({ hasText: "Solar Lantern" });
  await lantern.getByRole("button").click();
  await page.getByLabel(/Osu shop/).check();
  await fillIn(page);
  await page.getByRole("button", { name: "Pay" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();

  await page.getByText("Nothing was charged.").waitFor();
  expect(storefront.complaints).toEqual([]);
});

const choose = (page: Page, name: string) =>
  page.getByRole("listitem").filter({ hasText: name }).getByRole("button").click();

/** Chooses the courier of the seeded shop, and pays. */
async function order(page: Page): Promise<void> {
  await page.getByLabel("Courier: $2.00").check();
  await page.getByText("Total: $40.80").waitFor();
  await fillIn(page);
  await page.getByRole("button", { name: "Pay" }).click();
}

test("an order whose answer was lost is paid after a reload", async () => {
  await using storefront = await openStorefront("src/guides/storefront.md");
  const { page, shop } = storefront;
  await choose(page, "Solar Lantern");
  await page.route("**/complete", async (route) => {
    if (route.request().method() === "POST") await route.fetch();
    await route.abort("internetdisconnected");
  });
  await order(page);
  await page.getByText("got no answer.").waitFor();
  await page.unroute("**/complete");

  await page.reload();
  await page.getByText("1 × Solar Lantern").waitFor();
  await fillIn(page);
  await page.getByRole("button", { name: "Pay" }).click();
  await page.getByRole("button", { name: /^Pay / }).click();
  await page.getByText("Thank you: $40.80 is paid.").waitFor();

  const orders = await shop.get("/v2/orders?limit=1");
  expect(orders.at("/data/0/payment_status")).toBe("paid");
  expect(storefront.complaints).toEqual([]);
});

test("an order whose payment could not begin is paid at the next try", async () => {
  await using storefront = await openStorefront("src/guides/storefront.md");
  const { page, shop } = storefront;
  await choose(page, "Solar Lantern");
  await page.route("**/initialize", (route) => route.abort("internetdisconnected"));
  await order(page);
  await page.getByText("got no answer.").waitFor();
  await page.unroute("**/initialize");

  await page.getByRole("button", { name: "Pay" }).click();
  await page.getByRole("button", { name: /^Pay / }).click();
  await page.getByText("Thank you: $40.80 is paid.").waitFor();

  expect((await shop.get("/v2/orders?limit=1")).at("/data/0/payment_status")).toBe("paid");
  expect(storefront.complaints).toEqual([]);
});

test("a customer pays no other total than the one that was shown", async () => {
  await using storefront = await openStorefront("src/guides/storefront.md");
  const { page, shop } = storefront;
  await choose(page, "Solar Lantern");
  await page.getByLabel(/Osu shop/).check();
  await page.getByText("Total: $38.40").waitFor();
  const product = (await shop.get("/v2/products?q=lantern")).string("/data/0/id");
  await shop.put(`/v2/products/${product}`, { price: "40.00" });
  await fillIn(page);

  await page.getByRole("button", { name: "Pay" }).click();
  await page.getByText("The total is 48.00 USD.").waitFor();
  await page.getByText("Total: $48.00").waitFor();
  await page.getByRole("button", { name: "Pay" }).click();

  await page.getByRole("button", { name: "Pay USD 48.00" }).waitFor();
  expect(storefront.complaints).toEqual([]);
});

test("a cart that was ordered in another tab is followed by a new one", async () => {
  await using storefront = await openStorefront("src/guides/storefront.md");
  const { page } = storefront;
  await choose(page, "Solar Lantern");
  await page.getByText("1 × Solar Lantern").waitFor();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await order(other);
  await other.waitForURL(/\/test\/pay\//);

  await choose(page, "Enamel Mug");

  await page.getByText("1 × Enamel Mug").waitFor();
  expect(await page.getByText("1 × Solar Lantern").count()).toBe(0);
  expect(storefront.complaints).toEqual([]);
});

test("what another tab put into the cart stays in it", async () => {
  await using storefront = await openStorefront("src/guides/storefront.md");
  const { page } = storefront;
  const other = await page.context().newPage();
  await other.goto(page.url());
  await choose(page, "Solar Lantern");
  await page.getByText("1 × Solar Lantern").waitFor();

  await choose(other, "Enamel Mug");

  await other.getByText("1 × Enamel Mug").waitFor();
  expect(await other.getByText("1 × Solar Lantern").count()).toBe(1);
});

test("a customer who has nothing to pay is thanked", async () => {
  await using storefront = await openStorefront("src/guides/storefront.md");
  const { page, shop } = storefront;
  await shop.post("/v2/discounts", { title: "Gift", target: "order", percent: "100" });
  await choose(page, "Solar Lantern");
  await page.getByLabel(/Osu shop/).check();
  await page.getByText("Total: $0.00").waitFor();
  await fillIn(page);

  await page.getByRole("button", { name: "Pay" }).click();

  await page.getByText("Thank you: nothing is left to pay.").waitFor();
  expect(storefront.complaints).toEqual([]);
});

test.each(["README.md", "src/guides/storefront.md"])(
  "a product without a price is not offered (%s)",
  async (path) => {
    await using storefront = await openStorefront(path);
    const { page, shop } = storefront;
    await shop.post("/v2/products", { name: "To be priced" });

    await page.reload();

    await page.getByText("Solar Lantern").waitFor();
    expect(await page.getByText("To be priced").count()).toBe(0);
    expect(storefront.complaints).toEqual([]);
  },
);
