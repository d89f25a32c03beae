// Erasing and exporting a customer with payments.

import { expect, test } from "bun:test";

import { initialize, openScriptedShop, orderCounter, pass } from "../payments/scripted-shop.ts";

const traces = /ada@|233201234567|my-shop|sister/;

async function paidByAda() {
  const scripted = await openScriptedShop();
  const placed = await (await orderCounter(scripted.shop))();
  const body = {
    order_id: placed.id,
    method: "mobile_money",
    phone: "+233201234567",
    return_url: "https://my-shop.example/ada",
    metadata: { paid_by: "her sister" },
  };
  const payment = await initialize(scripted.shop, body, "basket-1");
  scripted.gateway.pay(payment.id);
  await pass(scripted.shop, 15);
  await scripted.shop.put(`/v2/orders/${placed.id}/fulfill`);
  return { ...scripted, body, payment, customer: placed.string("/customer_id") };
}

test("an erased customer is redacted in payments, their events and stored answers", async () => {
  const sale = await paidByAda();
  await using shop = sale.shop;

  await shop.post(`/v2/customers/${sale.customer}/erase`);

  const payment = await shop.get(`/v2/payments/${sale.payment.id}`);
  expect([payment.at("/phone"), payment.at("/metadata"), payment.at("/captured_total")]).toEqual([
    null,
    {},
    12.5,
  ]);
  const events = (await shop.events()).filter((event) => event.name.startsWith("payment."));
  expect(events.map((event) => event.data).filter((data) => traces.test(data))).toEqual([]);
  const again = await initialize(shop, sale.body, "basket-1");
  expect(again.id).toBe(sale.payment.id);
  expect(again.text).not.toMatch(traces);
});

test("an erased customer is redacted in what a gateway told the payer", async () => {
  const { shop: open, gateway } = await openScriptedShop();
  await using shop = open;
  const placed = await (await orderCounter(shop))();
  gateway.nextAnswer = async () => ({
    kind: "otp",
    displayText: "A code was sent to +233201234567.",
    names: [],
  });
  const body = { order_id: placed.id, method: "mobile_money", phone: "+233201234567" };
  const asked = await initialize(shop, body, "basket-1");
  await shop.put(`/v2/orders/${placed.id}/cancel`);

  await shop.post(`/v2/customers/${placed.string("/customer_id")}/erase`);

  const again = await initialize(shop, body, "basket-1");
  expect(asked.at("/next_action/display_text")).toMatch(traces);
  expect([again.id, again.at("/next_action")]).toEqual([asked.id, null]);
  expect(JSON.stringify(await shop.events())).not.toMatch(traces);
});

test("an export has the customer's payments", async () => {
  const sale = await paidByAda();
  await using shop = sale.shop;

  const shown = await shop.get(`/v2/customers/${sale.customer}/export`);

  expect(shown.at("/payments/0/id")).toBe(sale.payment.id);
  expect(shown.at("/payments/0/phone")).toBe("+233201234567");
});
