// Story: note that someone takes a file of personal data out of the shop.

import { countCustomers } from "#customers/lookups.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { countOrders } from "#sales/history/list-orders.ts";
import { recordAct } from "#shop/audit/record-act.ts";
import { getStore } from "#shop/store/lookups.ts";

import { type OrderDays, spanOf } from "./order-sheet.ts";

/** A file that is taken out. */
export interface TakenFile {
  readonly what: "customers" | "orders" | "order-lines" | "archive" | "archive --mask";
  /** The days of the orders. */
  readonly days?: OrderDays;
  readonly actorName: string | null;
}

/**
 * Afterwards the audit log has an entry of the export by the transaction's actor, with the number of customers or orders
 * that the file has when it is begun.
 */
export async function recordExport(
  tx: Tx,
  { what, days = { from: null, to: null }, actorName }: TakenFile,
): Promise<void> {
  const rows = await countRows(tx, what, days);
  const difference = rows === null ? null : { fields: [], before: null, after: { rows } };
  await recordAct(tx, { actorName, action: `export ${what}`, subject: null, difference });
}

/** Null of an archive, which has all that there is. */
async function countRows(
  db: Reader,
  what: TakenFile["what"],
  days: OrderDays,
): Promise<number | null> {
  if (what === "customers") return countCustomers(db);
  if (what !== "orders" && what !== "order-lines") return null;
  return countOrders(db, spanOf(days, (await getStore(db)).timezone));
}
