// Lookup: what an order comes to after a change of its lines or its shipping. What it already has keeps the price that
// was agreed.

import { findSellableVariants } from "#catalog/products/lookups.ts";
import { saleRefusals } from "#catalog/products/sale.ts";
import type { Id } from "#kernel/id.ts";
import { Faults } from "#kernel/refusal.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import type { AgreedSale } from "#pricing/quote/agreed-sale.ts";
import { taxClassOfLine } from "#pricing/quote/breakdown.ts";
import { checkOwnClasses } from "#pricing/quote/check-own-classes.ts";
import {
  ownTraits,
  type PricedLine,
  priceLines,
  type VariantOnOffer,
  variantsOf,
} from "#pricing/quote/price-order.ts";
import { requoteSale } from "#pricing/quote/requote-sale.ts";
import type { AddressesOfSale } from "#pricing/quote/shipping-choice.ts";
import { checkOption } from "#pricing/shipping/lookups.ts";
import { readShipping, type ShippingAsked } from "#pricing/shipping/shipping-charge.ts";
import { isSameItem, matchLines, type OrderLineRequest } from "#sales/rows/match-lines.ts";
import type { Order, OrderLine, WholeOrder } from "#sales/rows/order.ts";
import { getStore } from "#shop/store/lookups.ts";

import type { OrderChange } from "./order-change.ts";

/** Prices the order after the change, by what was agreed when it was placed. */
export async function repriceOrder(
  db: Reader,
  before: WholeOrder,
  { priced, shipping, addresses }: Repricing,
): Promise<AgreedSale> {
  const { order } = before;
  const { shippingLabel: label, shippingMinor: amountMinor } = order;
  const lines = priced ?? (await agreedLines(db, before));
  return requoteSale(db, await getStore(db), {
    currency: order.currency,
    lines: lines.map((line) => ({
      ...line,
      isAgreed: before.lines.some((one) => isSamePrice(line, one)),
    })),
    breakdown: order.breakdown,
    charged: { label, amountMinor },
    shipping,
    ...addresses,
  });
}

/** The lines as they stand, to be priced with another shipping. */
async function agreedLines(db: Reader, before: WholeOrder): Promise<PricedLine[]> {
  const current = await findSellableVariants(db, variantsOf(before.lines));
  const offers = offersFor(before, current);
  return before.lines.map((line) => {
    const offer = line.variantId === null ? undefined : offers.get(line.variantId);
    return { ...line, traits: offer ?? { ...ownTraits, taxClass: agreedClassOf(before, line) } };
  });
}

/** The tax class by which a line was agreed. */
function agreedClassOf({ order: { breakdown } }: WholeOrder, { position }: OrderLine): string {
  return taxClassOfLine(breakdown, position) ?? ownTraits.taxClass;
}

/** The lines and the shipping after a change. */
export interface Repricing {
  readonly changed: readonly string[];
  /** The new lines, or null if they stay. */
  readonly priced: readonly PricedLine[] | null;
  /** The lines that stay, by their position afterwards. */
  readonly kept: ReadonlyMap<number, OrderLine>;
  readonly notYetSold: readonly Id<"variant">[];
  /** Undefined if it stays as it was charged. */
  readonly shipping: ShippingAsked | null | undefined;
  readonly addresses: AddressesOfSale;
}

