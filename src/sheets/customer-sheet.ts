// The customers of a shop as a file that `duka import customers` takes.

import { searchCustomers } from "#customers/lookups.ts";
import type { Reader } from "#platform/database/database.ts";

import { rowsOfCustomer } from "./customer-rows.ts";
import type { SheetPage } from "./sheet.ts";

const PAGE_CUSTOMERS = 100;

/** Reads the customers after this id, newest first. */
export async function readCustomerPage(db: Reader, after: string | null): Promise<SheetPage> {
  const { rows, hasMore } = await searchCustomers(db, {}, { limit: PAGE_CUSTOMERS, after });
  return {
    rows: rows.flatMap(rowsOfCustomer),
    after: hasMore ? (rows.at(-1)?.id ?? null) : null,
  };
}
