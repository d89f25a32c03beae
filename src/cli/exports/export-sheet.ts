// The file of an export from the commands of the administrative socket.

import type { ExportInput } from "#cli/file-acts.ts";
import type { Administration } from "#cli/operator/administer.ts";
import { listMember, textMember, textOrNull } from "#cli/operator/members.ts";
import { isObject } from "#kernel/assume.ts";
import { customerColumns } from "#sheets/customer-rows.ts";
import { orderLineColumns } from "#sheets/order-line-sheet.ts";
import { orderColumns } from "#sheets/order-sheet.ts";
import { productSheet } from "#sheets/product-sheet.ts";
import { type CellsByColumn, type ReadPage, sheetOf } from "#sheets/sheet.ts";

type Way = Pick<Administration, "run">;

/** The sheets that can be taken out of a shop. */
export type Exported = "products" | "customers" | "orders" | "order-lines";

/** The text of the file in parts of whole rows. */
export function exportSheet(
  shop: Way,
  what: Exported,
  input: Omit<ExportInput, "after">,
): AsyncGenerator<string> {
  const pageAfter = (after: string | null) => shop.run(`${what}.export`, { ...input, after });
  const read: ReadPage = async (after) => pageOf(await pageAfter(after));
  if (what === "customers") return sheetOf(customerColumns, read);
  if (what === "orders") return sheetOf(orderColumns, read);
  if (what === "order-lines") return sheetOf(orderLineColumns, read);
  return productSheet(async (after) => {
    const page = await pageAfter(after);
    return { ...pageOf(page), currency: textMember(page, "currency") };
  });
}

function pageOf(page: unknown) {
  return { rows: listMember(page, "rows").map(cellsOf), after: textOrNull(page, "after") };
}

function cellsOf(row: unknown): CellsByColumn {
  const cells = isObject(row) ? Object.entries(row) : [];
  return Object.fromEntries(cells.map(([column, cell]) => [column, String(cell)]));
}
