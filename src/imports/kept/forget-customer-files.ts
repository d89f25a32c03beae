// Story: files may have the personal data of a customer who is erased.

import type { Tx } from "#platform/database/database.ts";

import { dropIdleFilesOf } from "./queries.ts";

/** Afterwards the shop keeps no file of customers, but one that is being checked or imported. */
export async function forgetCustomerFiles(tx: Tx): Promise<void> {
  await dropIdleFilesOf(tx, { noun: "customers" });
}
