// The page of a recovery link in a real browser with scripts disabled.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { abandonedCart, HOUR_MS, readCart } from "../sales/carts/basket.ts";
import { of } from "../sales/orders/counter.ts";
import { kanga, mug } from "../support/cast.ts";
import { openTestShop, type TestShop } from "../support/shop.ts";
import { abandonedMugs, press, reprice, unpaidOrder } from "./abandoned-baskets.ts";
import { type OpenVisits, openVisits } from "./visitor.ts";

let visits: OpenVisits;

beforeAll(async () => {
  visits = await openVisits();
});

afterAll(async () => {
  await visits[Symbol.asyncDispose]();
});

const visit = (url: string) => visits.visit(url);

describe("the customer of an abandoned cart", () => {
  test("sees what changed and pays, and every event is emitted once", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const { cup, cart, url } = await abandonedMugs(shop);
    await reprice(shop, cup, "15.00");
    await shop.announced();
    await using visitor = await visit(url);

    const seen = await visitor.read();
    await visitor.continueToPayment();
    const gatewayHeading = await visitor.page.getByRole("heading").innerText();
    await visitor.pay();

    expect(seen).toContain("2 × USD 15.00");
    expect(seen).toContain("USD 30.00");
    expect(seen).toContain("Mug now costs USD 15.00 instead of USD 12.50.");
    expect(gatewayHeading).toBe("Payment");
    expect(await visitor.page.getByRole("heading").innerText()).toBe("Order #1001 is paid");
    const order = await shop.get(`/v2/orders/${(await readCart(shop, cart)).string("/order_id")}`);
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

  test("cannot pay a second time", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const { url } = await abandonedMugs(shop);
    await using visitor = await visit(url);
    await visitor.continueToPayment();
    await visitor.pay();

    const again = await press(url);

    expect(again.status).toBe(409);
    expect(await again.text()).toContain("Thank you for your order");
  });

  test("may pay again after a declined payment", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const { url } = await abandonedMugs(shop);
    await using visitor = await visit(url);
    await visitor.continueToPayment();
    await visitor.page.getByRole("button", { name: "Decline" }).click();

    await visitor.continueToPayment();
    await visitor.pay();

    expect(await visitor.page.getByRole("heading").innerText()).toBe("Order #1001 is paid");
    expect((await shop.get("/v2/orders")).list("/data")).toHaveLength(1);
  });

  test("sees what is sold out or no longer for sale, and orders the rest", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const [cup, cloth] = [await mug(shop), await kanga(shop)];
    const cart = await abandonedCart(shop, [of(cup, 2), of(cloth)]);
    await shop.put(`/v2/inventory/${cup.variantId}`, { on_hand: 1 });
    await shop.put(`/v2/products/${cloth.productId}`, { status: "archived" });
    await using visitor = await visit(cart.string("/recovery_url"));

    const seen = await visitor.read();
    await visitor.continueToPayment();
    await visitor.pay();

    expect(seen).toContain("Only 1 of Mug can be ordered now.");
    expect(seen).toContain("Kanga is no longer for sale.\n\nYour order continues without it.");
    expect(await visitor.page.getByRole("heading").innerText()).toBe("Order #1001 is paid");
    const order = await shop.get(`/v2/orders/${(await readCart(shop, cart)).string("/order_id")}`);
    expect(order.body).toMatchObject({ total: 12.5, line_items: [{ name: "Mug", quantity: 1 }] });
  });

  test("pays by mobile money with a code, without leaving the page", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const { url } = await abandonedMugs(shop);
    await using visitor = await visit(url);

    await visitor.page.getByLabel("Mobile money").check();
    await visitor.page.getByLabel("Phone number").fill("+233 55 123 4985");
    await visitor.page.getByLabel("Network").selectOption("mtn");
    await visitor.continueToPayment();
    await visitor.page.getByLabel("Code", { exact: true }).fill("123456");
    await visitor.page.getByRole("button", { name: "Send the code" }).click();

    expect(await visitor.page.getByRole("heading").innerText()).toBe("Order #1001 is paid");
    expect(visitor.complaints).toEqual([]);
  });

  test("chooses a bank transfer, reads where to pay, and may choose another way", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const instructions = "GCB Bank, account 1234 5678 9012";
    await shop.put("/v2/store", { payment_methods: { bank_transfer: { instructions } } });
    const { url } = await abandonedMugs(shop);
    await using visitor = await visit(url);

    await visitor.page.getByLabel("Bank transfer").check();
    await visitor.continueToPayment();
    const seen = await visitor.read();
    await visitor.page.getByText("Pay another way").click();
    await visitor.continueToPayment();
    await visitor.pay();

    expect(seen).toContain(instructions);
    expect(seen).toContain("Give the order number #1001 with your payment.");
    expect(await visitor.page.getByRole("heading").innerText()).toBe("Order #1001 is paid");
    expect(visitor.complaints).toEqual([]);
  });

  test("pays nothing once the price is zero", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const { cup, url } = await abandonedMugs(shop);
    await reprice(shop, cup, "0.00");
    await using visitor = await visit(url);

    await visitor.page.getByRole("button", { name: "Place the order" }).click();

    await visitor.page.getByRole("heading", { name: "Order #1001 is paid" }).waitFor();
    expect((await shop.get("/v2/orders")).at("/data/0/payment_status")).toBe("paid");
  });
});

