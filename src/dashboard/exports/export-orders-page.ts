// Where the days are chosen whose orders are saved as a file for the accounts.

import { html } from "#platform/html/html.ts";

import type { Page } from "../page.ts";
import { heading } from "../parts/heading.ts";
import { refusedNote } from "../parts/note.ts";
import { addressOf, periodChoice, periodOf } from "../reports/report-period.ts";
import { en } from "../words/en.ts";
import { exportOrders } from "./export-forms.ts";

const words = en.exports;

export const EXPORT_ORDERS = "/orders/export";

export const exportOrdersPage: Page = {
  path: EXPORT_ORDERS,
  scopes: ["orders:read"],
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
