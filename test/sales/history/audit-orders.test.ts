// The audit of orders finds every figure that was changed in the database directly, and nothing in
// a shop that was used through its stories.

import { describe, expect, test } from "bun:test";

import type { Difference } from "#kernel/difference.ts";
import { auditOrders } from "#sales/history/audit-orders.ts";

import { tamper } from "../../support/behind-the-shop.ts";
import { ada, kanga, mug } from "../../support/cast.ts";
import { openTestShop, sharedShop, type TestShop } from "../../support/shop.ts";
import { cancel, fulfill, of, place } from "../orders/counter.ts";

const shop = sharedShop();

function audited(shop: TestShop): Promise<Difference[]> {
  return Array.fromAsync(auditOrders(shop.test.database.read));
}

const isNotIn = (known: readonly Difference[]) => (one: Difference) =>
  !known.some((other) => Bun.deepEquals(one, other));

/** The statement with these ids in place of their names. */
function forThese(ids: Readonly<Record<string, string>>, statement: string): string {
  return statement.replaceAll(/\{(\w+)\}/g, (_, name: string) => `'${ids[name]}'`);
}

test("a shop used through its stories has no difference", async () => {
  await using shop = await openTestShop();
  const [cup, cloth] = [await mug(shop, { stock: 50 }), await kanga(shop, { stock: 50 })];
  const gift = await mug(shop, { sku: "GIFT", price: 0 });
  const customer_id = await ada(shop);
  await place(shop, [of(cup, 2), of(cloth, 1), of(cup, 1)]);
  await cancel(shop, await place(shop, [of(cup, 3)], { customer_id }));
  await fulfill(shop, await place(shop, [of(cup, 1)], { shipping: { amount: 3 } }));
  await fulfill(shop, await place(shop, [of(gift, 2)]));
  const part = await place(shop, [of(cup, 4)]);
  await shop.put(`/v2/orders/${part.id}`, { line_items: [of(cup, 2), of(cloth, 2)] });
  await fulfill(shop, part, {
    line_items: [{ line_item_id: part.at("/line_items/0/id"), quantity: 1 }],
  });
  await shop.post(`/v2/customers/${customer_id}/erase`);

  expect(await audited(shop)).toEqual([]);
});

test("every order is read, beyond the first page too", async () => {
  await using shop = await openTestShop();
  const cup = await mug(shop, { stock: 1000 });
  await Promise.all(Array.from({ length: 505 }, () => place(shop, [of(cup)])));
  await tamper(shop.folder.path, "UPDATE orders SET shipping_minor = 1");

  const found = await audited(shop);

  expect(found).toHaveLength(505);
});

describe("the audit finds", () => {
  test.each<[string, string, string, unknown, unknown]>([
    [
      "a subtotal",
      "UPDATE orders SET subtotal_minor = 1 WHERE id = {order}",
      "subtotal_minor",
      2500,
      1,
    ],
    ["a total", "UPDATE orders SET total_minor = 1 WHERE id = {order}", "total_minor", 2500, 1],
    [
      "a tax of no line",
      "UPDATE orders SET tax_minor = 5 WHERE id = {order}",
      "tax_total_minor",
      0,
      5,
    ],
    [
      "a payment status",
      "UPDATE orders SET payment_status = 'paid' WHERE id = {order}",
      "payment_status",
      "unpaid",
      "paid",
    ],
    [
      "a stored amount that is due",
      "UPDATE orders SET due_minor = 1 WHERE id = {order}",
      "due_minor",
      2500,
      1,
    ],
    [
      "a fulfillment status",
      "UPDATE orders SET fulfillment_status = 'fulfilled' WHERE id = {order}",
      "fulfillment_status",
      "unfulfilled",
      "fulfilled",
    ],
    [
      "an order completed too early",
      "UPDATE orders SET status = 'completed' WHERE id = {order}",
      "status",
      "open",
      "completed",
    ],
    [
      "a line's subtotal",
      "UPDATE order_lines SET subtotal_minor = 2501 WHERE order_id = {order}",
      "subtotal_minor",
      2500,
      2501,
    ],
    [
      "a line's total",
      "UPDATE order_lines SET total_minor = 1 WHERE order_id = {order}",
      "total_minor",
      2500,
      1,
    ],
    [
      "units that never shipped",
      "UPDATE order_lines SET fulfilled_quantity = 1 WHERE order_id = {order}",
      "fulfilled_quantity",
      0,
      1,
    ],
    [
      "a lost line",
      "DELETE FROM order_lines WHERE order_id = {order}",
      "line items",
      "one or more",
      "none",
    ],
    [
      "a lost event",
      "DELETE FROM events WHERE name = 'order.placed' AND subject = {order}",
      "order.placed events",
      1,
      0,
    ],
    [
      "a payment without an event",
      "UPDATE orders SET paid_at = 1 WHERE id = {order}",
      "order.paid events",
      1,
      0,
    ],
    [
      "an event twice",
      "INSERT INTO events SELECT 'evt_2', sequence + 100, name, subject, actor, request_id, data, created_at FROM events WHERE name = 'order.placed' AND subject = {order}",
      "order.placed events",
      1,
      2,
    ],
    [
      "one reserved unit too many",
      "UPDATE inventory_levels SET reserved = 3 WHERE variant_id = {variant}",
      "reserved for open orders",
      2,
      3,
    ],
    [
      "a reservation of a cancelled order",
      "UPDATE orders SET status = 'cancelled' WHERE id = {order}",
      "reserved for open orders",
      0,
      2,
    ],
    [
      "a reservation without a level",
      "DELETE FROM inventory_levels WHERE variant_id = {variant}",
      "reserved for open orders",
      2,
      "none",
    ],
    [
      "a miscounted customer",
      "UPDATE customers SET orders_count = 9 WHERE id = {customer}",
      "orders_count",
      1,
      9,
    ],
  ])("%s", async (...row) => {
    const [, statement, what, expected, found] = row;
    const [cup, customer] = [await mug(shop), await ada(shop)];
    const order = await place(shop, [of(cup, 2)], { customer_id: customer });
    const before = await audited(shop);
    const ids = { order: order.id, variant: cup.variantId, customer };
    await tamper(shop.folder.path, forThese(ids, statement));

    const differences = (await audited(shop)).filter(isNotIn(before));

    expect(differences).toContainEqual(expect.objectContaining({ what, expected, found }));
  });

  test("a fulfillment of a line that is not the order's", async () => {
    await using shop = await openTestShop();
    const shipped = await place(shop, [of(await mug(shop), 2)]);
    await fulfill(shop, shipped);
    await tamper(shop.folder.path, "UPDATE order_lines SET id = 'li_other'");

    expect(await audited(shop)).toEqual([
      { subject: "li_other", what: "fulfilled_quantity", expected: 0, found: 2 },
      {
        subject: shipped.id,
        what: "line item of a fulfillment",
        expected: "one of the order",
        found: shipped.string("/line_items/0/id"),
      },
    ]);
  });

  test("the order that differs", async () => {
    await using shop = await openTestShop();
    const cup = await mug(shop);
    await place(shop, [of(cup)]);
    const wrong = await place(shop, [of(cup)]);
    await tamper(shop.folder.path, "UPDATE orders SET payment_status = 'paid' WHERE number = 1002");

    expect(await audited(shop)).toEqual([
      { subject: wrong.id, what: "payment_status", expected: "unpaid", found: "paid" },
    ]);
  });
});
