// Customers: types, rules and refusals. Somebody is known by an email or a phone number; each
// belongs to one customer only.

import { defineRefusal } from "#kernel/refusal.ts";

export interface Address {
  readonly name: string | null;
  readonly line1: string | null;
  readonly line2: string | null;
  readonly city: string | null;
  readonly region: string | null;
  readonly postalCode: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  readonly phone: string | null;
}

export const customerNotFound = defineRefusal(
  "customer_not_found",
  "not_found",
  "There is no such customer.",
);
export const customerExists = defineRefusal(
  "customer_exists",
  "conflict",
  "Another customer has this email or phone.",
);
export const customerHasOrders = defineRefusal(
  "customer_has_orders",
  "conflict",
  "A customer with orders cannot be deleted; erase the person instead.",
);
