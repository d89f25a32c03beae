// A customer in the example storefront, in a real browser: what is bought, what goes wrong, and what can be read.

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";

import axe from "axe-core";
import { HtmlValidate } from "html-validate";
import type { Page } from "playwright-core";

import { exampleStore } from "#storefront/store-page.ts";

import { type OpenBrowser, openBrowser } from "../support/browser.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";
import { checkOut, payOnPage, putInCart, ready, signIn, typeAddress } from "./buy-in-store.ts";

setDefaultTimeout(60_000);

let opened: OpenBrowser;
let shop: TestShop;

beforeAll(async () => {
  opened = await openBrowser();
  shop = await openTestShop();
  await shop.post("/v2/test/seed");
});

afterAll(async () => {
  await shop[Symbol.asyncDispose]();
  await opened[Symbol.asyncDispose]();
});

interface Visit extends AsyncDisposable {
  readonly page: Page;
  /** What the browser complained of. */
  readonly complaints: readonly string[];
}

async function visit(
  address: string,
  terms: { width?: number; isDark?: boolean } = {},
): Promise<Visit> {
  const { width = 390, isDark = false } = terms;
  const context = await opened.browser.newContext({
    viewport: { width, height: 844 },
    colorScheme: isDark ? "dark" : "light",
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const complaints: string[] = [];
  page.on("pageerror", ({ message }) => complaints.push(message));
  page.on("console", (line) => {
    if (line.type() === "error") complaints.push(line.text());
  });
  await page.goto(address);
  await ready(page);
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
}

/** Checks out with the courier of the seeded shop. */
async function checkOutByCourier(page: Page): Promise<void> {
  await checkOut(page);
  await page.getByLabel(/^Courier/).check();
  await page
    .getByText(/^Courier$/)
    .nth(1)
    .waitFor();
}

const newest = async () => (await shop.get("/v2/orders?limit=1")).at("/data/0");

describe("a customer of the example storefront", () => {
  test("sees the picture of the variant that is chosen, and what goes with it", async () => {
    const tray = await shop.post("/v2/products", { name: "Tin tray", price: 3, stock: 2 });
    const address = (name: string) => `${shop.url}/test/pictures/${name}.svg`;
    const lamp = await shop.post("/v2/products", {
      name: "Lamp",
      images: [{ url: address("lantern") }],
      options: [{ name: "Color", values: ["red", "blue"] }],
      variants: ["red", "blue"].map((color) => ({
        options: { Color: color },
        stock: 1,
        ...(color === "blue" && { image: { url: address("mug"), alt: "A blue lamp" } }),
      })),
      related_product_ids: [tray.id],
    });
    await using seen = await visit(`${shop.url}/test/store?product=${lamp.id}`);
    const { page } = seen;
    const shown = () => page.locator(".product img").first().getAttribute("src");

    const before = await shown();
    await page.getByLabel("Color").selectOption("blue");
    const after = await shown();
    await page.getByRole("link", { name: "Tin tray" }).click();
    await page.getByRole("heading", { name: "Tin tray" }).waitFor();

    expect([before, after]).toEqual([address("lantern"), address("mug")]);
    expect(await page.getByRole("heading", { name: "You may also like" }).count()).toBe(0);
  });

  test("buys with a discount on the payment page, and sees that it is paid", async () => {
    await shop.post("/v2/discounts", {
      title: "Opening week",
      target: "order",
      percent: "10",
      codes: ["OPEN10"],
    });
    await using seen = await visit(`${shop.url}/test/store`);
    const { page } = seen;

    await putInCart(page, "Solar Lantern");
    await page.getByLabel("Discount code").fill("open10");
    await page.getByRole("button", { name: "Use code" }).click();
    await page.getByText("is used.").waitFor();
    await checkOutByCourier(page);
    await payOnPage(page);

    expect(await newest()).toMatchObject({
      payment_status: "paid",
      customer: { email: "ada@example.com", name: "Ada Mensah" },
      line_items: [{ name: "Solar Lantern", discount_total: 3.2 }],
      shipping: { label: "Courier" },
    });
    expect(seen.complaints).toEqual([]);
  });

  test("buys what is priced in another currency than the shop's", async () => {
    const prices = [{ currency: "KES", amount: "250" }];
    await shop.post("/v2/products", { name: "Kikoy", variants: [{ prices, stock: 3 }] });
    await using seen = await visit(`${shop.url}/test/store`);

    await putInCart(seen.page, "Kikoy");

    expect(await seen.page.locator("main").innerText()).toMatch(/KES\s250\.00/);
    expect(seen.complaints).toEqual([]);
  });

  test("sees a product of a long name in a tile like the others", async () => {
    const name = "Donaudampfschifffahrtsgesellschaftskapitänsmützenfabrik";
    await shop.post("/v2/products", { name, price: "2.00", stock: 3 });
    await using seen = await visit(`${shop.url}/test/store`);

    const widths = await seen.page
      .locator(".products .picture")
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().width)));

    expect(new Set(widths).size).toBe(1);
  });

  test("sorts by price and leaves out what is sold out, also after a reload", async () => {
    await shop.post("/v2/products", { name: "Matches", price: "0.50" });
    await shop.post("/v2/products", { name: "Pin", price: "0.75", stock: 9 });
    await using seen = await visit(`${shop.url}/test/store`);
    const { page } = seen;
    const first = (name: string) => page.locator(".products li:first-child", { hasText: name });

    await page.getByLabel("Order").selectOption("price");
    await first("Matches").waitFor();
    await page.getByLabel("In stock only").check();
    await first("Pin").waitFor();
    await page.reload();
    await first("Pin").waitFor();

    expect(await page.getByLabel("Order").inputValue()).toBe("price");
    expect(await page.getByLabel("In stock only").isChecked()).toBe(true);
    expect(await page.locator(".products", { hasText: "Matches" }).count()).toBe(0);
    expect(seen.complaints).toEqual([]);
  });

  test("filters by category, brand and price, and sees how many products each choice has", async () => {
    await using seen = await visit(`${shop.url}/test/store?category=Beauty`, { width: 1280 });
    const { page } = seen;
    const option = (name: string, text: RegExp) =>
      page.getByLabel(name).locator("option", { hasText: text });
    const shown = page.locator(".products li");

    expect(await page.getByLabel("Category").inputValue()).toBe("Beauty");
    await option("Category", /^Home \(\d+\)$/).waitFor({ state: "attached" });
    await page.getByLabel("Brand").selectOption("Tamale Naturals");
    await option("Category", /^Home \(/).waitFor({ state: "detached" });
    // The list and its counts come from two requests.
    await shown.first().waitFor();
    const all = await shown.count();
    await page.getByLabel("Price to").fill("0.01");
    await page.getByLabel("Price to").press("Tab");
    await page.getByText("Nothing was found.").waitFor();
    await page.reload();
    await page.getByLabel("Price to").fill("");
    await page.getByLabel("Price to").press("Tab");
    await shown.nth(all - 1).waitFor();
    await option("Brand", new RegExp(`^Tamale Naturals \\(${all}\\)$`)).waitFor({
      state: "attached",
    });

    expect(all).toBeGreaterThan(0);
    expect(seen.complaints).toEqual([]);
  });

  test("finds a collection in the menu, in the order of the merchant, and sorts it", async () => {
    await using seen = await visit(`${shop.url}/test/store`);
    const { page } = seen;
    const first = (name: string) => page.locator(".products li:first-child", { hasText: name });

    await page.getByRole("link", { name: "Gifts" }).click();
    await first("Bolga Market Basket").waitFor();
    await page.getByLabel("Order").selectOption("price");
    await first("Forest Honey").waitFor();
    await page.reload();
    await first("Forest Honey").waitFor();
    await page.locator("option", { hasText: /^Beauty \(1\)$/ }).waitFor({ state: "attached" });

    expect(await page.locator(".products li").count()).toBe(5);
    expect(await page.locator(".menu [aria-current]").innerText()).toBe("Gifts");
    expect(seen.complaints).toEqual([]);
  });

  test("comes to the page of the order from the thanks", async () => {
    await using seen = await visit(`${shop.url}/test/store`);
    const { page } = seen;
    await putInCart(page, "Enamel Mug");
    await checkOutByCourier(page);
    await page.getByLabel("Cash on delivery").check();
    await page.getByRole("button", { name: /^Pay / }).click();

    await page.getByRole("link", { name: "See your order" }).click();

    await page.waitForURL(/\/o\/ord_/);
    expect(await page.locator("main").innerText()).toContain("Enamel Mug");
  });

  test("pays by mobile money while the page waits", async () => {
    await using seen = await visit(`${shop.url}/test/store`);
    const { page } = seen;
    await putInCart(page, "Enamel Mug");
    await checkOutByCourier(page);
    await page.getByLabel("Mobile money").check();
    await page.getByLabel("Phone that pays").fill("+233241234567");
    await page.getByLabel("Provider").selectOption("mtn");
    await page.getByRole("button", { name: /^Pay / }).click();

    await page.getByRole("heading", { name: /^(?:Thank you|Your payment)/ }).waitFor();

    expect(await newest()).toMatchObject({ payment_method: "mobile_money" });
    expect(seen.complaints).toEqual([]);
  });

  test("who declines reads that nothing was charged", async () => {
    await using seen = await visit(`${shop.url}/test/store`);
    const { page } = seen;
    await putInCart(page, "Enamel Mug");
    await checkOutByCourier(page);
    await page.getByRole("button", { name: /^Pay / }).click();
    await page.waitForURL(/\/test\/pay\//);
    await page.getByRole("button", { name: "Decline" }).click();

    await page.getByText("Nothing was charged.").waitFor();

    expect(await newest()).toMatchObject({ payment_status: "unpaid" });
  });

  test("finds the cart again after going back and reloading", async () => {
    await using seen = await visit(`${shop.url}/test/store`);
    const { page } = seen;
    await putInCart(page, "Enamel Mug");

    await page.getByLabel("Quantity of Enamel Mug").fill("3");
    await page.getByLabel("Quantity of Enamel Mug").press("Tab");
    await page.getByText("$24.00").first().waitFor();
    await page.reload();
    await ready(page);

    expect(await page.getByLabel("Quantity of Enamel Mug").inputValue()).toBe("3");
    expect(await page.locator("#cart").innerText()).toBe("Cart (3)");
  });

  test("reads what the service says of a code, and keeps the cart", async () => {
    await using seen = await visit(`${shop.url}/test/store`);
    const { page } = seen;
    await putInCart(page, "Enamel Mug");

    await page.getByLabel("Discount code").fill("NOTHING");
    await page.getByRole("button", { name: "Use code" }).click();

    await page.getByText("There is no such code.").waitFor();
    expect(await page.getByLabel("Quantity of Enamel Mug").inputValue()).toBe("1");
  });

  test("signs in by a code, buys as themselves, and finds the order and the address again", async () => {
    await using seen = await visit(`${shop.url}/test/store`);
    const { page } = seen;
    await putInCart(page, "Enamel Mug");
    await page.getByRole("link", { name: "Check out" }).click();
    await page.locator("main").getByRole("link", { name: "Sign in" }).click();
    await signIn(page, "newcomer@example.com");
    await page.getByRole("heading", { name: "Checkout" }).waitFor();
    await ready(page);
    const prefilled = await page.getByLabel("Email").inputValue();

    await page.getByLabel("Name").fill("Efua Owusu");
    await page.getByLabel("Street").fill("4 Ring Road");
    await page.getByLabel("City").fill("Accra");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByLabel(/^Courier/).check();
    await page.getByLabel("Mobile money").check();
    await page.getByLabel("Phone that pays").fill("+233241234567");
    await page.getByRole("button", { name: /^Pay / }).click();
    await page.getByRole("heading", { name: /^(?:Thank you|Your payment)/ }).waitFor();
    await page.getByRole("link", { name: "newcomer@example.com" }).click();
    await page.getByRole("heading", { name: "Your orders" }).waitFor();
    await ready(page);

    const order = Object(await newest());
    expect(prefilled).toBe("newcomer@example.com");
    expect(await page.locator(".orders li").count()).toBe(1);
    expect(await page.locator(".orders a").getAttribute("href")).toContain(`/o/${order.id}`);
    await page.getByRole("link", { name: "See all products" }).click();
    await putInCart(page, "Enamel Mug");
    await page.getByRole("link", { name: "Check out" }).click();
    await page.getByRole("heading", { name: "Checkout" }).waitFor();
    expect(await page.getByLabel("Street").inputValue()).toBe("4 Ring Road");
    await page.getByRole("link", { name: "newcomer@example.com" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("link", { name: "Sign in" }).waitFor();
    expect(page.url()).not.toContain("cst_");
    expect(await page.locator("#cart").innerText()).toBe("Cart (0)");
    expect(seen.complaints).toEqual([]);
  });

  test("keeps addresses under the account, is offered them at the checkout, and saves another one there", async () => {
    await using seen = await visit(`${shop.url}/test/store?view=sign-in`);
    const { page } = seen;
    await signIn(page, "saver@example.com");
    await page.getByRole("heading", { name: "Your orders" }).waitFor();
    await page.getByRole("button", { name: "Add address" }).click();
    await typeAddress(page, "Blue gate");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Edit: Blue gate" }).click();
    await page.getByLabel("Flat").fill("Flat 3");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Blue gate, Flat 3, Accra, Ghana").waitFor();

    await page.getByRole("link", { name: "See all products" }).click();
    await putInCart(page, "Enamel Mug");
    await page.getByRole("link", { name: "Check out" }).click();
    const offered = await page.getByLabel("Blue gate").isChecked();
    await page.getByLabel("Another address").check();
    await typeAddress(page, "Green gate");
    await page.getByLabel("Save this address").check();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "Delivery and payment" }).waitFor();
    await page.getByRole("link", { name: "saver@example.com" }).click();
    await page.getByRole("button", { name: "Make default: Green gate" }).click();
    await page
      .locator("li", { hasText: "Green gate" })
      .getByText("Default", { exact: true })
      .waitFor();
    await page.getByRole("button", { name: "Remove: Blue gate" }).click();
    await page.getByText("Blue gate").waitFor({ state: "detached" });

    const found = await shop.get("/v2/customers?email=saver@example.com");
    expect(offered).toBe(true);
    expect(found.at("/data/0/addresses")).toMatchObject([
      { name: "Efua Owusu", line1: "Green gate", line2: null, city: "Accra", country: "GH" },
    ]);
    expect(seen.complaints).toEqual([]);
  });

  test("who opens a collection that is gone reads so, and goes back to all products", async () => {
    await using seen = await visit(`${shop.url}/test/store?collection=gone`);
    const { page } = seen;

    expect(await page.getByRole("heading").innerText()).toBe("There is no such collection.");
    await page.getByRole("link", { name: "See all products" }).click();
    await page.getByRole("heading", { name: "Products" }).waitFor();
  });

  test("who opens a product that is gone reads so", async () => {
    const address = `${shop.url}/test/store?product=prod_01ke6jq300fdbrcrfy6ffq814w`;
    await using seen = await visit(address);

    expect(await seen.page.locator("#message").innerText()).toContain("product");
  });
});

test("without JavaScript the page says that it needs it, and nothing else", async () => {
  await using context = await opened.browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();

  await page.goto(`${shop.url}/test/store`);

  expect(await page.locator("main").innerText()).toBe("This example needs JavaScript.");
});

test("a name with markup is text in every view", async () => {
  await using other = await openTestShop();
  const name = "<img src=x onerror=alert(1)>";
  await other.post("/v2/products", { name, price: "3.00", stock: 4, description: name });
  await using seen = await visit(`${other.url}/test/store`);
  const { page } = seen;

  await page.getByRole("link", { name: "<img" }).click();
  await page.getByRole("button", { name: "Add to cart" }).click();
  await page.getByRole("heading", { name: "Cart" }).waitFor();

  expect(await page.locator(".lines").innerText()).toContain(name);
  expect(seen.complaints).toEqual([]);
});

test("the printed example sells from an origin of its own", async () => {
  let html = "";
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response(html, { headers: { "Content-Type": "text/html" } }),
  });
  const origin = `http://127.0.0.1:${server.port}`;
  await using other = await openTestShop({ settings: { DUKA_CORS_ORIGINS: origin } });
  await other.post("/v2/test/seed");
  html = exampleStore()
    .replaceAll("http://127.0.0.1:4000", other.url)
    .replace("STOREFRONT_KEY", await other.createKey({ scopes: ["storefront"] }));

  await using seen = await visit(origin);
  const { page, complaints } = seen;
  await putInCart(page, "Enamel Mug");
  await checkOutByCourier(page);
  await page.getByLabel("Cash on delivery").check();
  await page.getByRole("button", { name: /^Pay / }).click();
  await page.getByRole("link", { name: "See your order" }).click();
  await page.waitForURL(`${other.url}/o/ord_*`);
  await server.stop(true);

  expect(await page.locator("main").innerText()).toContain("Enamel Mug");
  expect(complaints).toEqual([]);
});

