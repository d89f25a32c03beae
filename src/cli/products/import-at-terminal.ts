// `duka import products`: prints what became of a file, or would become of it.

import { openAdministration } from "#cli/operator/administer.ts";
import { readSettings, type SettingOptions, UsageFault } from "#cli/operator/settings.ts";
import { isCurrency } from "#kernel/currency.ts";

import { importProducts, type ImportTerms } from "./import-products.ts";
import { printReport } from "./import-report.ts";

export interface ImportOptions extends SettingOptions, ImportTerms {
  readonly report?: string;
}

/** Prints the report. Returns whether the file has no fault. */
export async function importAtTerminal(path: string, options: ImportOptions): Promise<boolean> {
  const { currency } = options;
  if (currency !== undefined && !isCurrency(currency.toUpperCase())) {
    throw new UsageFault(`--currency must be a code such as GHS, not "${currency}".`);
  }
  await using shop = openAdministration(readSettings(options));
  const report = await importProducts(shop, path, options);
  await printReport(report, options);
  return report.faults.length === 0;
}
