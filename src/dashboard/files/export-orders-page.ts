// The page on which the days are chosen whose orders are saved as a file for the accounts.

import type { Download, DownloadForm } from "#dashboard/kit/forms/form.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { refusedNote } from "#dashboard/kit/parts/note.ts";
import { addressOf, periodChoice, periodOf } from "#dashboard/kit/parts/report-period.ts";
import { dateOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { Faults } from "#kernel/refusal.ts";
import { type Hole, type Html, html } from "#platform/html/html.ts";
import { customerColumns, readCustomerPage } from "#sheets/customer-rows.ts";
import { isDay, orderColumns, readOrderPage } from "#sheets/order-sheet.ts";
import { productSheet, readProductPage } from "#sheets/product-sheet.ts";
import { recordExport, type TakenFile } from "#sheets/record-export.ts";
import { sheetOf } from "#sheets/sheet.ts";
import { EXPORT_CUSTOMERS } from "#shop/people/roles.ts";

// Buttons that save all products, all customers or the orders of some days as a file for spreadsheets.

export const exportProducts: DownloadForm = {
  download: (visit) => {
    const parts = productSheet((after) =>
      visit.database.readTogether((db) => readProductPage(db, after)),
    );
    return Promise.resolve(fileOf(`products_${today(visit)}`, parts));
  },
};

/** Personal data leaves the shop: not for viewers, and with the password again. */
const personal = { scope: EXPORT_CUSTOMERS, needsConfirmation: true } as const;

export const exportCustomers: DownloadForm = {
  ...personal,
  download: async (visit) => {
    await record(visit, { what: "customers" });
    const parts = sheetOf(customerColumns, (after) =>
      visit.database.readTogether((db) => readCustomerPage(db, after)),
    );
    return fileOf(`customers_${today(visit)}`, parts);
  },
};

/** The form for the days in the page's address. */
const exportOrders: DownloadForm = {
  ...personal,
  download: async (visit) => {
    const period = periodOf(visit);
    const faults = new Faults();
    for (const name of ["from", "to"] as const) {
      if (!isDay(period[name])) faults.add(`/${name}`, "invalid_format", en.exports.noDay);
    }
    faults.refuseIfAny();
    await record(visit, { what: "orders", days: period });
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

function record(visit: Visit, taken: Omit<TakenFile, "actorName">): Promise<void> {
  const { actor, name: actorName } = visit.caller;
  return visit.database.write((tx) => recordExport(tx, { ...taken, actorName }), { actor });
}

const words = en.exports;

export const EXPORT_ORDERS = "/orders/export";

export const exportOrdersPage: Page = {
  path: EXPORT_ORDERS,
  scopes: [EXPORT_CUSTOMERS],
  show: (visit) => {
    const period = periodOf(visit);
    return Promise.resolve({
      title: words.orders,
      body: html`${heading({ title: words.orders, back: [visit.href("/orders"), en.orders.title] })}
        ${refusedNote(visit.submitted)}
        <p class="soft">${words.ordersWhat}</p>
        <div class="stack">
          ${periodChoice(visit, period)}
          <form
            class="stack"
            method="post"
            action="${visit.page}/file${addressOf(period)}"
            data-file
          >
            <p>${words.days(period.from, period.to)}</p>
            <p class="acts"><button class="go">${words.save}</button></p>
          </form>
        </div>`,
    });
  },
  forms: { file: exportOrders },
};
