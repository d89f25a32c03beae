// `duka import customers`: prints what became of a file, or would become of it.

import type { ImportTerms } from "#cli/imports/import-file.ts";
import { printReport } from "#cli/imports/import-report.ts";
import { openAdministration } from "#cli/operator/administer.ts";
import { readSettings, type SettingOptions } from "#cli/operator/settings.ts";

import { importCustomers } from "./import-customers.ts";

export interface CustomerOptions extends SettingOptions, ImportTerms {
  readonly report?: string;
}

/** Prints the report. Returns whether the file has no fault. */
export async function importCustomersAtTerminal(
  path: string,
  options: CustomerOptions,
): Promise<boolean> {
  await using shop = openAdministration(readSettings(options));
  const report = await importCustomers(shop, path, options);
  const { customers: outcomes, faults } = report;
  await printReport(report, { name: "customer", outcomes, about: "" }, options);
  return faults.length === 0;
}
