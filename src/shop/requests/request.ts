// Requests: the refusal of one that is not known, and what may be kept of them.

import { defineRefusal } from "#kernel/refusal.ts";

export const requestNotFound = defineRefusal(
  "request_not_found",
  "not_found",
  "There is no such request among the last ones.",
);

/** The operations after which nothing may be kept of what was sent before. */
export const forgettingOperations: ReadonlySet<string> = new Set([
  "eraseCustomer",
  "deleteCustomer",
  "resetTestShop",
]);
