// The page of ours that a recovery link leads to, in a real browser that runs no script.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import type { Page } from "playwright-core";

import { signToken } from "#carts/recovery.ts";

import { change, DAY_MS, HOUR_MS, later, left, look } from "../carts/basket.ts";
import { of, place } from "../orders/counter.ts";
import { type OpenBrowser, openBrowser } from "../support/browser.ts";
import { type Goods, kanga, mug } from "../support/cast.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";
import { openTill } from "./till.ts";

let opened: OpenBrowser;

beforeAll(async () => {
  opened = await openBrowser();
});

afterAll(async () => {
  await opened[Symbol.asyncDispose]();
});

interface Visitor extends AsyncDisposable {
  readonly page: Page;
  /** What the browser complained of, such as a style or a form that the policy stops. */
  readonly complaints: string[];
  /** Everything that can be read on the page. */
  read(): Promise<string>;
  goOn(): Promise<void>;
  pay(): Promise<void>;
}

/** Somebody with a phone who followed the link. */
async function visit(url: string): Promise<Visitor> {
  const context = await opened.browser.newContext({
    viewport: { width: 390, height: 844 },
    javaScriptEnabled: false,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => complaints.push(message.text()));
  await page.goto(url);
  return {
    page,
    complaints,
    read: () => page.locator("body").innerText(),
    goOn: () => page.getByRole("button", { name: "Continue to payment" }).click(),
    pay: () => page.getByRole("button", { name: /^Pay / }).click(),
    [Symbol.asyncDispose]: () => context.close(),
  };
}

const press = (url: string) => fetch(url, { method: "POST", redirect: "manual" });

/** The link of a cart with two mugs that was left at the counter. */
async function leftMugs(shop: TestShop) {
  const cup = await mug(shop);
  const cart = await left(shop, [of(cup, 2)], { email: "ada@example.com", payment_method: "card" });
  return { cup, cart, url: cart.string("/recovery_url") };
}

/** The link of an order that nobody paid for an hour. */
async function leftOrder(shop: TestShop) {
  const order = await place(shop, [of(await mug(shop))], { payment_method: "gateway" });
  await shop.announced();
  await later(shop, HOUR_MS);
  const [told] = await shop.announced();
  return { order, url: String(Reflect.get(Object(told?.data), "recovery_url")) };
}

function reprice(shop: TestShop, { productId, variantId }: Goods, amount: string) {
  return shop.put(`/v2/products/${productId}/variants/${variantId}`, {
    prices: [{ currency: "USD", amount }],
  });
}

describe("somebody who left a cart", () => {
  test("comes back, sees what changed, pays, and is announced once", async () => {
    await using shop = await openTestShop();
    const { cup, cart, url } = await leftMugs(shop);
    await reprice(shop, cup, "15.00");
    await shop.announced();
    await using visitor = await visit(url);

    const seen = await visitor.read();
    await visitor.goOn();
    const asked = await visitor.page.getByRole("heading").innerText();
    await visitor.pay();

    expect(seen).toContain("2 × USD 15.00");
    expect(seen).toContain("USD 30.00");
    expect(seen).toContain("Mug now costs USD 15.00 instead of USD 12.50.");
    expect(asked).toBe("Payment");
    expect(await visitor.page.getByRole("heading").innerText()).toBe("Order #1001 is paid");
    const order = await shop.get(`/v2/orders/${(await look(shop, cart)).string("/order_id")}`);
    expect(order.body).toMatchObject({ payment_status: "paid", payment_method: "gateway" });
    expect(await shop.announcedNames()).toEqual([
      "customer.created",
      "order.placed",
      "cart.recovered",
      "payment.initialized",
      "payment.succeeded",
      "order.paid",
    ]);
    expect(visitor.complaints).toEqual([]);
  });

  test("orders nothing by looking", async () => {
    await using shop = await openTestShop();
    const { cart, url } = await leftMugs(shop);
    await shop.announced();

    await fetch(url);
    await fetch(url, { method: "HEAD" });

    expect((await look(shop, cart)).at("/status")).toBe("abandoned");
    expect(await shop.announcedNames()).toEqual([]);
  });

  test("may press twice and is led to one payment of one order", async () => {
    await using shop = await openTestShop();
    const { url } = await leftMugs(shop);

    const both = await Promise.all([press(url), press(url)]);
    const third = await press(url);

    const places = [...both, third].map(({ status, headers }) => [status, headers.get("location")]);
    expect(new Set(places.map(String)).size).toBe(1);
    expect(String(places[0])).toStartWith(`303,${shop.url}/test/pay/`);
    expect((await shop.get("/v2/orders")).list("/data")).toHaveLength(1);
    expect((await shop.get("/v2/payments")).list("/data")).toHaveLength(1);
  });

  test("who paid meanwhile is told so", async () => {
    await using shop = await openTestShop();
    const { url } = await leftMugs(shop);
    await using visitor = await visit(url);
    await visitor.goOn();
    await visitor.pay();

    const again = await press(url);

    expect(again.status).toBe(409);
    expect(await again.text()).toContain("already paid");
  });

  test("may try again after a declined payment", async () => {
    await using shop = await openTestShop();
    const { url } = await leftMugs(shop);
    await using visitor = await visit(url);
    await visitor.goOn();
    await visitor.page.getByRole("button", { name: "Decline" }).click();

    await visitor.goOn();
    await visitor.pay();

    expect(await visitor.page.getByRole("heading").innerText()).toBe("Order #1001 is paid");
    expect((await shop.get("/v2/orders")).list("/data")).toHaveLength(1);
  });

  test("is told what is sold out or no longer for sale, and nothing is ordered", async () => {
    await using shop = await openTestShop();
    const [cup, cloth] = [await mug(shop), await kanga(shop)];
    const cart = await left(shop, [of(cup, 2), of(cloth)]);
    await shop.put(`/v2/inventory/${cup.variantId}`, { on_hand: 1 });
    await shop.put(`/v2/products/${cloth.productId}`, { status: "archived" });
    await using visitor = await visit(cart.string("/recovery_url"));

    const seen = await visitor.read();
    const pressed = await press(cart.string("/recovery_url"));

    expect(seen).toContain("Only 1 of Mug can be ordered now.");
    expect(seen).toContain("Kanga is no longer for sale.");
    expect(await visitor.page.getByRole("button").count()).toBe(0);
    expect(pressed.status).toBe(409);
    expect((await look(shop, cart)).at("/status")).toBe("abandoned");
  });

  test("finds an emptied cart empty", async () => {
    await using shop = await openTestShop();
    const { cart, url } = await leftMugs(shop);
    await change(shop, cart, { line_items: [] });

    const answer = await press(url);

    expect([answer.status, await answer.text()]).toEqual([
      409,
      expect.stringContaining("There is nothing in this cart."),
    ]);
  });

  test("pays nothing for what costs nothing any more", async () => {
    await using shop = await openTestShop();
    const { cup, url } = await leftMugs(shop);
    await reprice(shop, cup, "0.00");
    await using visitor = await visit(url);

    await visitor.goOn();

    expect(await visitor.page.getByRole("heading").innerText()).toBe("Order #1001 is paid");
  });
});

describe("somebody who left an order", () => {
  test("sees it and pays it", async () => {
    await using shop = await openTestShop();
    const { order, url } = await leftOrder(shop);
    await using visitor = await visit(url);

    const seen = await visitor.read();
    await visitor.goOn();
    await visitor.pay();

    expect(seen).toContain("Order #1001");
    expect(seen).toContain("USD 12.50");
    expect((await shop.get(`/v2/orders/${order.id}`)).at("/payment_status")).toBe("paid");
    expect(visitor.complaints).toEqual([]);
  });

  test("cannot pay what was cancelled", async () => {
    await using shop = await openTestShop();
    const { order, url } = await leftOrder(shop);
    await shop.put(`/v2/orders/${order.id}/cancel`);

    const answers = await Promise.all([fetch(url), press(url)]);

    expect(answers.map(({ status }) => status)).toEqual([410, 410]);
    expect(await answers[0]?.text()).toContain("Order #1001 was cancelled");
  });
});

describe("with a gateway of the world", () => {
  test("a second press while the gateway is slow leads to the same page", async () => {
    const { shop: till, gateway } = await openTill();
    await using shop = till;
    const { url } = await leftMugs(shop);
    gateway.nextAnswer = async () => {
      await Bun.sleep(200);
      return {
        kind: "redirect",
        url: "https://pay.example/slow",
        expiresAt: null,
        gatewayId: null,
      };
    };

    const first = press(url);
    const second = press(url);

    const places = (await Promise.all([first, second])).map(({ headers }) =>
      headers.get("location"),
    );
    expect(places).toEqual(["https://pay.example/slow", "https://pay.example/slow"]);
    expect(gateway.charges.size).toBe(1);
  });

  test("who finds it away is told so, and goes on with the same order later", async () => {
    const { shop: till, gateway } = await openTill();
    await using shop = till;
    const { url } = await leftMugs(shop);
    gateway.nextAnswer = () => Promise.resolve({ kind: "not_sent" });

    const refused = await press(url);
    const again = await press(url);

    expect([refused.status, again.status]).toEqual([503, 303]);
    expect(await refused.text()).toContain("The payment could not be started.");
    expect((await shop.get("/v2/orders")).list("/data")).toHaveLength(1);
    expect(gateway.charges.size).toBe(1);
  });

  test("a payer who comes back before the notice sees the order paid", async () => {
    const { shop: till, gateway } = await openTill();
    await using shop = till;
    const { url } = await leftMugs(shop);
    await press(url);
    const payments = await shop.get("/v2/payments");
    gateway.pay(payments.string("/data/0/id"));
    shop.clock.advance(11_000);

    const page = await fetch(url);

    expect(await page.text()).toContain("Order #1001 is paid");
    expect([...gateway.charges.values()].map(({ attempt }) => attempt.returnUrl)).toEqual([url]);
  });

  test("nobody is asked again while their money is being checked", async () => {
    const { shop: till, gateway } = await openTill();
    await using shop = till;
    const { url } = await leftMugs(shop);
    await press(url);
    gateway.pay((await shop.get("/v2/payments")).string("/data/0/id"), { amountMinor: 1 });
    shop.clock.advance(11_000);

    const again = await press(url);

    expect(again.status).toBe(409);
    expect(await again.text()).toContain("Your payment is being checked.");
    expect(gateway.charges.size).toBe(1);
  });
});

describe("a link", () => {
  test("that nobody signed leads nowhere", async () => {
    await using shop = await openTestShop();
    const { cart, url } = await leftMugs(shop);
    const bent = url.slice(0, -1) + (url.endsWith("A") ? "B" : "A");
    const own = signToken(`cart_${cart.id.slice(5)}`, Number.MAX_SAFE_INTEGER, "guessed");

    const answers = await Promise.all(
      [bent, `${shop.url}/recover/x`, `${shop.url}/recover/${own}`].flatMap((one) => [
        fetch(one),
        press(one),
      ]),
    );

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
    expect((await look(shop, cart)).at("/status")).toBe("abandoned");
  });

  test("runs out after a month", async () => {
    await using shop = await openTestShop();
    const { url } = await leftMugs(shop);
    await later(shop, 31 * DAY_MS);

    const answers = await Promise.all([fetch(url), press(url)]);

    expect(answers.map(({ status }) => status)).toEqual([410, 410]);
    expect(await answers[0]?.text()).toContain("This link has run out.");
  });

  test("to a cart that was thrown away has run out", async () => {
    await using shop = await openTestShop();
    const { cart, url } = await leftMugs(shop);
    await shop.delete(`/v2/carts/${cart.id}`);

    expect((await fetch(url)).status).toBe(410);
  });

  test("is answered with headers that keep it to itself", async () => {
    await using shop = await openTestShop();
    const { url } = await leftMugs(shop);

    const { headers } = await fetch(url);

    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'self' https:;/,
    );
  });

  test("takes no other method", async () => {
    await using shop = await openTestShop();

    const answer = await fetch(`${shop.url}/recover/x`, { method: "DELETE" });

    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, POST, OPTIONS"]);
  });
});

