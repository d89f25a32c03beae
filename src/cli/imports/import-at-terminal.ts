// `duka import products`: prints what became of a file, or would become of it.

import { openAdministration } from "#cli/operator/administer.ts";
import { readSettings, type SettingOptions, UsageFault } from "#cli/operator/settings.ts";
import { encodingNamed } from "#imports/tables/encoding.ts";
import { isCurrency } from "#kernel/currency.ts";

import { importCustomers, type ImportTerms } from "./import-file.ts";
import { importProducts, type ProductReport, type ProductTerms } from "./import-products.ts";
import { printReport, requireNewReport } from "./import-report.ts";

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
  requireFair(options);
  await using shop = openAdministration(readSettings(options));
  const report = await importProducts(shop, path, options);
  const { products: outcomes, faults } = report;
  await printReport(report, { name: "product", outcomes, about: pricedIn(report) }, options);
  return faults.length === 0;
}

/** Refuses options that no file can be read with. */
function requireFair(options: ImportTerms & { readonly report?: string }): void {
  const { encoding } = options;
  if (encoding !== undefined && encodingNamed(encoding) === null) {
    throw new UsageFault(
      `--encoding must be an encoding such as utf-8, windows-1252 or utf-16le, not "${encoding}".`,
    );
  }
  requireNewReport(options);
}

/** Files of other shops name no currency. */
function pricedIn({ source, currency }: ProductReport): string {
  if (source === "duka") return "";
  return `\nThe prices are taken as ${currency}; --currency names another currency.`;
}

// `duka import customers`: prints what became of a file, or would become of it.

export interface CustomerOptions extends SettingOptions, ImportTerms {
  readonly report?: string;
}

/** Prints the report. Returns whether the file has no fault. */
export async function importCustomersAtTerminal(
  path: string,
  options: CustomerOptions,
): Promise<boolean> {
  requireFair(options);
  await using shop = openAdministration(readSettings(options));
  const report = await importCustomers(shop, path, options);
  const { customers: outcomes, faults } = report;
  await printReport(report, { name: "customer", outcomes, about: "" }, options);
  return faults.length === 0;
}
