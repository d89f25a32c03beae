// What a customer of the example storefront reads when a sale cannot go on as it was shown, and how it goes on.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";

import type { Page } from "playwright-core";

import { type OpenBrowser, openBrowser } from "../support/browser.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";
import { checkOut, payOnPage, putInCart, ready, signIn, typeAddress } from "./buy-in-store.ts";

setDefaultTimeout(60_000);

let opened: OpenBrowser;
let shop: TestShop;

beforeAll(async () => {
  opened = await openBrowser();
});

afterAll(async () => {
  await opened[Symbol.asyncDispose]();
});

interface Visit extends AsyncDisposable {
  readonly page: Page;
}

/** A shop with three lanterns, and a customer in front of its storefront. */
async function visit(view = ""): Promise<Visit> {
  shop = await openTestShop();
  await shop.post("/v2/products", { name: "Lantern", price: "32.00", stock: 3 });
  const context = await opened.browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  await page.goto(`${shop.url}/test/store${view}`);
  await ready(page);
  return {
    page,
    [Symbol.asyncDispose]: async () => {
      await context.close();
      await shop[Symbol.asyncDispose]();
    },
  };
}

const lantern = async () => (await shop.get("/v2/products")).string("/data/0/variants/0/id");

const pay = (page: Page) => page.getByRole("button", { name: /^Pay / }).click();

test("who is told that the price has changed pays the new total", async () => {
  await using seen = await visit();
  const { page } = seen;
  await putInCart(page, "Lantern");
  await checkOut(page);
  const product = (await shop.get("/v2/products")).string("/data/0/id");
  const prices = [{ currency: "USD", amount: "35.00" }];
  await shop.put(`/v2/products/${product}/variants/${await lantern()}`, { prices });

  await pay(page);
  await page.getByText("The total has changed: it is $35.00 now.").waitFor();
  await payOnPage(page);

  expect((await shop.get("/v2/orders")).at("/data/0/total")).toBe(35);
});

test("who comes too late for the last ones reads in the cart what is short", async () => {
  await using seen = await visit();
  const { page } = seen;
  await putInCart(page, "Lantern");
  await checkOut(page);
  await shop.put(`/v2/inventory/${await lantern()}`, { on_hand: 0 });

  await pay(page);

  await page.getByRole("heading", { name: "Cart" }).waitFor();
  expect(await page.locator(".lines").innerText()).toContain("is short of stock");
});

test("who orders what strangers hold their share of signs in, and buys what is in the cart", async () => {
  await using seen = await visit();
  const { page } = seen;
  const limits = { units_per_variant: 1, strangers_percent: 1 };
  await shop.put("/v2/store", { enforce_limits: true, limits });
  const key = await shop.createKey({ scopes: ["storefront"] });
  const line_items = [{ variant_id: await lantern(), quantity: 1 }];
  const customer = { email: "kofi@example.com", name: "Kofi" };
  const shipping_address = { line1: "12 Ring Road", city: "Accra", country: "GH" };
  const order = { line_items, customer, shipping_address, payment_method: "bank_transfer" };
  await shop.post("/v2/orders", order, { key });
  await putInCart(page, "Lantern");
  await checkOut(page);

  await pay(page);
  await page.getByText("Sign in with a code to order this. Your cart is kept.").waitFor();
  await signIn(page, "ada@example.com");
  await page.getByRole("heading", { name: "Checkout" }).waitFor();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Delivery and payment" }).waitFor();
  await payOnPage(page);

  expect((await shop.get("/v2/orders?payment_status=paid")).list("/data")).toHaveLength(1);
});

test("who pays by mobile money is asked for the phone before anything is ordered", async () => {
  await using seen = await visit();
  const { page } = seen;
  await putInCart(page, "Lantern");
  await checkOut(page);
  await page.getByLabel("Mobile money").check();

  await pay(page);

  const phone = page.getByLabel("Phone that pays");
  expect(await phone.evaluate((input) => input.matches(":invalid"))).toBe(true);
  expect((await shop.get("/v2/orders")).at("/data")).toEqual([]);
});

test("an order whose payment was refused is paid on its own page", async () => {
  await using seen = await visit();
  const { page } = seen;
  await putInCart(page, "Lantern");
  await checkOut(page);
  await page.getByLabel("Mobile money").check();
  await page.getByLabel("Phone that pays").fill("024");
  await pay(page);
  await page.getByText("is not a phone number").waitFor();

  await page.getByRole("link", { name: "Pay for your order" }).click();

  await page.waitForURL(/\/o\/ord_/);
  expect(await page.locator("main").innerText()).toContain("How do you want to pay?");
});

