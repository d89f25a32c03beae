// Workflow: what a file of customers would do to the shop, and where that is asked for, doing it.

import type { Administration } from "#cli/operator/administer.ts";
import { readCustomers } from "#imports/customer-files/read-customers.ts";
import { importedCustomers as noun } from "#imports/taking/imported-nouns.ts";
import type { Outcomes } from "#imports/taking/run-import.ts";

import { importDrafts, type ImportTerms, openFile } from "./import-file.ts";
import type { FileReport } from "./import-report.ts";

export interface CustomerReport extends FileReport {
  readonly customers: Outcomes;
}

/** Tries every customer, and imports them with `apply` if none has a fault. */
export async function importCustomers(
  shop: Pick<Administration, "run">,
  path: string,
  terms: ImportTerms,
): Promise<CustomerReport> {
  const content = await openFile(path);
  const { drafts, ...file } = await readCustomers({ content, from: terms.from });
  const run = { plural: "customers", noun, terms } as const;
  const { outcomes, ...done } = await importDrafts(shop, { ...file, drafts }, run);
  return { path, mode: terms.mode, ...file, ...done, customers: outcomes };
}
