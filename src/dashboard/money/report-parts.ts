// The parts of a report: the sum and its pieces, the best sellers, the taxes, and the sales by their kinds.

import type { Static } from "typebox";

import { summarySchema } from "#analytics/summary/schema.ts";
import { digitsOf } from "#dashboard/kit/amounts.ts";
import type { Download } from "#dashboard/kit/forms/form.ts";
import { money } from "#dashboard/kit/parts/money.ts";
import { methodNamed } from "#dashboard/kit/parts/order-words.ts";
import { periodOf, queryOf, type ReportPeriod } from "#dashboard/kit/parts/report-period.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { formatAmount } from "#kernel/money.ts";
import { type Html, html, isolated } from "#platform/html/html.ts";
import { type Cell, csvRow, TEXT_MARK } from "#sheets/sheet.ts";

type Line = readonly [word: string, value: string | number | Html];

const words = en.reports;
const BEST_SHOWN = 10;

/** The parts of the total. */
export function salesPart({ currency, revenue }: Sales): Html {
  const lines: Line[] = [
    [words.gross, digitsOf(revenue.gross_minor, currency)],
    ...unlessZero(currency, [
      [words.discounts, -revenue.discounts_minor],
      [words.refunds, -revenue.refunds_minor],
      [words.shipping, revenue.shipping_minor],
      [words.tax, revenue.tax_minor],
    ]),
  ];
  const within = unlessZero(currency, [
    [words.includedTax, revenue.included_tax_minor],
    [words.writtenOff, revenue.written_off_minor],
  ]);
  return html`<section>
    <h2>${words.sales}</h2>
    ${bill(words.whole, lines, [words.total, money(revenue.total_minor, currency)])}
    ${within.map(([word, value]) => html`<p class="small soft">${word}: ${value}</p>`)}
  </section>`;
}