const looks = [390, 1280].flatMap((width) => [false, true].map((isDark) => ({ width, isDark })));

test.each(looks)(
  "every view can be read by everybody, and none scrolls sideways (%j)",
  async (look) => {
    await using seen = await visit(`${shop.url}/test/store`, look);
    const { page } = seen;
    const faults: string[] = [];
    const judge = async (name: string) => {
      // The page's own policy runs no script but the store's; the debugger's world is apart from it.
      await page.evaluate(axe.source);
      const found: string[] = await page.evaluate(
        `axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => id + " " + nodes[0].target))`,
      );
      const isWide: boolean = await page.evaluate("document.body.scrollWidth > innerWidth");
      faults.push(
        ...found.map((fault) => `${name}: ${fault}`),
        ...(isWide ? [`${name} is wide`] : []),
      );
    };

    await judge("products");
    await page.getByRole("link", { name: /^Everyday T-Shirt/ }).click();
    await ready(page);
    await judge("product");
    await page.getByRole("button", { name: "Add to cart" }).click();
    await page.getByRole("heading", { name: "Cart" }).waitFor();
    await judge("cart");
    await checkOutByCourier(page);
    await judge("payment");
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await judge("sign-in");
    await page.getByLabel("Email").fill("ada@example.com");
    await page.getByRole("button", { name: "Send me a code" }).click();
    await page.getByLabel("Code").fill("000000");
    await judge("code");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Your orders" }).waitFor();
    await page.getByRole("button", { name: "Add address" }).click();
    await page.getByRole("heading", { name: "Add address" }).waitFor();
    await judge("address");
    await typeAddress(page, "12 Ring Road");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Edit: 12 Ring Road" }).last().waitFor();
    await judge("account");
    await page.getByRole("link", { name: /^Cart/ }).click();
    await page.getByRole("link", { name: "Check out" }).click();
    await page.getByLabel("Another address").check();
    await judge("checkout");

    expect(faults).toEqual([]);
  },
);

test("its document is valid", async () => {
  const html = await (await fetch(`${shop.url}/test/store`)).text();

  const { results } = await new HtmlValidate({
    extends: ["html-validate:standard"],
  }).validateString(html);

  expect(results.flatMap(({ messages }) => messages.map(({ message }) => message))).toEqual([]);
});
