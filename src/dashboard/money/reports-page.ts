// The sales of a period: what was taken, what was sold most, the taxes to report, and files for a spreadsheet.

import { EXPORT_ORDERS } from "#dashboard/files/export-orders-page.ts";
import { digitsOf } from "#dashboard/kit/amounts.ts";
import { catchRefusal } from "#dashboard/kit/forms/submitted-form.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { barChart } from "#dashboard/kit/parts/bar-chart.ts";
import { heading } from "#dashboard/kit/parts/heading.ts";
import { emptyList, tabs } from "#dashboard/kit/parts/list.ts";
import { largeSum, textOfMoney } from "#dashboard/kit/parts/money.ts";
import { refusedNote } from "#dashboard/kit/parts/note.ts";
import {
  addressOf,
  periodChoice,
  periodOf,
  type ReportPeriod,
} from "#dashboard/kit/parts/report-period.ts";
import { dayAndMonthOf, monthOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { type Html, html } from "#platform/html/html.ts";
import { EXPORT_CUSTOMERS } from "#shop/people/roles.ts";

import {
  bestSellers,
  breakdowns,
  countsPart,
  type Sales,
  salesFile,
  salesOf,
  salesPart,
  type Summary,
  taxesFile,
  taxesPart,
} from "./report-parts.ts";

const words = en.reports;
/** Labels below the bars of a phone, at most. */
const LABELS_MAX = 6;

export const reportsPage: Page = {
  path: "/reports",
  scopes: ["analytics:read"],
  show: async (visit) => {
    const period = periodOf(visit);
    const asked = await catchRefusal({ name: "", fields: visit.url.searchParams }, () =>
      salesOf(visit, period),
    );
    return {
      title: words.title,
      ...("submitted" in asked ? { status: asked.submitted.status } : {}),
      body: html`${heading({ title: words.title })}
      ${
        "submitted" in asked
          ? html`${refusedNote(asked.submitted)} ${periodChoice(visit, period)}`
          : bodyOf(visit, period, asked.value)
      }`,
    };
  },
  forms: { sales: { download: salesFile }, taxes: { download: taxesFile } },
};

function bodyOf(visit: Visit, period: ReportPeriod, summary: Summary): Html {
  const sales = chosenOf(visit, summary);
  return html`<div class="stack">
      ${periodChoice(visit, period)} ${currencyTabs(visit, { summary, period, sales })}
    </div>
    ${
      sales === undefined || hasNothing(sales)
        ? emptyList(words.empty, words.emptyWhat)
        : reportOf(visit, { sales, period, summary })
    }`;
}

/** The sales in the currency of the page's address, else in the shop's, else in the first that there is. */
function chosenOf(visit: Visit, { currencies }: Summary): Sales | undefined {
  const asked = visit.query("currency") || visit.store.currency;
  return currencies.find(({ currency }) => currency === asked) ?? currencies[0];
}

/** Returns true if nothing was ordered or paid, and no money moved. */
function hasNothing({ orders, revenue }: Sales): boolean {
  const moved = [revenue.gross_minor, revenue.refunds_minor, revenue.written_off_minor];
  return orders.placed + orders.paid === 0 && moved.every((minor) => minor === 0);
}

interface Report {
  readonly summary: Summary;
  readonly period: ReportPeriod;
  readonly sales: Sales;
}

/** Currencies are never added up: each has its own report. */
function currencyTabs(
  visit: Visit,
  { summary: { currencies }, period, sales }: Omit<Report, "sales"> & { sales: Sales | undefined },
): Html | null {
  if (currencies.length < 2) return null;
  return tabs(
    words.whichCurrency,
    currencies.map(({ currency }) => ({
      href: `${visit.page}${addressOf(period, currency)}`,
      word: currency,
      isHere: currency === sales?.currency,
    })),
  );
}

function reportOf(visit: Visit, report: Report): Html {
  const { sales, period } = report;
  const { currency, revenue, orders } = sales;
  return html`<div class="halves">
      <section class="takings" aria-label="${words.total}">
        ${largeSum(revenue.total_minor, currency)}
        <p>
          ${changeOf(sales)}
          <span class="soft">· ${words.ordersPaid(orders.paid)}</span>
        </p>
        ${chartOf(visit, report)}
      </section>
      ${salesPart(sales)}
    </div>
    ${countsPart(sales)}
    <div class="halves">
      <div class="stack">${bestSellers(visit, sales)} ${breakdowns(sales)}</div>
      <div class="stack">
        ${taxesPart(sales)}
        <section>
          <h2>${words.download}</h2>
          <div class="acts">
            ${fileForm(visit, period, ["sales", words.downloadSales])}
            ${sales.taxes.length > 0 && fileForm(visit, period, ["taxes", words.downloadTaxes])}
            ${visit.may(EXPORT_CUSTOMERS) && html`<a class="button" href="${visit.href(EXPORT_ORDERS)}${addressOf(period)}">${words.downloadOrders}</a>`}
          </div>
        </section>
      </div>
    </div>`;
}

function fileForm(
  visit: Visit,
  period: ReportPeriod,
  [name, word]: readonly [string, string],
): Html {
  return html`<form method="post" action="${visit.page}/${name}${addressOf(period)}" data-file>
    <button>${word}</button>
  </form>`;
}

/** The change of the total in percent, or why there is none. */
function changeOf({ change }: Sales): Html {
  const percent = change?.total ?? null;
  if (percent === null) return html`${words.nothingBefore}`;
  const whole = Math.round(percent);
  if (whole === 0) return html`${words.sameAsBefore}`;
  const isRise = whole > 0;
  return html`<span class="${isRise ? "rise" : "fall"}"
      >${isRise ? words.rise(String(whole)) : words.fall(String(-whole))}</span
    >
    ${words.onBefore}`;
}

function chartOf(
  { when }: Visit,
  { sales: { series, currency, revenue }, period, summary }: Report,
): Html {
  const isByMonth = summary.interval === "month";
  const each = Math.ceil(series.length / LABELS_MAX);
  const bars = series.map(({ start, total_minor: total }, place) => {
    const name = (isByMonth ? monthOf : dayAndMonthOf)(start, when.zone);
    const label = place % each === 0 ? name.replace(/ \d{4}$/, "") : null;
    // A day of refunds alone is below zero, which a bar does not show.
    return { name, label, amount: Math.max(0, total) };
  });
  return barChart(bars, {
    title: words.chart(textOfMoney(revenue.total_minor, currency), period.from, period.to),
    columns: [isByMonth ? words.month : words.day, words.taken],
    print: (amountMinor) => digitsOf(amountMinor, currency),
  });
}
