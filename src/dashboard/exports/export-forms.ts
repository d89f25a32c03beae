// Buttons that save all products, all customers or the orders of some days as a file for spreadsheets.

import { Faults } from "#kernel/refusal.ts";
import { type Hole, type Html, html } from "#platform/html/html.ts";
import { customerColumns } from "#sheets/customer-rows.ts";
import { readCustomerPage } from "#sheets/customer-sheet.ts";
import { orderColumns } from "#sheets/order-rows.ts";
import { isDay, readOrderPage } from "#sheets/order-sheet.ts";
import { productSheet, readProductPage } from "#sheets/product-sheet.ts";
import { recordExport } from "#sheets/record-export.ts";
import { sheetOf } from "#sheets/sheet.ts";

import type { Download, DownloadForm } from "../forms/form.ts";
import { dateOf } from "../parts/times.ts";
import { periodOf } from "../reports/report-period.ts";
import type { Visit } from "../visit.ts";
import { en } from "../words/en.ts";

export const exportProducts: DownloadForm = {
  download: (visit) => {
    const parts = productSheet((after) =>
      visit.database.readTogether((db) => readProductPage(db, after)),
    );
    return Promise.resolve(fileOf(`products_${today(visit)}`, parts));
  },
};

export const exportCustomers: DownloadForm = {
  download: async (visit) => {
    await record(visit, "customers");
    const parts = sheetOf(customerColumns, (after) =>
      visit.database.readTogether((db) => readCustomerPage(db, after)),
    );
    return fileOf(`customers_${today(visit)}`, parts);
  },
};

/** Of the days in the page's address. */
export const exportOrders: DownloadForm = {
  download: async (visit) => {
    const period = periodOf(visit);
    const faults = new Faults();
    for (const name of ["from", "to"] as const) {
      if (!isDay(period[name])) faults.add(`/${name}`, "invalid_format", en.exports.noDay);
    }
    faults.refuseIfAny();
    await record(visit, "orders");
    const parts = sheetOf(orderColumns, (after) =>
      visit.database.readTogether((db) => readOrderPage(db, period, after)),
    );
    return fileOf(`orders_${period.from}_${period.to}`, parts);
  },
};

/** A button below a list, with the way to what stands beside it. */
export function exportButton(visit: Visit, word: string, beside: Hole = null): Html {
  return html`<form method="post" action="${visit.page}/export" data-file>
    <p class="acts"><button>${word}</button>${beside}</p>
  </form>`;
}

function fileOf(name: string, text: AsyncIterable<string>): Download {
  return { name: `${name}.csv`, type: "text/csv; charset=utf-8", text };
}

function today({ when }: Visit): string {
  return dateOf(when.now, when.zone);
}

function record(visit: Visit, what: "customers" | "orders"): Promise<void> {
  const { actor, name } = visit.caller;
  return visit.database.write((tx) => recordExport(tx, what, name), { actor });
}
