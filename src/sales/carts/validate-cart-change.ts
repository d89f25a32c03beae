// Lookup: what a cart would be after a change, and what is wrong with it. Everything is noted before
// anything is refused.

import { saleRefusals } from "#catalog/variants/sale.ts";
import { foldEmail } from "#customers/customer.ts";
import { lockKnownCustomer } from "#customers/lookups.ts";
import { type Change, defined } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { type QuotedLine, validateLines } from "#pricing/quote/price-cart.ts";

import type { CartContact, CartFields } from "./cart.ts";
import { priceCart } from "./lookups.ts";

/** A change as it is asked for: the contact as one, or its email and phone alone. */
export interface CartChange extends Change<Omit<CartFields, "name">> {
  readonly customer?: CartContact | null | undefined;
}

export interface ValidatedChange {
  readonly fields: CartFields;
  readonly lines: readonly QuotedLine[];
}

/**
 * The fields after the change, and their lines priced. Refuses with `validation_failed`,
 * `variant_not_for_sale` and `price_missing`; lines are judged where they or the currency are given.
 */
export async function validateCartChange(
  tx: Tx,
  before: CartFields,
  change: CartChange,
): Promise<ValidatedChange> {
  const faults = new Faults();
  const { customer: _customer, ...given } = change;
  const fields = { ...before, ...defined(given), ...contactAfter(before, change, faults) };
  const lines = await priceCart(tx, fields);
  if (change.lines !== undefined || change.currency !== undefined) {
    validateLines(lines, fields.currency, faults);
  }
  await validateCustomer(tx, change.customerId ?? null, faults);
  faults.refuseIfAny(saleRefusals);
  return { fields, lines };
}

function contactAfter(
  before: CartContact,
  { customer, email, phone }: CartChange,
  faults: Faults,
): CartContact {
  const isTwice = customer !== undefined && (email !== undefined || phone !== undefined);
  if (isTwice) {
    const detail = "Give either customer or email and phone.";
    faults.add("/customer", "conflicting_fields", detail);
  }
  const known = customer === undefined ? before : (customer ?? emptyContact);
  const after = { ...known, ...defined({ email, phone }) };
  return {
    email: after.email === null ? null : foldEmail(after.email),
    phone: after.phone,
    name: after.name,
  };
}

const emptyContact: CartContact = { email: null, phone: null, name: null };

async function validateCustomer(tx: Tx, id: Id<"customer"> | null, faults: Faults): Promise<void> {
  if (id === null) return;
  if ((await lockKnownCustomer(tx, id)) !== undefined) return;
  faults.add("/customer_id", "unknown_customer", "There is no such customer.");
}
