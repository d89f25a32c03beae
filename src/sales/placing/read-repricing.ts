// Lookup: what a change of an order means for its price.

import { findSellableVariants } from "#catalog/products/lookups.ts";
import { saleRefusals } from "#catalog/variants/sale.ts";
import type { Id } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Reader } from "#platform/database/database.ts";
import { type PricedLine, priceLines, variantsOf } from "#pricing/quote/price-order.ts";
import type { AddressesOfSale } from "#pricing/quote/shipping-choice.ts";
import { checkOption } from "#pricing/shipping/lookups.ts";
import { readShipping, type ShippingAsked } from "#pricing/shipping/shipping-charge.ts";
import type { OrderChange } from "#sales/orders/order-change.ts";
import type { WholeOrder } from "#sales/orders/order.ts";

import { isAgreedShipping, isSame, offersFor } from "./agreed-items.ts";

/** The lines and the shipping after a change. */
export interface Repricing {
  readonly changed: readonly string[];
  /** The new lines, or null if they stay. */
  readonly priced: readonly PricedLine[] | null;
  readonly notYetSold: readonly Id<"variant">[];
  /** Undefined if it stays as it was charged. */
  readonly shipping: ShippingAsked | null | undefined;
  readonly addresses: AddressesOfSale;
}

/** Reads what changes. Refuses with the refusals of `placeOrder` for lines. */
export async function readRepricing(
  db: Reader,
  before: WholeOrder,
  { lines, shipping: given, ...change }: OrderChange,
): Promise<Repricing> {
  const { currency } = before.order;
  const faults = new Faults();
  const { asked, isShippedOtherwise } = await readAsked(db, before, { given, faults });
  const items = lines ?? [];
  const ids = variantsOf(items);
  const current = await findSellableVariants(db, ids);
  const priced = priceLines(items, offersFor(before, current), { currency, faults });
  faults.refuseIfAny(saleRefusals);
  const isOther = lines !== undefined && !isSame(priced, before.lines);
  return {
    changed: [...(isOther ? ["line_items"] : []), ...(isShippedOtherwise ? ["shipping"] : [])],
    priced: isOther ? priced : null,
    // The same option may cost another amount for other goods.
    shipping: isOther || isShippedOtherwise ? asked : undefined,
    addresses: addressesAfter(before, change),
    notYetSold: [...new Set(ids)].filter((id) => current.get(id)?.wasSold === false),
  };
}

/** The shipping that is asked for. The option that the order has already may be gone from the shop. */
async function readAsked(
  db: Reader,
  { order }: WholeOrder,
  { given, faults }: { readonly given: OrderChange["shipping"]; readonly faults: Faults },
) {
  if (given === undefined) return { asked: undefined, isShippedOtherwise: false };
  const asked = readShipping(given, order.currency, faults);
  const isShippedOtherwise = !isAgreedShipping(order, asked);
  if (isShippedOtherwise) await checkOption(db, asked, faults);
  return { asked, isShippedOtherwise };
}

/** Null removes an address; undefined keeps it. */
function addressesAfter(
  { order }: WholeOrder,
  {
    shippingAddress = order.shippingAddress,
    billingAddress = order.billingAddress,
  }: Pick<OrderChange, "shippingAddress" | "billingAddress">,
): AddressesOfSale {
  return { shippingAddress, billingAddress };
}
