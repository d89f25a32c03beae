// A report as files for a spreadsheet, with plain decimals.

import { type Cell, csvRow, TEXT_MARK } from "#sheets/csv-row.ts";

import type { Download } from "../forms/form.ts";
import { typedAmount } from "../parts/money.ts";
import type { Visit } from "../visit.ts";
import { periodOf } from "./report-period.ts";
import { type Sales, salesOf, taxToReport } from "./sales.ts";

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
      typedAmount(one.gross_minor, currency),
      typedAmount(one.net_minor, currency),
      typedAmount(one.total_minor, currency),
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
      typedAmount(one.taxable_minor, currency),
      typedAmount(one.tax_minor, currency),
      typedAmount(one.refunded_taxable_minor, currency),
      typedAmount(one.refunded_minor, currency),
      typedAmount(taxToReport(one), currency),
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
