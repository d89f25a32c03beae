// Lookup: the fields of a cart after a change. All faults are collected before the change is
// refused.

import { saleRefusals } from "#catalog/variants/sale.ts";
import { foldEmail } from "#customers/customer.ts";
import { lockKnownCustomer } from "#customers/lookups.ts";
import { type Change, defined } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import { metadataAfter } from "#kernel/metadata.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { type QuotedLine, validateLines } from "#pricing/quote/price-cart.ts";
import { readShipping, type ShippingRequest } from "#pricing/shipping/shipping-charge.ts";

import type { CartContact, CartFields } from "./cart.ts";
import { priceCart } from "./lookups.ts";

/** A requested change: the contact is given as `customer`, or as `email` and `phone` alone. */
export interface CartChange extends Change<
  Omit<CartFields, "name" | "shippingLabel" | "shippingMinor">
> {
  readonly shipping?: ShippingRequest | null | undefined;
  readonly customer?: CartContact | null | undefined;
  /** Whether the metadata keeps the names that a publishable key cannot send. */
  readonly keepsNames?: boolean;
}

export interface ValidatedChange {
  readonly fields: CartFields;
  readonly lines: readonly QuotedLine[];
}

/**
 * Returns the fields after the change, with priced lines. Lines are validated only if the change
 * names lines or a currency: what a cart already holds may have left the catalogue. Refuses with
 * `validation_failed`, `variant_not_for_sale` and `price_missing`.
 */
export async function validateCartChange(
  tx: Tx,
  before: CartFields,
  change: CartChange,
): Promise<ValidatedChange> {
  const faults = new Faults();
  const { customer: _customer, shipping: _shipping, keepsNames = false, ...given } = change;
  const fields = {
    ...before,
    ...defined(given),
    metadata: metadataAfter(before.metadata, given.metadata, keepsNames),
    ...contactAfter(before, change, faults),
    ...shippingAfter(before, change, faults),
  };
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
  if (customer !== undefined && (email !== undefined || phone !== undefined)) {
    const detail = "Give either customer, or email and phone.";
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

/** A charge means nothing in another currency, so a new currency needs a new charge. */
function shippingAfter(
  before: CartFields,
  { shipping, currency = before.currency }: CartChange,
  faults: Faults,
): Pick<CartFields, "shippingLabel" | "shippingMinor"> {
  const { shippingLabel, shippingMinor } = before;
  if (shipping === undefined) {
    if (currency !== before.currency && shippingMinor > 0) {
      const detail = `The charge is in ${before.currency}; give one in ${currency}, or null.`;
      faults.add("/shipping", "required", detail);
    }
    return { shippingLabel, shippingMinor };
  }
  const { label, amountMinor } = readShipping(shipping, currency, faults);
  return { shippingLabel: label, shippingMinor: amountMinor };
}

const emptyContact: CartContact = { email: null, phone: null, name: null };

async function validateCustomer(tx: Tx, id: Id<"customer"> | null, faults: Faults): Promise<void> {
  if (id === null) return;
  if ((await lockKnownCustomer(tx, id)) !== undefined) return;
  faults.add("/customer_id", "unknown_customer", "There is no such customer.");
}
