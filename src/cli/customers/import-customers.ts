// Workflow: what a file of customers would do to the shop, and where that is asked for, doing it.

import type { CustomerDraft } from "#cli/customer-files/customer-draft.ts";
import { readCustomers } from "#cli/customer-files/read-customers.ts";
import type { FileReport } from "#cli/imports/import-report.ts";
import {
  type ImportedNoun,
  type ImportTerms,
  type Outcomes,
  runImport,
} from "#cli/imports/run-import.ts";
import type { Administration } from "#cli/operator/administer.ts";

export interface CustomerReport extends FileReport {
  readonly customers: Outcomes;
}

const noun: ImportedNoun<CustomerDraft> = {
  command: "customers.import",
  plural: "customers",
  batch: 100,
  given: ({ body }) => body,
  same: {
    pointer: "/email",
    detail: (row) => `By its email or phone, the shop takes this for the customer of row ${row}.`,
  },
};

/** Tries every customer, and imports them with `apply` if none has a fault. */
export async function importCustomers(
  shop: Pick<Administration, "run">,
  path: string,
  terms: ImportTerms,
): Promise<CustomerReport> {
  const { drafts, ...file } = await readCustomers(path, terms.from);
  const { outcomes, ...done } = await runImport(shop, { ...file, drafts }, { noun, terms });
  return { path, mode: terms.mode, ...file, ...done, customers: outcomes };
}
