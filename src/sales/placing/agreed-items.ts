// Rules: what of a changed order was agreed before. It keeps its price, its name and its line.

import type { Id } from "#kernel/id.ts";
import { ownTraits, type PricedLine, type VariantOnOffer } from "#pricing/quote/price-order.ts";
import type { ShippingAsked } from "#pricing/shipping/shipping-charge.ts";
import type { Order, OrderLine, WholeOrder } from "#sales/orders/order.ts";

/** Returns true if the lines are those that were agreed. */
export function isSame(asked: readonly PricedLine[], lines: readonly OrderLine[]): boolean {
  return (
    asked.length === lines.length &&
    asked.every((line, index) => {
      const before = lines[index];
      return before !== undefined && isSameLine(line, before);
    })
  );
}

/** A line of the merchant's own also differs by what it says; a variant keeps the name and price agreed. */
function isSameLine(asked: PricedLine, line: OrderLine): boolean {
  if (!isSamePrice(asked, line) || asked.quantity !== line.quantity) return false;
  return asked.variantId !== null || asked.sku === line.sku;
}

/**
 * Returns true if the line has the price that was agreed for the item; that of the merchant's own may be another one.
 */
export function isSamePrice(asked: PricedLine, line: OrderLine): boolean {
  const isOwn = asked.variantId === null;
  return isSameItem(asked, line) && (!isOwn || asked.unitPriceMinor === line.unitPriceMinor);
}

/** Returns true if the line sells what the other did: a variant, or what the merchant called the same. */
export function isSameItem(asked: Omit<PricedLine, "traits">, line: OrderLine): boolean {
  return (
    asked.variantId === line.variantId && (asked.variantId !== null || asked.name === line.name)
  );
}

/** Returns true if the shipping is what was agreed. */
export function isAgreedShipping(
  { shippingLabel: label, shippingMinor: amountMinor, breakdown }: Order,
  asked: ShippingAsked | null,
): boolean {
  const optionId = breakdown?.shipping.optionId ?? null;
  if (asked === null) return optionId === null && label === null && amountMinor === 0;
  if ("optionId" in asked) return asked.optionId === optionId;
  return optionId === null && asked.label === label && asked.amountMinor === amountMinor;
}

/** The current offers, with every variant of the order for sale at its agreed price. */
export function offersFor(
  { order, lines }: WholeOrder,
  current: ReadonlyMap<Id<"variant">, VariantOnOffer>,
): Map<Id<"variant">, VariantOnOffer> {
  const offers = new Map<Id<"variant">, VariantOnOffer>(current);
  for (const line of lines) {
    const { variantId, productId } = line;
    if (variantId === null || productId === null) continue;
    const { tags, weightGrams, requiresShipping } = current.get(variantId) ?? ownTraits;
    const taxClass = order.breakdown?.taxClasses[line.position] ?? ownTraits.taxClass;
    offers.set(variantId, {
      ...line,
      variantId,
      productId,
      isForSale: true,
      tags,
      collectionIds: order.breakdown?.collectionIds?.[line.position],
      taxClass,
      weightGrams,
      requiresShipping,
      prices: [
        { currency: order.currency, amountMinor: line.unitPriceMinor, compareAtMinor: null },
      ],
    });
  }
  return offers;
}
