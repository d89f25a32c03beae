// Lookup: what an order comes to after a change of its lines or its shipping. What it already has keeps the price that
// was agreed.

import { findSellableVariants } from "#catalog/products/lookups.ts";
import type { Reader } from "#platform/database/database.ts";
import type { AgreedSale } from "#pricing/quote/agreed-sale.ts";
import { ownTraits, type PricedLine, variantsOf } from "#pricing/quote/price-order.ts";
import { requoteSale } from "#pricing/quote/requote-sale.ts";
import type { WholeOrder } from "#sales/orders/order.ts";
import { getStore } from "#shop/store/lookups.ts";

import { isSamePrice, offersFor } from "./agreed-items.ts";
import type { Repricing } from "./read-repricing.ts";

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
    return { ...line, traits: offer ?? ownTraits };
  });
}
