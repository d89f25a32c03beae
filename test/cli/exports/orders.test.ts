// The file of orders for the accounts: every amount of the orders, each once.

import { expect, test } from "bun:test";

import { parse } from "csv-parse/sync";

import { exportSheet } from "#cli/exports/export-sheet.ts";
import { HOUR_MS } from "#kernel/time.ts";

import { mug } from "../../support/cast.ts";
import { openTestShop, type TestShop } from "../../support/shop.ts";
import { wayTo } from "../way-to-shop.ts";

type Row = Readonly<Record<string, string>>;

async function exported(shop: TestShop, days: Parameters<typeof exportSheet>[2]): Promise<Row[]> {
  const parts = await Array.fromAsync(exportSheet(wayTo(shop), "orders", days));
  return parse(parts.join(""), { bom: true, columns: true });
}

async function allOrders(shop: TestShop): Promise<Readonly<Record<string, number>>[]> {
  const found = await shop.get("/v2/orders?limit=100");
  expect(found.at("/has_more")).toBe(false);
  return found.list("/data").map(Object);
}

/** The sum of a column, minor units. */
function sumOf(rows: readonly Row[], column: string): number {
  return rows.reduce((sum, row) => sum + Math.round(Number(row[column]) * 100), 0);
}

test("each column adds up to that of the orders, and refunds to what went back", async () => {
  await using shop = await openTestShop();
  await shop.post("/v2/test/seed");

  const rows = await exported(shop, { mode: "test" });

  const orders = await allOrders(shop);
  const total = (member: string) => orders.reduce((sum, order) => sum + (order[member] ?? 0), 0);
  const sales = rows.filter(({ row }) => row === "sale");
  const refunds = rows.filter(({ row }) => row === "refund");
  const taxMinor = total("tax_total_minor") + total("included_tax_total_minor");
  expect(new Set(sales.map((row) => row["order_number"])).size).toBe(orders.length);
  expect(taxMinor).toBeGreaterThan(0);
  expect({
    goods: sumOf(sales, "goods"),
    discount: sumOf(sales, "discount"),
    shipping: sumOf(sales, "shipping"),
    total: sumOf(sales, "total"),
    tax_total: sumOf(sales, "tax_total"),
    tax_amount: sumOf(sales, "tax_amount"),
    net: sumOf(sales, "net"),
    credited: sumOf(sales, "credited"),
    paid: sumOf(sales, "paid"),
    refunded: sumOf(sales, "refunded"),
    refunds: -sumOf(refunds, "total"),
  }).toEqual({
    goods: total("subtotal_minor"),
    discount: total("discount_total_minor"),
    shipping: total("shipping_total_minor"),
    total: total("total_minor"),
    tax_total: taxMinor,
    tax_amount: taxMinor,
    net: total("total_minor") - taxMinor,
    credited: total("credited_total_minor"),
    paid: total("paid_total_minor"),
    refunded: total("refunded_total_minor"),
    refunds: total("refunded_total_minor"),
  });
  expect(sumOf(refunds, "net") + sumOf(refunds, "tax_amount")).toBe(sumOf(refunds, "total"));
});

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

  const first = await exported(shop, { mode: "test", from: "2026-01-05", to: "2026-01-05" });
  const second = await exported(shop, { mode: "test", from: "2026-01-06", to: null });

  expect(first).toMatchObject([{ date: "2026-01-05", customer: "'=cmd()", total: "12.50" }]);
  expect(second).toMatchObject([{ date: "2026-01-06", order_number: "1002", tax: "" }]);
});