describe("the page", () => {
  test("shows names as they are, on a phone without scrolling sideways", async () => {
    await using shop = await openTestShop();
    await shop.put("/v2/store", { name: "Kanga & <Sons>" });
    const long = await mug(shop, {
      name: `<b>Hand-thrown</b> ${"stoneware".repeat(9)}`,
      price: "1234567.50",
    });
    const cart = await left(shop, [of(long, 3), of(await kanga(shop), 2)]);
    await using visitor = await visit(cart.string("/recovery_url"));

    const seen = await visitor.read();
    const button = await visitor.page.getByRole("button").boundingBox();

    expect(seen).toContain("Kanga & <Sons>");
    expect(seen).toContain("<b>Hand-thrown</b>");
    const wide = await visitor.page
      .locator("main, main *, header *")
      .evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().right > 390).length);
    expect(wide).toBe(0);
    expect(button?.height).toBeGreaterThanOrEqual(44);
  });

  test("of a live shop without a gateway says so, and orders nothing", async () => {
    await using shop = await openTestShop();
    const live = await shop.createKey({ mode: "live" });
    const made = await shop.post(
      "/v2/products",
      { name: "Mug", price: 12.5, stock: 10 },
      { key: live },
    );
    const lines = [{ variant_id: made.string("/variants/0/id"), quantity: 1 }];
    const cart = await shop.post("/v2/carts", { line_items: lines }, { key: live });
    await shop.post(`/v2/carts/${cart.id}/checkout`, {}, { key: live });
    shop.clock.advance(HOUR_MS);
    await shop.duka.timers.live.fireDue();
    const found = await shop.get(`/v2/carts/${cart.id}`, { key: live });
    const url = found.string("/recovery_url");
    await using visitor = await visit(url);

    const pressed = await press(url);

    expect(await visitor.read()).not.toContain("Test mode");
    expect(await visitor.read()).toContain("This shop takes no payments here at the moment.");
    expect(await visitor.page.getByRole("button").count()).toBe(0);
    expect(pressed.status).toBe(503);
    expect((await shop.get(`/v2/carts/${cart.id}`, { key: live })).at("/status")).toBe("abandoned");
  });
});
