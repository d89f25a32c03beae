// Lookup: the fields of a cart after a change. All faults are collected before the change is
// refused.

import { saleRefusals } from "#catalog/products/sale.ts";
import { contactOnRecord, type Customer, foldEmail } from "#customers/customer.ts";
import { lockKnownCustomer } from "#customers/lookups.ts";
import { addOtherCustomer } from "#customers/sessions/session.ts";
import { type Change, defined } from "#kernel/change.ts";
import type { Id } from "#kernel/id.ts";
import { metadataAfter } from "#kernel/metadata.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Tx } from "#platform/database/database.ts";
import { validateLines } from "#pricing/quote/price-cart.ts";
import { validateTotal } from "#pricing/quote/price-order.ts";
import { findOption } from "#pricing/shipping/lookups.ts";
import {
  addUnknownOption,
  readShipping,
  type ShippingAsked,
  type ShippingRequest,
} from "#pricing/shipping/shipping-charge.ts";
import { allNamed, type ChangedLines, type LinesChange } from "#sales/rows/cart-lines.ts";
import {
  type CartContact,
  type CartFields,
  ownerIn,
  type PricedCart,
  sumsOfCart,
} from "#sales/rows/cart.ts";
import { getStore } from "#shop/store/lookups.ts";
import {
  type LimitedCaller,
  limitsHold,
  limitUnits,
  unlimited,
} from "#shop/store/public-limits.ts";

import { type CartToPrice, priceCart } from "./price-cart.ts";

/** A requested change: the contact is given as `customer`, or as `email` and `phone` alone. */
export interface CartChange extends Change<
  Omit<
    CartFields,
    "name" | "isOfSession" | "lines" | "shippingLabel" | "shippingMinor" | "shippingOptionId"
  >
> {
  readonly lines?: LinesChange | undefined;
  readonly shipping?: ShippingRequest | null | undefined;
  readonly customer?: CartContact | null | undefined;
  /** True if the metadata keeps the names that a publishable key cannot send. */
  readonly keepsNames?: boolean;
  /** The caller whose bounds hold; undefined for the merchant and the pages behind links. */
  readonly filledBy?: LimitedCaller;
  /** The customer of the session with which the change comes. */
  readonly signedIn?: Customer | null;
}

export interface ValidatedChange extends Omit<PricedCart, "cart"> {
  readonly fields: CartFields;
}

/**
 * Returns the fields after the change, with priced lines. Lines are validated only if the change
 * names lines or a currency: what a cart already holds may have left the catalog. Refuses with
 * `validation_failed`, `variant_not_for_sale` and `price_missing`.
 */
export async function validateCartChange(
  tx: Tx,
  before: CartToPrice,
  change: CartChange,
): Promise<ValidatedChange> {
  const faults = new Faults();
  const { filledBy = unlimited, signedIn = null } = change;
  const owner = ownerIn(before, { signedIn, isPublic: filledBy.isPublic });
  const changed = linesAfter(tx, before, { change, faults });
  const own = { ...before, ...owner, lines: changed.lines };
  const fields = fieldsAfter(own, change, faults);
  const { remembered = [] } = before;
  const { lines, price } = await priceCart(
    tx,
    { ...fields, remembered },
    { atMs: tx.now, judgesLimits: false },
  );
  const { pointers, whole } = changed;
  if (change.lines !== undefined) await validateUnits(tx, changed, { filledBy, faults });
  validateLines(lines, { currency: fields.currency, pointers, faults });
  if (pointers.size > 0 || change.shipping !== undefined) {
    validateTotal(sumsOfCart({ lines, price }).totalMinor, faults, whole);
  }
  const taken = owner.customerId === before.customerId ? null : owner.customerId;
  await validateCustomer(tx, change.customerId ?? taken, faults);
  await validateOption(tx, change.shipping ?? null, faults);
  faults.refuseIfAny(saleRefusals);
  return { fields, lines, price };
}

/** The lines after the change, of which it names all if it names a currency. */
function linesAfter(
  tx: Tx,
  { lines }: CartFields,
  { change, faults }: { readonly change: CartChange; readonly faults: Faults },
): ChangedLines {
  const { keepsNames = false, currency } = change;
  const after = change.lines?.(lines, { keepsNames, now: tx.now, faults });
  if (currency !== undefined) return allNamed(after?.lines ?? lines);
  return after ?? { lines, pointers: new Map(), whole: "/shipping" };
}