describe("the customer of an unpaid order", () => {
  test("sees the order and pays it", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const { order, url } = await unpaidOrder(shop);
    await using visitor = await visit(url);

    const seen = await visitor.read();
    await visitor.continueToPayment();
    await visitor.pay();

    expect(seen).toContain("Order #1001");
    expect(seen).toContain("USD 12.50");
    expect((await shop.get(`/v2/orders/${order.id}`)).at("/payment_status")).toBe("paid");
    expect(visitor.complaints).toEqual([]);
  });
});

describe("the page", () => {
  test("escapes names and fits the width of a phone", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    await shop.put("/v2/store", { name: "Kanga & <Sons>" });
    const long = await mug(shop, {
      name: `<b>Hand-thrown</b> ${"stoneware".repeat(9)}`,
      price: "1234567.50",
    });
    const cart = await abandonedCart(shop, [of(long, 3), of(await kanga(shop), 2)]);
    await using visitor = await visit(cart.string("/recovery_url"));

    const seen = await visitor.read();
    const button = await visitor.page.getByRole("button").boundingBox();

    expect(seen).toContain("Kanga & <Sons>");
    expect(seen).toContain("<b>Hand-thrown</b>");
    const overflowing = await visitor.page
      .locator("main, main *, header *")
      .evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().right > 390).length);
    expect(overflowing).toBe(0);
    expect(button?.height).toBeGreaterThanOrEqual(44);
  });

  test("sees a gap between paying all and paying the deposit", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    await shop.put("/v2/store", { deposit_percent: 30 });
    const { url } = await abandonedMugs(shop);
    await using visitor = await visit(url);
    const box = (name: RegExp) => visitor.page.getByRole("button", { name }).boundingBox();

    const all = await box(/Continue to payment/);
    const deposit = await box(/Pay only the deposit/);

    const allEndsAt = (all?.y ?? Number.NaN) + (all?.height ?? Number.NaN);
    expect((deposit?.y ?? Number.NaN) - allEndsAt).toBeGreaterThanOrEqual(8);
  });

  test("fits the width of a phone while it asks for a number", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const { url } = await abandonedMugs(shop);
    await using visitor = await visit(url);

    await visitor.page.getByLabel("Mobile money").check();

    const fields = visitor.page.locator("main, main *");
    const overflowing = await fields.evaluateAll(
      (all) => all.filter((one) => one.getBoundingClientRect().right > 390).length,
    );
    expect(overflowing).toBe(0);
    expect(await visitor.page.getByLabel("Phone number").isVisible()).toBe(true);
  });

  test("of a live shop that takes nothing says so, and places no order", async () => {
    await using shop = await openTestShop({ asks: "nothing" });
    const live = await shop.createKey({ mode: "live" });
    await takeNothing(shop, live);
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
    expect(await visitor.read()).toContain("This shop cannot take payments here at the moment.");
    expect(await visitor.page.getByRole("button").count()).toBe(0);
    expect(pressed.status).toBe(503);
    expect((await shop.get(`/v2/carts/${cart.id}`, { key: live })).at("/status")).toBe("abandoned");
  });
});

/** Disables every way to pay that needs no gateway and no instructions. */
function takeNothing(shop: TestShop, key: string) {
  const methods = ["mobile_money", "cash_on_delivery", "bank_transfer"];
  const disabled = methods.map((method) => [method, { enabled: false }]);
  return shop.put("/v2/store", { payment_methods: Object.fromEntries(disabled) }, { key });
}