/** The counts beside the money. */
export function countsPart(sales: Sales): Html {
  const { currency, customers, carts, units } = sales;
  const average = sales.average_order_value_minor;
  const counts: Line[] = [
    ...(average === null ? [] : [[words.average, digitsOf(average, currency)] as const]),
    [words.units, units],
    [words.newCustomers, customers.new],
    [words.returningCustomers, customers.returning],
    ...(carts.abandoned === 0
      ? []
      : ([
          [words.cartsLeft, carts.abandoned],
          [words.cartsRecovered, carts.recovered],
        ] as const)),
  ];
  return html`<dl class="counts">
    ${counts.map(
      ([word, value]) =>
        html`<div>
          <dt>${word}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** The taxes by rate, as a tax return asks for them; null without any. */
export function taxesPart({ currency, taxes }: Sales): Html | null {
  if (taxes.length === 0) return null;
  return html`<section>
    <h2>${words.taxes}</h2>
    <p class="small soft">${words.taxesWhat}</p>
    ${taxes.map((tax) => {
      const place = [tax.country, tax.region].filter(Boolean).join(", ");
      const lines: Line[] = [
        [
          tax.included ? words.taxableIncluded : words.taxable,
          digitsOf(tax.taxable_minor, currency),
        ],
        [words.ofSales, digitsOf(tax.tax_minor, currency)],
        ...unlessZero(currency, [[words.ofRefunds, -tax.refunded_minor]]),
      ];
      return bill(
        html`${words.taxName(isolated(tax.name), String(tax.rate))}
          <span class="soft">${place}</span>`,
        lines,
        [words.toReport, money(taxToReport(tax), currency)],
      );
    })}
  </section>`;
}

/** The products that brought in most; null without any. */
export function bestSellers(visit: Visit, { currency, top_products: top }: Sales): Html | null {
  if (top.by_net.length === 0) return null;
  return html`<section>
    <h2>${words.best}</h2>
    <ol class="rows">
      ${top.by_net.slice(0, BEST_SHOWN).map(({ product_id: id, name, units, net_minor: net }) => {
        const row = html`<span class="name" dir="auto">${name ?? words.gone}</span
          ><span class="what">${words.unitsOf(units)}</span
          ><span class="sum">${digitsOf(net, currency)}</span>`;
        return name === null
          ? html`<li><div class="row">${row}</div></li>`
          : html`<li><a class="row" href="${visit.href(`/products/${id}`)}">${row}</a></li>`;
      })}
    </ol>
    <p class="small soft">${words.bestWhat}</p>
  </section>`;
}

/** The sales by payment method, by channel and by discount; each only where there is something to tell. */
export function breakdowns(sales: Sales): Html {
  const { currency } = sales;
  const row = (name: string, { orders, minor }: { orders: number; minor: number }) =>
    html`<li class="lined firm">
      <span><bdi>${name}</bdi><br /><span class="small soft">${words.ordersOf(orders)}</span></span>
      <strong>${digitsOf(minor, currency)}</strong>
    </li>`;
  const methods = sales.by_payment_method.map((one) =>
    row(methodNamed(one.payment_method), { orders: one.orders, minor: one.net_minor }),
  );
  const channels = sales.by_channel.map((one) =>
    row(channelNamed(one.channel), { orders: one.orders, minor: one.net_minor }),
  );
  const discounts = sales.discounts.map((one) =>
    row(one.code ?? one.title ?? words.ownDiscounts, {
      orders: one.orders,
      minor: -one.amount_minor,
    }),
  );
  return html`${listPart(words.byMethod, methods, words.byMethodWhat)}
  ${channels.length > 1 && listPart(words.byChannel, channels)}
  ${listPart(words.byDiscount, discounts)}`;
}

function listPart(title: string, rows: readonly Html[], what: string | null = null): Html | null {
  if (rows.length === 0) return null;
  return html`<section>
    <h2>${title}</h2>
    <ul class="rows">
      ${rows}
    </ul>
    ${what !== null && html`<p class="small soft">${what}</p>`}
  </section>`;
}

function channelNamed(channel: string): string {
  const known = Object.entries(en.order.channels).find(([name]) => name === channel);
  return known?.[1] ?? channel;
}

function bill(title: string | Html, lines: readonly Line[], [word, total]: Line): Html {
  return html`<div class="bill">
    <h3>${title}</h3>
    <dl>
      ${lines.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
      <div class="total">
        <dt>${word}</dt>
        <dd>${total}</dd>
      </div>
    </dl>
  </div>`;
}

/** The sums that are not zero, as lines. */
function unlessZero(currency: string, sums: readonly (readonly [string, number])[]): Line[] {
  return sums
    .filter(([, minor]) => minor !== 0)
    .map(([word, minor]) => [word, digitsOf(minor, currency)]);
}

// A report as files for a spreadsheet, with plain decimals.

interface FileTerms {
  readonly name: string;
  readonly head: readonly string[];
  readonly rowsOf: (sales: Sales) => Cell[][];
}

/** The sales of each day or month, a row for each and currency. */
export const salesFile = file({
  name: "sales",
  head: ["currency", "from", "orders", "units", "gross", "net", "total"],
  rowsOf: ({ currency, series }) =>
    series.map((one) => [
      currency,
      one.label,
      one.orders,
      one.units,
      formatAmount(one.gross_minor, currency),
      formatAmount(one.net_minor, currency),
      formatAmount(one.total_minor, currency),
    ]),
});

/** The taxes of the whole period, a row for each rate and currency. */
export const taxesFile = file({
  name: "taxes",
  head: [
    "currency",
    "tax",
    "rate_percent",
    "country",
    "region",
    "included",
    "taxable",
    "tax_of_sales",
    "refunded_taxable",
    "tax_of_refunds",
    "tax_to_report",
  ],
  rowsOf: ({ currency, taxes }) =>
    taxes.map((one) => [
      currency,
      one.name,
      one.rate,
      one.country,
      one.region,
      String(one.included),
      formatAmount(one.taxable_minor, currency),
      formatAmount(one.tax_minor, currency),
      formatAmount(one.refunded_taxable_minor, currency),
      formatAmount(one.refunded_minor, currency),
      formatAmount(taxToReport(one), currency),
    ]),
});

function file({ name, head, rowsOf }: FileTerms): (visit: Visit) => Promise<Download> {
  return async (visit) => {
    const period = periodOf(visit);
    const { currencies } = await salesOf(visit, period);
    const rows = [head, ...currencies.flatMap(rowsOf)];
    return {
      name: `${name}_${period.from}_${period.to}.csv`,
      type: "text/csv; charset=utf-8",
      text: TEXT_MARK + rows.map(csvRow).join(""),
    };
  };
}

// The summary that a report shows.

export type Summary = Static<typeof summarySchema>;
/** The sales of one currency. */
export type Sales = Summary["currencies"][number];

/** The summary of the period beside the same time before. */
export function salesOf(visit: Visit, period: ReportPeriod): Promise<Summary> {
  return visit.ask({ schema: summarySchema }, "GET /v2/analytics/summary", {
    query: { ...queryOf(period), compare: "previous_period" },
  });
}

/** The amounts that a tax return asks for: the tax of the sales less that in the refunds, minor units. */
function taxToReport({
  tax_minor: sold,
  refunded_minor: refunded,
}: Sales["taxes"][number]): number {
  return sold - refunded;
}
