// The file of orders for the accounts, read as a spreadsheet reads it.

import { parse } from "csv-parse/sync";

import { exportSheet } from "#cli/exports/export-sheet.ts";

import type { TestShop } from "../../support/shop.ts";
import { wayTo } from "../way-to-shop.ts";

type Row = Readonly<Record<string, string>>;

/** The rows of these days: the orders, or their lines. */
export async function exportedOrders(
  shop: TestShop,
  days: Parameters<typeof exportSheet>[2],
  what: "orders" | "order-lines" = "orders",
): Promise<Row[]> {
  const parts = await Array.fromAsync(exportSheet(wayTo(shop), what, days));
  return parse(parts.join(""), { bom: true, columns: true });
}

/** The sum of a column of a currency with two decimals, minor units. */
export function sumOf(rows: readonly Row[], column: string): number {
  return rows.reduce((sum, row) => sum + Math.round(Number(row[column]) * 100), 0);
}
