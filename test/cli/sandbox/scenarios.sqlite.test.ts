// The scenarios of a sandbox, as a storefront or an integration meets them.

import { expect, setDefaultTimeout, test } from "bun:test";

import { openSandboxShop, type SandboxShop } from "./sandbox-shop.ts";

setDefaultTimeout(60_000);

async function orderOf(shop: SandboxShop, quantity: number) {
  const products = await shop.get("/v2/products");
  const variant_id = products.string("/data/0/variants/0/id");
  return shop.post("/v2/orders", {
    line_items: [{ variant_id, quantity }],
    payment_method: "card",
    customer: { email: "ada@example.com" },
  });
}

test("a slow gateway decides half a minute later, and says so by a notice", async () => {
  await using shop = await openSandboxShop({ scenario: "slow-gateway" });
  const { id } = await orderOf(shop, 1);

  const asked = await shop.post("/v2/payments/initialize", {
    order_id: id,
    method: "card",
    card_token: "pm_card_visa",
  });
  await shop.post("/v2/test/clock/advance", { seconds: 29 });
  const before = await shop.get(`/v2/orders/${id}`);
  const advanced = await shop.post("/v2/test/clock/advance", { seconds: 1 });
  const after = await shop.get(`/v2/orders/${id}`);

  expect(asked.string("/status")).toBe("processing");
  expect(before.string("/payment_status")).not.toBe("paid");
  expect(advanced.text).toContain("simulated_push");
  expect(after.string("/payment_status")).toBe("paid");
});

test("where stock is low, one variant is sold out and the others are low", async () => {
  await using shop = await openSandboxShop({ scenario: "low-stock" });

  const levels = await shop.get("/v2/inventory?limit=100");
  const onHand = levels.list("/data").map((_, index) => levels.number(`/data/${index}/on_hand`));

  expect(onHand.filter((units) => units === 0)).toHaveLength(1);
  expect(new Set(onHand)).toEqual(new Set([0, 2]));
});

test("in a flash sale everything costs half, for an hour", async () => {
  await using shop = await openSandboxShop({ scenario: "flash-sale" });

  const during = await orderOf(shop, 2);
  await shop.post("/v2/test/clock/advance", { seconds: 3600 });
  const after = await orderOf(shop, 2);

  expect(during.number("/total") * 2).toBe(after.number("/total"));
});

test("a webhook that is down gets a 503 for each event", async () => {
  await using shop = await openSandboxShop({ scenario: "webhook-down" });

  await shop.post("/v2/products", { name: "Mug", price: 8 });
  await shop.post("/v2/test/clock/advance", { seconds: 1 });
  const webhooks = await shop.get("/v2/webhooks");
  const deliveries = await shop.get(`/v2/webhooks/${webhooks.string("/data/0/id")}/deliveries`);

  expect(deliveries.string("/data/0/event")).toBe("product.created");
  expect(deliveries.text).toContain("503");
});
