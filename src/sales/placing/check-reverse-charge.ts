// Lookup: whether the reverse charge that an order asks for applies to it. That of a customer's record is not asked for:
// such an order is taxed as usual where it does not apply.

import type { Faults } from "#kernel/refusal.ts";
import type { Reader } from "#platform/database/database.ts";
import { lineToQuote } from "#pricing/quote/price-order.ts";
import { findHandover } from "#pricing/quote/quote-sale.ts";
import { whyNotReversed } from "#pricing/quote/reverse-charge.ts";
import type { AddressesOfSale } from "#pricing/quote/shipping-choice.ts";

import { type OrderRequest, taxIdOf } from "./order-request.ts";
import type { PriceTerms } from "./price-request.ts";

type ReversedRequest = Pick<PriceTerms, "store" | "currency" | "lines" | "shipping" | "known"> & {
  readonly faults: Faults;
};

/** Adds a fault for each reason for which the shop has to charge the tax of the order. */
export async function checkReverseCharge(
  db: Reader,
  request: OrderRequest,
  { store, currency, lines, shipping, known, faults }: ReversedRequest,
): Promise<void> {
  if (request.sale.taxExemption !== "reverse_charge") return;
  const { shippingAddress, billingAddress } = request.written;
  const addresses = { shippingAddress, billingAddress };
  const sold = { ...addresses, currency, lines: lines.map(lineToQuote), shipping };
  const { chosen, place } = await findHandover(db, store, sold);
  const pointers = {
    tax_id: "/tax_id",
    place: chosen?.kind === "pickup" ? "/shipping/pickup_location_id" : pointerOfPlace(addresses),
  };
  const taxId = taxIdOf(request, known);
  for (const { code, of, detail } of whyNotReversed({ home: store.country, taxId, place })) {
    faults.add(pointers[of], code, detail);
  }
}

/** The address that decides on where the goods go. */
function pointerOfPlace({ shippingAddress, billingAddress }: AddressesOfSale): string {
  const isShipped = (shippingAddress?.country ?? null) !== null;
  if (!isShipped && (billingAddress?.country ?? null) !== null) return "/billing_address/country";
  return shippingAddress === null ? "/shipping_address" : "/shipping_address/country";
}
