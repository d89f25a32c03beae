// Story: files may have the personal data of a customer who is erased.

import type { Tx } from "#platform/database/database.ts";

import { dropAllFilesOf } from "./queries.ts";

/**
 * Afterwards the shop keeps no file of customers. A run that is at work on one breaks off, since it has the customer in
 * memory and might make them anew.
 */
export async function forgetCustomerFiles(tx: Tx): Promise<void> {
  await dropAllFilesOf(tx, { noun: "customers" });
}
