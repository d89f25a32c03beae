// Rule: which callers may address a payment by which reference.

import { isId } from "#kernel/id.ts";

import { paymentNotFound } from "./payment.ts";

/**
 * Returns the reference of a path if the caller may use it. A key that is public in a web page reaches
 * a payment by its id only: ids cannot be guessed, references chosen by a merchant can. Refuses with
 * `payment_not_found`.
 */
export function reachable(reference: string, scopes: ReadonlySet<string>): string {
  const isTrusted = scopes.has("payments:read") || scopes.has("payments:write");
  if (!isTrusted && !isId("payment", reference)) throw paymentNotFound();
  return reference;
}