/** Reads what changes. Refuses with the refusals of `placeOrder` for lines. */
export async function readRepricing(
  tx: Tx,
  before: WholeOrder,
  { lines, shipping: given, ...change }: OrderChange,
): Promise<Repricing> {
  const { currency } = before.order;
  const faults = new Faults();
  const { asked, isShippedOtherwise } = await readAsked(tx, before, { given, faults });
  const kept = matchLines(lines ?? [], before.lines, { of: "order", keepsNames: false, faults });
  const items = (lines ?? []).map((item, position) => asKept(item, before, kept.get(position)));
  const agreedClassAt = (position: number) => {
    const line = kept.get(position);
    return line && agreedClassOf(before, line);
  };
  await checkOwnClasses(tx, items, { atMs: tx.now, agreedClassAt, faults });
  const ids = variantsOf(items);
  const current = await findSellableVariants(tx, ids);
  const priced = priceLines(items, offersFor(before, current), { currency, faults });
  faults.refuseIfAny(saleRefusals);
  const isOther = lines !== undefined && !isSame(priced, before);
  return {
    changed: [...(isOther ? ["line_items"] : []), ...(isShippedOtherwise ? ["shipping"] : [])],
    priced: isOther ? priced : null,
    kept: isOther ? kept : new Map(before.lines.map((line) => [line.position, line])),
    // The same option may cost another amount for other goods.
    shipping: isOther || isShippedOtherwise ? asked : undefined,
    addresses: addressesAfter(before, change),
    notYetSold: [...new Set(ids)].filter((id) => current.get(id)?.wasSold === false),
  };
}

/** The line as it is asked for; of the line that stays it keeps what the request does not name. */
function asKept(
  item: OrderLineRequest,
  before: WholeOrder,
  line: OrderLine | undefined,
): OrderLineRequest {
  if (line === undefined) return item;
  const metadata = item.metadata ?? line.metadata;
  if (item.variantId !== null) return { ...item, metadata };
  return { ...item, metadata, taxClass: item.taxClass ?? agreedClassOf(before, line) };
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

/** Returns true if the lines are those that were agreed. */
function isSame(asked: readonly PricedLine[], before: WholeOrder): boolean {
  return (
    asked.length === before.lines.length &&
    asked.every((line, index) => {
      const agreed = before.lines[index];
      return agreed !== undefined && isSameLine(line, agreed, agreedClassOf(before, agreed));
    })
  );
}

/** A line of the merchant's own also differs by what it says; a variant keeps the name and price agreed. */
function isSameLine(asked: PricedLine, line: OrderLine, agreedClass: string): boolean {
  if (!isSamePrice(asked, line) || asked.quantity !== line.quantity) return false;
  if (!Bun.deepEquals(asked.metadata, line.metadata)) return false;
  if (asked.variantId !== null) return true;
  return asked.sku === line.sku && asked.traits.taxClass === agreedClass;
}

/**
 * Returns true if the line has the price that was agreed for the item; that of the merchant's own may be another one.
 */
function isSamePrice(asked: PricedLine, line: OrderLine): boolean {
  const isOwn = asked.variantId === null;
  return isSameItem(asked, line) && (!isOwn || asked.unitPriceMinor === line.unitPriceMinor);
}

/** Returns true if the shipping is what was agreed. */
function isAgreedShipping(
  { shippingLabel: label, shippingMinor: amountMinor, breakdown }: Order,
  asked: ShippingAsked | null,
): boolean {
  const optionId = breakdown?.shipping.optionId ?? null;
  if (asked === null) return optionId === null && label === null && amountMinor === 0;
  if ("optionId" in asked) return asked.optionId === optionId;
  return optionId === null && asked.label === label && asked.amountMinor === amountMinor;
}

const ofNoVariant = { ...ownTraits, shown: null };

/** The current offers, with every variant of the order for sale at its agreed price. */
function offersFor(
  before: WholeOrder,
  current: ReadonlyMap<Id<"variant">, VariantOnOffer>,
): Map<Id<"variant">, VariantOnOffer> {
  const { order, lines } = before;
  const offers = new Map<Id<"variant">, VariantOnOffer>(current);
  for (const line of lines) {
    const { variantId, productId } = line;
    if (variantId === null || productId === null) continue;
    const { tags, weightGrams, requiresShipping, shown } = current.get(variantId) ?? ofNoVariant;
    offers.set(variantId, {
      ...line,
      variantId,
      productId,
      isForSale: true,
      shown: line.shown ?? shown,
      tags,
      collectionIds: order.breakdown?.collectionIds?.[line.position],
      taxClass: agreedClassOf(before, line),
      weightGrams,
      requiresShipping,
      prices: [
        { currency: order.currency, amountMinor: line.unitPriceMinor, compareAtMinor: null },
      ],
    });
  }
  return offers;
}
