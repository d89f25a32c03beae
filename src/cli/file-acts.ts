// The commands of the administrative socket about files: they give the shop's records as rows of one, a page at a time,
// and take products and customers from one.

import { readMode } from "#cli/operator/gateways/gateway-acts.ts";
import type { Databases } from "#cli/operator/key-commands.ts";
import { listMember, member, textOrNull } from "#cli/operator/members.ts";
import { policies, type TakeTerms } from "#imports/taking/import-draft.ts";
import { takeCustomers } from "#imports/taking/take-customers.ts";
import { takeProducts } from "#imports/taking/take-products.ts";
import { type Database, operator } from "#platform/database/database.ts";
import type { Mode } from "#platform/database/shop.ts";
import type { Commands } from "#platform/operator/serve-administration.ts";
import { readCustomerPage } from "#sheets/customer-rows.ts";
import { readOrderLinePage } from "#sheets/order-line-sheet.ts";
import { type OrderDays, readOrderPage } from "#sheets/order-sheet.ts";
import { readProductPage } from "#sheets/product-sheet.ts";
import { recordExport, type TakenFile } from "#sheets/record-export.ts";
import { getStore } from "#shop/store/lookups.ts";

/** The input of each: the page after the last row that is known. Orders are those of the days. */
export interface ExportInput extends Partial<OrderDays> {
  readonly mode: Mode;
  readonly after: string | null;
}

/** Those of sheets answer with rows of cells by their columns. Files with personal data are in the audit log once. */
export function exportCommands(databases: Databases): Commands {
  const ofDays =
    (what: "orders" | "order-lines", read: typeof readOrderPage): Commands[string] =>
    async (input, by = null) => {
      const database = databases[readMode(input)];
      const days = { from: textOrNull(input, "from"), to: textOrNull(input, "to") };
      const after = textOrNull(input, "after");
      if (after === null) await note(database, { what, days, actorName: by });
      return database.readTogether((db) => read(db, days, after));
    };
  return {
    "products.export": (input) =>
      databases[readMode(input)].readTogether((db) =>
        readProductPage(db, textOrNull(input, "after")),
      ),
    "customers.export": async (input, by = null) => {
      const database = databases[readMode(input)];
      const after = textOrNull(input, "after");
      if (after === null) await note(database, { what: "customers", actorName: by });
      return database.readTogether((db) => readCustomerPage(db, after));
    },
    "orders.export": ofDays("orders", readOrderPage),
    "order-lines.export": ofDays("order-lines", readOrderLinePage),
    // An archive is read beside the server, from a snapshot of its own.
    "archive.export": (input, by = null) =>
      note(databases[readMode(input)], {
        what: member(input, "masked") === true ? "archive --mask" : "archive",
        actorName: by,
      }),
  };
}

function note(database: Database, taken: TakenFile): Promise<void> {
  return database.write((tx) => recordExport(tx, taken), { actor: operator });
}

/** `….import` answers in the order of what is given, `….terms` with what prices or phones of a file are read by. */
export function importCommands(databases: Databases): Commands {
  const termsOf = (input: unknown, by: string | null): TakeTerms => ({
    database: databases[readMode(input)],
    existing: policies.find((one) => one === member(input, "existing")) ?? "refuse",
    applies: member(input, "apply") === true,
    actor: operator,
    recorded: { by },
  });
  return {
    "products.import": async (input, by = null) => ({
      answers: await takeProducts(listMember(input, "given"), termsOf(input, by)),
    }),
    "products.terms": async (input) => {
      const { currency } = await getStore(databases[readMode(input)].read);
      return { currency };
    },
    "customers.terms": async (input) => {
      const { country } = await getStore(databases[readMode(input)].read);
      return { country };
    },
    "customers.import": async (input, by = null) => ({
      answers: await takeCustomers(listMember(input, "given"), termsOf(input, by)),
    }),
  };
}
