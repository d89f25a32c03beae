// An order's time is over: its gateway is asked once more before its stock goes to somebody else.

import { expect, test } from "bun:test";

import { mug } from "../support/cast.ts";
import { ScriptedGateway } from "../support/scripted-gateway.ts";
import { openTestShop } from "../support/shop.ts";

const HOUR_SECONDS = 3600;

test("an order whose money came unseen is paid at its last moment, not given up", async () => {
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

test("an order that nobody paid is given up after its gateway was asked once more", async () => {
  const gateway = new ScriptedGateway();
  await using shop = await openTestShop({ gateways: [gateway] });
  const { variantId } = await mug(shop);
  const order = await shop.post("/v2/orders", {
    line_items: [{ variant_id: variantId, quantity: 1 }],
  });
  await shop.post("/v2/test/clock/advance", { seconds: 60 });
  await shop.post("/v2/payments/initialize", { order_id: order.id });
  await shop.post("/v2/test/clock/advance", { seconds: 23 * HOUR_SECONDS });
  const looks = gateway.looks;

  await shop.post("/v2/test/clock/advance", { seconds: HOUR_SECONDS - 60 });

  const found = await shop.get(`/v2/orders/${order.id}`);
  expect(gateway.looks).toBe(looks + 1);
  expect(found.body).toMatchObject({ status: "cancelled", cancel_reason: "expired" });
});

// Its attempts ended at once, because its own time was over: nobody could ever pay the rest.
test("the rest of an order that was paid in part can be paid after its time", async () => {
  const gateway = new ScriptedGateway();
  await using shop = await openTestShop({ gateways: [gateway] });
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