test("the head of the page counts what is in the cart as it is changed", async () => {
  await using seen = await visit();
  const { page } = seen;
  await putInCart(page, "Lantern");

  await page.getByLabel("Quantity of Lantern").fill("3");
  await page.getByLabel("Quantity of Lantern").press("Tab");
  await page.getByText("$96.00").first().waitFor();

  expect(await page.locator("#cart").innerText()).toBe("Cart (3)");
});

test("a view of something that is gone leads on", async () => {
  await using seen = await visit("?product=prod_01ke6jq300fdbrcrfy6ffq814w");
  const { page } = seen;

  await page.getByRole("link", { name: "See all products" }).click();

  await page.getByRole("link", { name: /^Lantern/ }).waitFor();
});

test("who goes back from the payment page comes to the order", async () => {
  await using seen = await visit();
  const { page } = seen;
  await putInCart(page, "Lantern");
  await checkOut(page);
  await pay(page);
  await page.waitForURL(/\/test\/pay\//);

  await page.goBack();
  await page.getByRole("link", { name: "See your order" }).click();

  await page.waitForURL(/\/o\/ord_/);
  expect(await page.locator("main").innerText()).toContain("How do you want to pay?");
});

test("who has nothing to pay is thanked for the order", async () => {
  await using seen = await visit();
  const { page } = seen;
  await shop.post("/v2/discounts", {
    title: "Gift",
    target: "order",
    percent: "100",
    codes: ["GIFT"],
  });
  await putInCart(page, "Lantern");
  await page.getByLabel("Discount code").fill("gift");
  await page.getByRole("button", { name: "Use code" }).click();
  await page.getByText("is used.").waitFor();
  await checkOut(page);

  await pay(page);
  await page.getByRole("heading", { name: "Thank you for your order." }).waitFor();
  await page.getByRole("link", { name: "See your order" }).click();

  await page.waitForURL(/\/o\/ord_/);
  expect((await shop.get("/v2/orders")).at("/data/0/payment_status")).toBe("paid");
});

test("an order whose answer was lost is paid at the next try", async () => {
  await using seen = await visit();
  const { page } = seen;
  await putInCart(page, "Lantern");
  await checkOut(page);
  await page.route("**/complete", async (route) => {
    if (route.request().method() === "POST") await route.fetch();
    await route.abort("internetdisconnected");
  });
  await pay(page);
  await page.getByText("got no answer.").waitFor();
  await page.unroute("**/complete");

  await payOnPage(page);

  const orders = await shop.get("/v2/orders");
  expect(orders.list("/data")).toHaveLength(1);
  expect(orders.at("/data/0/payment_status")).toBe("paid");
});

test("a cart that was changed in another tab is shown before it is changed here", async () => {
  await using seen = await visit();
  const { page } = seen;
  await shop.post("/v2/products", { name: "Mug", price: "8.00", stock: 3 });
  await putInCart(page, "Lantern");
  const other = await page.context().newPage();
  await other.goto(page.url().replace("view=cart", ""));
  await putInCart(other, "Mug");

  await page.getByLabel("Quantity of Lantern").fill("2");
  await page.getByLabel("Quantity of Lantern").press("Tab");
  await page.getByText("The cart was changed elsewhere.").waitFor();

  expect(await page.locator(".lines").innerText()).toContain("Mug");
  expect((await shop.get("/v2/carts")).list("/data/0/line_items")).toHaveLength(2);
});

test("who has no room for another address reads so, and goes on to pay", async () => {
  await using seen = await visit("?view=sign-in");
  const { page } = seen;
  await signIn(page, "ada@example.com");
  await page.getByRole("heading", { name: "Your orders" }).waitFor();
  const known = Object((await shop.get("/v2/customers?email=ada@example.com")).at("/data/0"));
  const addresses = Array.from({ length: 50 }, (_, index) => ({ line1: `Gate ${index}` }));
  await shop.put(`/v2/customers/${known.id}`, { addresses });
  await page.getByRole("link", { name: "See all products" }).click();
  await putInCart(page, "Lantern");
  await page.getByRole("link", { name: "Check out" }).click();

  await page.getByLabel("Another address").check();
  await typeAddress(page, "Green gate");
  await page.getByLabel("Save this address").check();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("The address was not saved.").waitFor();

  expect(await page.locator("h1").innerText()).toBe("Delivery and payment");
});
