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

test("an export has the customer's payments", async () => {
  const sale = await paidByAda();
  await using shop = sale.shop;

  const shown = await shop.get(`/v2/customers/${sale.customer}/export`);

  expect(shown.at("/payments/0/id")).toBe(sale.payment.id);
  expect(shown.at("/payments/0/phone")).toBe("+233201234567");
});
