// Refunds that wait for a person, each with the way to where it is seen to.

import { expect, test } from "bun:test";

import { openDashboard } from "./dashboard-shop.ts";

test("a failed refund leads to its order, and one of a payment link to no page", async () => {
  await using dashboard = await openDashboard();
  const { shop, owner } = dashboard;
  const order = await shop.post("/v2/orders", {
    line_items: [{ name: "Mug", unit_price: "10.00", quantity: 1 }],
    customer: { email: "ada@example.com" },
  });
  const card = { method: "card", card_token: "pm_test_refundFails" };
  for (const sale of [{ order_id: order.id }, { amount: "5.00", currency: "USD" }]) {
    const payment = await shop.post("/v2/payments/initialize", { ...sale, ...card });
    await shop.post(`/v2/payments/${payment.id}/refunds`, { amount: "1.00" });
  }

  const { html, text } = await owner.get("/dashboard/test/refunds");

  expect(html).toContain(`<a class="row" href="/dashboard/test/orders/${order.id}"`);
  expect(text).toContain("Payment link");
  expect(text).toContain(`#${order.number("/number")} ada@example.com`);
  expect(html.match(/<a class="row"/g)).toHaveLength(1);
});

test.each([
  ["close", "closed", 1],
  ["drop", "cancelled", 0],
] as const)("a failed refund that a person sees to by %s is %s", async (act, status, refunded) => {
  await using dashboard = await openDashboard();
  const { shop, owner } = dashboard;
  const order = await shop.post("/v2/orders", {
    line_items: [{ name: "Mug", unit_price: "10.00", quantity: 1 }],
  });
  const payment = await shop.post("/v2/payments/initialize", {
    order_id: order.id,
    method: "card",
    card_token: "pm_test_refundFails",
  });
  const { id } = await shop.post(`/v2/payments/${payment.id}/refunds`, { amount: "1.00" });
  const page = await owner.get(`/dashboard/test/orders/${order.id}`);
  const form = new RegExp(`<form[^>]*/${act}">(?:(?!</form>).)*</form>`, "s").exec(page.html);
  const version = /name="version" value="(\d+)"/.exec(form?.[0] ?? "")?.[1] ?? "";

  const after = await owner.sendAndFollow(`/dashboard/test/orders/${order.id}/${act}`, {
    "@id": id,
    version,
  });

  expect(after.text).toContain("Saved");
  const seen = await shop.get(`/v2/refunds/${id}`);
  expect([
    seen.at("/status"),
    (await shop.get(`/v2/orders/${order.id}`)).at("/refunded_total"),
  ]).toEqual([status, refunded]);
  expect((await owner.get(`/dashboard/test/refunds`)).text).not.toContain("The refund failed.");
});
