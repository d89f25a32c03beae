// The days of the file of orders, and what its cells have; what it adds up to stands with the seeded shop.

import { expect, test } from "bun:test";

import { HOUR_MS } from "#kernel/time.ts";

import { of, place } from "../../sales/orders/counter.ts";
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

test("the lines are a file of their own, a row for each with its metadata", async () => {
  await using shop = await openTestShop();
  const cup = await mug(shop);
  const metadata = { public_engraving: "Ada, 1815", bin: "A4" };
  const order = await place(shop, [
    { ...of(cup, 2), metadata },
    { name: "=cmd()", unit_price: "3.00", quantity: 1 },
  ]);
  const [first] = order.list("/line_items").map(Object);
  await shop.put(`/v2/orders/${order.id}/fulfill`, {
    line_items: [{ line_item_id: first.id, quantity: 1 }],
  });

  const days = { mode: "test", from: "2026-01-05", to: "2026-01-05" } as const;
  const rows = await exportedOrders(shop, days, "order-lines");

  expect(rows).toMatchObject([
    {
      order_number: "1001",
      id: first.id,
      sku: cup.sku,
      product_slug: first.product_slug,
      quantity: "2",
      fulfilled: "1",
      unit_price: "12.50",
      total: "25.00",
      metadata: JSON.stringify(metadata),
    },
    { order_number: "1001", name: "'=cmd()", sku: "", variant_id: "", total: "3.00", metadata: "" },
  ]);
  const log = await shop.get("/v2/audit?action=export order-lines");
  expect(log.list("/data")).toMatchObject([{ after: { rows: 1 } }]);
});
