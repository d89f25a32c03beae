// `duka import products`: prints what became of a file, or would become of it.

import { printReport } from "#cli/imports/import-report.ts";
import { openAdministration } from "#cli/operator/administer.ts";
import { readSettings, type SettingOptions, UsageFault } from "#cli/operator/settings.ts";
import { isCurrency } from "#kernel/currency.ts";

import { importProducts, type ProductReport, type ProductTerms } from "./import-products.ts";

export interface ProductOptions extends SettingOptions, ProductTerms {
  readonly report?: string;
}

/** Prints the report. Returns whether the file has no fault. */
export async function importProductsAtTerminal(
  path: string,
  options: ProductOptions,
): Promise<boolean> {
  const { currency } = options;
  if (currency !== undefined && !isCurrency(currency.toUpperCase())) {
    throw new UsageFault(`--currency must be a code such as GHS, not "${currency}".`);
  }
  await using shop = openAdministration(readSettings(options));
  const report = await importProducts(shop, path, options);
  const { products: outcomes, faults } = report;
  await printReport(report, { name: "product", outcomes, about: pricedIn(report) }, options);
  return faults.length === 0;
}

/** Files of other shops name no currency. */
function pricedIn({ source, currency }: ProductReport): string {
  if (source === "duka") return "";
  return `\nThe prices are taken as ${currency}; --currency names another currency.`;
}
