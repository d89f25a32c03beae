// The day of money in the books: the day on which it came, where that is told; its correction is of its own day.

import { expect, test } from "bun:test";

import { rebuildBooks } from "#books/project-bookings.ts";
import { DAY_MS } from "#kernel/time.ts";

import { order } from "../analytics/counter.ts";
import { rowsBehind } from "../support/behind-the-shop.ts";
import { mug } from "../support/cast.ts";
import { openTestShop } from "../support/shop.ts";

test("money that is recorded later is booked on the day on which it came, and corrected on the day of the correction", async () => {
  await using shop = await openTestShop();
  const { variantId } = await mug(shop);
  const placed = await order(shop, variantId);
  const today = Math.floor(shop.clock.now() / DAY_MS) + 2;
  shop.clock.advance(2 * DAY_MS);
  const yesterday = new Date((today - 1) * DAY_MS).toISOString().slice(0, 10);

  const paid = await shop.post(`/v2/orders/${placed.id}/payments`, {
    method: "bank_transfer",
    amount: 12.5,
    received_on: yesterday,
  });
  await shop.post(`/v2/payments/${paid.id}/correct`, { amount: 10 });

  expect(paid.status).toBe(201);
  await rebuildBooks(shop.test.database);
  const money = await rowsBehind(
    shop.folder.path,
    "SELECT booked_on, amount_minor FROM bookings WHERE account = 'money' ORDER BY entry",
  );
  expect(money).toEqual([
    { booked_on: today - 1, amount_minor: 1_250 },
    { booked_on: today, amount_minor: -250 },
  ]);
});
