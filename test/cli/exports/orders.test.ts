// The days of the file of orders, and what its cells have; what it adds up to stands with the seeded shop.

import { expect, test } from "bun:test";

import { HOUR_MS } from "#kernel/time.ts";

import { mug } from "../../support/cast.ts";
import { openTestShop } from "../../support/shop.ts";
import { exportedOrders } from "./exported-orders.ts";

test("the days are those of the shop's time zone, and no name is a formula", async () => {
  await using shop = await openTestShop();
  await shop.put("/v2/store", { timezone: "Africa/Nairobi" });
  const { variantId } = await mug(shop);
  const order = {
    payment_method: "cash",
    customer: { email: "ada@example.com", name: "=cmd()" },
    line_items: [{ variant_id: variantId, quantity: 1 }],
  };
  await shop.post("/v2/orders", order);
  shop.clock.advance(14 * HOUR_MS);
  await shop.post("/v2/orders", order);

  const first = await exportedOrders(shop, { mode: "test", from: "2026-01-05", to: "2026-01-05" });
  const second = await exportedOrders(shop, { mode: "test", from: "2026-01-06", to: null });

  expect(first).toMatchObject([{ date: "2026-01-05", customer: "'=cmd()", total: "12.50" }]);
  expect(second).toMatchObject([{ date: "2026-01-06", order_number: "1002", tax: "" }]);
});
