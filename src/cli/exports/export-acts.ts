// The commands of the administrative socket that give the shop's records as rows of a file, a page at a time.

import { readMode } from "#cli/operator/gateways/gateway-acts.ts";
import type { Databases } from "#cli/operator/key-commands.ts";
import { member, textOrNull } from "#cli/operator/members.ts";
import { type Database, operator } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";
import type { Commands } from "#platform/operator/serve-administration.ts";
import { readCustomerPage } from "#sheets/customer-rows.ts";
import { type OrderDays, readOrderPage } from "#sheets/order-sheet.ts";
import { readProductPage } from "#sheets/product-sheet.ts";
import { recordExport } from "#sheets/record-export.ts";

/** The input of each: the page after the last row that is known. Orders are those of the days. */
export interface ExportInput extends Partial<OrderDays> {
  readonly mode: Mode;
  readonly after: string | null;
}

/** Those of sheets answer with rows of cells by their columns. Files with personal data are in the audit log once. */
export function exportCommands(databases: Databases): Commands {
  return {
    "products.export": (input) =>
      databases[readMode(input)].readTogether((db) =>
        readProductPage(db, textOrNull(input, "after")),
      ),
    "customers.export": async (input, by = null) => {
      const database = databases[readMode(input)];
      const after = textOrNull(input, "after");
      if (after === null) await note(database, "customers", by);
      return database.readTogether((db) => readCustomerPage(db, after));
    },
    "orders.export": async (input, by = null) => {
      const database = databases[readMode(input)];
      const days = { from: textOrNull(input, "from"), to: textOrNull(input, "to") };
      const after = textOrNull(input, "after");
      if (after === null) await note(database, "orders", by);
      return database.readTogether((db) => readOrderPage(db, days, after));
    },
    // An archive is read beside the server, from a snapshot of its own.
    "archive.export": (input, by = null) =>
      note(
        databases[readMode(input)],
        member(input, "masked") === true ? "archive --mask" : "archive",
        by,
      ),
  };
}

function note(
  database: Database,
  what: Parameters<typeof recordExport>[1],
  by: string | null,
): Promise<void> {
  return database.write((tx) => recordExport(tx, what, by), { actor: operator });
}
