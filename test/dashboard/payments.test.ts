// The list of payments at the dashboard: what came in, what waits, and the one that a bank asks about.

import { afterAll, beforeAll, expect, test } from "bun:test";

import { type DashboardShop, openDashboard } from "./dashboard-shop.ts";

const PATH = "/dashboard/test/payments";

let dashboard: DashboardShop;
let order = "";
let reference = "";

beforeAll(async () => {
  dashboard = await openDashboard();
  const { shop } = dashboard;
  const product = await shop.post("/v2/products", { name: "Mug", price: "12.50", stock: 9 });
  const placed = await shop.post("/v2/orders", {
    line_items: [{ variant_id: product.string("/variants/0/id"), quantity: 1 }],
    customer: { name: "Esi Owusu", phone: "+233551234987" },
  });
  order = placed.id;
  const pay = (card_token: string) =>
    shop.post("/v2/payments/initialize", { order_id: order, method: "card", card_token });
  await pay("pm_card_visa_chargeDeclinedInsufficientFunds");
  reference = (await pay("pm_card_visa")).string("/reference");
  await shop.post("/v2/payments/initialize", {
    amount: "3.00",
    currency: "GHS",
    method: "card",
    card_token: "pm_card_threeDSecure2Required",
    return_url: "https://shop.example/paid",
  });
});
afterAll(() => dashboard[Symbol.asyncDispose]());

async function textOf(query = ""): Promise<string> {
  return (await dashboard.owner.get(`${PATH}${query}`)).text;
}

test("what was received is listed with its order and customer, and leads there", async () => {
  const { text, html } = await dashboard.owner.get(PATH);

  expect(text).toContain(`#1001 Esi Owusu Card · ${reference} Received`);
  expect(html).toContain(`href="/dashboard/test/orders/${order}"`);
  expect(text).not.toContain("Payment link");
});

test("a payment link that waits for its customer leads nowhere", async () => {
  const text = await textOf("?show=waiting");

  expect(text).toContain("Payment link Card");
  expect(text).toContain("Waiting for the customer");
  expect(text).toContain("GHS 3.00");
});

test("money that a customer sends by hand is among the transfers until it is confirmed", async () => {
  const { shop, owner } = dashboard;
  const product = await shop.post("/v2/products", { name: "Shawl", price: "30.00", stock: 9 });
  const placed = await shop.post("/v2/orders", {
    line_items: [{ variant_id: product.string("/variants/0/id"), quantity: 1 }],
    payment_method: "bank_transfer",
    customer: { name: "Kofi Annan", phone: "+233551234988" },
  });
  const payment = await shop.post("/v2/payments/initialize", { order_id: placed.id });
  const before = await textOf("?show=transfers");
  const orders = (await owner.get("/dashboard/test/orders?show=unpaid")).text;
  const page = (await owner.get(`/dashboard/test/orders/${placed.id}`)).text;

  await shop.post(`/v2/payments/${payment.id}/confirm`, { amount: 30 });

  expect(before).toContain(`Kofi Annan Bank transfer · ${payment.string("/reference")}`);
  expect(before).not.toContain("Payment link");
  expect(orders).toContain("Shawl");
  expect(orders).toContain("Waiting for a transfer");
  expect(page).toContain("Waiting for a transfer");
  expect(await textOf("?show=transfers")).toContain("No transfer is awaited");
});

test("a declined attempt is among the failed", async () => {
  const text = await textOf("?show=failed");

  expect(text).toContain("#1001 Esi Owusu");
  expect(text).not.toContain(reference);
});

test("a payment is found by its reference, whatever became of it", async () => {
  expect(await textOf(`?q=${reference}&show=failed`)).toContain(`Card · ${reference} Received`);
});

test("a transfer is found by the name that the bank gave to it, in any spelling", async () => {
  const money = { method: "bank_transfer", amount: 1, transaction_reference: "FT-08 15" };
  await dashboard.shop.post(`/v2/orders/${order}/payments`, money);

  expect(await textOf("?q=ft0815")).toContain("Bank transfer · FT-08 15");
});

test("a reference that no payment has finds nothing", async () => {
  expect(await textOf("?q=pay_unknown")).toContain("No payment has the reference “pay_unknown”.");
});

test("a list without payments says what will be in it", async () => {
  expect(await textOf("?show=review")).toContain("No payment to review");
});
