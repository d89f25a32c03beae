// Story: note that someone takes a file of personal data out of the shop.

import type { Tx } from "#platform/database/database.ts";
import { recordAct } from "#shop/audit/record-act.ts";

/** Afterwards the audit log has an entry of the export by the transaction's actor. */
export async function recordExport(
  tx: Tx,
  what: "customers" | "orders" | "archive" | "archive --mask",
  actorName: string | null,
): Promise<void> {
  await recordAct(tx, { actorName, action: `export ${what}`, subject: null });
}
