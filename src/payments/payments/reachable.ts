// Who reaches a payment by what: a rule on plain data.

import { isId } from "#kernel/id.ts";

import { paymentNotFound } from "./payment.ts";

/**
 * The reference of a path as its caller may use it. A key in a public page reaches a payment by its id,
 * which nobody guesses, and by no reference that a merchant chose. Refuses with `payment_not_found`.
 */
export function reachable(reference: string, scopes: ReadonlySet<string>): string {
  const isTrusted = scopes.has("payments:read") || scopes.has("payments:write");
  if (!isTrusted && !isId("payment", reference)) throw paymentNotFound();
  return reference;
}
