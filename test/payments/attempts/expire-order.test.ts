// An unpaid order expires: its gateway is polled once more before its stock is released.

import { expect, test } from "bun:test";

import { mug } from "../../support/cast.ts";
import { ScriptedGateway } from "../../support/scripted-gateway.ts";
import { openTestShop } from "../../support/shop.ts";

const HOUR_SECONDS = 3600;

test("an order whose money arrived without a notice is paid at its last moment, not cancelled", async () => {
  const gateway = new ScriptedGateway();
  await using shop = await openTestShop({ gateways: [gateway] });
  const { variantId } = await mug(shop);
  const order = await shop.post("/v2/orders", {
    line_items: [{ variant_id: variantId, quantity: 1 }],
  });
  await shop.post("/v2/test/clock/advance", { seconds: 60 });
  const payment = await shop.post("/v2/payments/initialize", { order_id: order.id });
  await shop.post("/v2/test/clock/advance", { seconds: 13 * HOUR_SECONDS });
  gateway.pay(payment.id);

  await shop.post("/v2/test/clock/advance", { seconds: 11 * HOUR_SECONDS - 60 });

  const found = await shop.get(`/v2/orders/${order.id}`);
  expect(found.body).toMatchObject({ status: "open", payment_status: "paid" });
  expect((await shop.get(`/v2/payments/${payment.id}`)).at("/status")).toBe("succeeded");
  expect(await shop.announcedNames()).not.toContain("order.cancelled");
});

test("an unpaid order is cancelled after its gateway was polled once more", async () => {
  const gateway = new ScriptedGateway();
  await using shop = await openTestShop({ gateways: [gateway] });
  const { variantId } = await mug(shop);
  const order = await shop.post("/v2/orders", {
    line_items: [{ variant_id: variantId, quantity: 1 }],
  });
  await shop.post("/v2/test/clock/advance", { seconds: 60 });
  await shop.post("/v2/payments/initialize", { order_id: order.id });
  await shop.post("/v2/test/clock/advance", { seconds: 23 * HOUR_SECONDS });
  const polls = gateway.polls;

  await shop.post("/v2/test/clock/advance", { seconds: HOUR_SECONDS - 60 });

  const found = await shop.get(`/v2/orders/${order.id}`);
  expect(gateway.polls).toBe(polls + 1);
  expect(found.body).toMatchObject({ status: "cancelled", cancel_reason: "expired" });
});

// Regression: its new attempts expired at once, because the order itself was past its end.
test("the rest of an order whose deposit is paid can be paid after the order's end", async () => {
  const gateway = new ScriptedGateway();
  await using shop = await openTestShop({ gateways: [gateway] });
  await shop.put("/v2/store", { deposit_percent: 40 });
  const { variantId } = await mug(shop);
  const order = await shop.post("/v2/orders", {
    line_items: [{ variant_id: variantId, quantity: 1 }],
  });
  const part = await shop.post("/v2/payments/initialize", { order_id: order.id, amount: 5 });
  gateway.pay(part.id);
  await shop.post("/v2/test/clock/advance", { seconds: 25 * HOUR_SECONDS });

  const rest = await shop.post("/v2/payments/initialize", { order_id: order.id });
  await shop.post("/v2/test/clock/advance", { seconds: 60 });

  const found = await shop.get(`/v2/orders/${order.id}`);
  expect(found.body).toMatchObject({ payment_status: "partially_paid", expires_at: null });
  expect((await shop.get(`/v2/payments/${rest.id}`)).at("/status")).toBe("requires_action");
});