function fieldsAfter(before: CartFields, change: CartChange, faults: Faults): CartFields {
  const { customer: _customer, shipping: _shipping, lines: _lines, ...rest } = change;
  const { keepsNames = false, filledBy: _filledBy, signedIn = null, ...given } = rest;
  if (signedIn !== null) addOtherCustomer(signedIn.id, given.customerId, faults);
  return {
    ...before,
    ...defined(given),
    // A customer who is named is the merchant's word.
    isOfSession: before.isOfSession && given.customerId === undefined,
    metadata: metadataAfter(before.metadata, given.metadata, keepsNames),
    ...contactAfter(before, change, faults),
    ...shippingAfter(before, change, faults),
  };
}

/** Bounds the units as the order's are: where a line of any quantity may be short, a stranger counts the stock. */
async function validateUnits(
  tx: Tx,
  { lines, pointers }: ChangedLines,
  { filledBy, faults }: { readonly filledBy: LimitedCaller; readonly faults: Faults },
): Promise<void> {
  const store = await getStore(tx);
  if (!limitsHold(store, filledBy)) return;
  const units = lines.map((line, at) => ({ ...line, pointer: pointers.get(at) }));
  // Those that the request names come last, and tell what all lines of their variant have.
  const { no = [], yes = [] } = Object.groupBy(units, (one) =>
    one.pointer === undefined ? "no" : "yes",
  );
  limitUnits(store, [...no, ...yes], faults);
}

function contactAfter(
  before: CartFields,
  { customer, email, phone, signedIn = null }: CartChange,
  faults: Faults,
): CartContact {
  if (customer !== undefined && (email !== undefined || phone !== undefined)) {
    const detail = "Give either customer, or email and phone.";
    faults.add("/customer", "conflicting_fields", detail);
  }
  const known = customer === undefined ? before : (customer ?? emptyContact);
  const named = { ...known, ...defined({ email, phone }) };
  const after = before.isOfSession && signedIn !== null ? contactWith(named, signedIn) : named;
  return {
    email: after.email === null ? null : foldEmail(after.email),
    phone: after.phone,
    name: after.name,
  };
}

/** The contact that a session's cart names, or the one on the record, as the order has it that comes of the cart. */
function contactWith(named: CartContact, signedIn: Customer): CartContact {
  if (named.email !== null || named.phone !== null) return named;
  return { ...contactOnRecord(signedIn), name: named.name ?? signedIn.name };
}

/** A charge means nothing in another currency, so a new currency needs a new charge. */
function shippingAfter(
  before: CartFields,
  { shipping, currency = before.currency, keepsNames = false }: CartChange,
  faults: Faults,
): Pick<CartFields, "shippingLabel" | "shippingMinor" | "shippingOptionId"> {
  const { shippingLabel, shippingMinor, shippingOptionId } = before;
  if (shipping === undefined) {
    if (currency !== before.currency && shippingMinor > 0) {
      if (keepsNames) {
        const detail = `The merchant has named the charge for shipping in ${before.currency}.`;
        faults.add("/currency", "not_allowed_for_public_key", detail);
      } else {
        const detail = `The charge is in ${before.currency}; give one in ${currency}, or null.`;
        faults.add("/shipping", "required", detail);
      }
    }
    return { shippingLabel, shippingMinor, shippingOptionId };
  }
  if (keepsNames && hasOwnCharge(before)) {
    const detail = "The merchant has named the charge for shipping.";
    faults.add("/shipping", "not_allowed_for_public_key", detail);
  }
  return fieldsOf(readShipping(shipping, currency, faults));
}

/** A charge that the merchant named is not the customer's to take away. */
function hasOwnCharge({ shippingLabel, shippingMinor }: CartFields): boolean {
  return shippingLabel !== null || shippingMinor > 0;
}

function fieldsOf(asked: ShippingAsked | null) {
  if (asked === null) return noShipping;
  if ("optionId" in asked) return { ...noShipping, shippingOptionId: asked.optionId };
  return { ...noShipping, shippingLabel: asked.label, shippingMinor: asked.amountMinor };
}

const noShipping = { shippingLabel: null, shippingMinor: 0, shippingOptionId: null };

const emptyContact: CartContact = { email: null, phone: null, name: null };

async function validateCustomer(tx: Tx, id: Id<"customer"> | null, faults: Faults): Promise<void> {
  if (id === null) return;
  if ((await lockKnownCustomer(tx, id)) !== undefined) return;
  faults.add("/customer_id", "unknown_customer", "There is no such customer.");
}

/** An option that exists may still not be offered: the cart then tells it as a problem. */
async function validateOption(
  tx: Tx,
  asked: ShippingRequest | null,
  faults: Faults,
): Promise<void> {
  if (asked === null || !("optionId" in asked)) return;
  if ((await findOption(tx, asked.optionId))?.active !== true) addUnknownOption(asked, faults);
}
