// Lookup: what a cart comes to now.

import { findSellableUnits } from "#catalog/inventory/lookups.ts";
import { findSellableVariants, type SellableVariant } from "#catalog/products/lookups.ts";
import type { Customer } from "#customers/customer.ts";
import { findCustomer, findCustomerByContact } from "#customers/lookups.ts";
import type { Reader } from "#platform/database/database.ts";
import type { PricedSaleLine } from "#pricing/calculation/sale.ts";
import { limitsOf } from "#pricing/discount-uses/discount-use.ts";
import { type QuotedLine, quoteLines } from "#pricing/quote/price-cart.ts";
import { type LineToQuote, ownTraits } from "#pricing/quote/price-order.ts";
import { quoteSale, type SaleToQuote } from "#pricing/quote/quote-sale.ts";
import type { ShippingAsked } from "#pricing/shipping/shipping-charge.ts";
import type { Cart, CartFields, PricedCart } from "#sales/rows/cart.ts";
import { missingIn } from "#sales/rows/requirements.ts";
import { getStore } from "#shop/store/lookups.ts";

export interface CartPricing {
  /** Epoch milliseconds. */
  readonly atMs: number;
  /** True if limits per customer are checked, as completing does: a price then tells what a contact bought before. */
  readonly judgesLimits: boolean;
}

/** The fields of a cart, and what it remembers of its lines; a new cart remembers nothing. */
export type CartToPrice = CartFields & Partial<Pick<Cart, "remembered">>;

/** Returns what the fields of a cart come to at an instant. */
export async function priceCart(
  db: Reader,
  cart: CartToPrice,
  { atMs, judgesLimits }: CartPricing,
): Promise<Omit<PricedCart, "cart">> {
  const store = await getStore(db);
  const ids = [...new Set(cart.lines.map((line) => line.variantId))];
  const entries = await findSellableVariants(db, ids);
  const sellable = await findSellableUnits(db, ids);
  const lines = quoteLines(cart.lines, cart.currency, { entries, sellable }).map((line) =>
    withName(line, cart.remembered ?? []),
  );
  const quotable = lines.map((line) => toQuote(line, entries.get(line.variantId)));
  const named = cart.customerId === null ? undefined : await findCustomer(db, cart.customerId);
  const quote = await quoteSale(db, store, {
    currency: cart.currency,
    atMs,
    lines: quotable,
    codes: cart.discountCodes,
    manual: null,
    ...(await customerOf(db, cart, { named, judgesLimits })),
    shippingAddress: cart.shippingAddress,
    billingAddress: cart.billingAddress,
    shipping: askedOf(cart),
  });
  const { pricesIncludeTax } = store;
  const missing =
    cart.lines.length === 0
      ? []
      : missingIn(store, { ...cart, contact: cart, record: named ?? null, lines: quotable, quote });
  if (quote === null) {
    const { shippingLabel, shippingMinor } = cart;
    return {
      lines,
      price: { ...plainPrice, shippingLabel, shippingMinor, pricesIncludeTax, missing },
    };
  }
  const { priced, breakdown, shippingLabel, options, rejected, problem } = quote;
  const shippingMinor = priced.shipping.amountMinor;
  return {
    lines: lines.map((line, position) => withoutTax(line, priced.lines[position])),
    price: {
      breakdown,
      shippingLabel,
      shippingMinor,
      pricesIncludeTax,
      options,
      rejected,
      problem,
      missing,
    },
  };
}

const plainPrice = { breakdown: null, options: [], rejected: [], problem: null } as const;

/** A line whose variant was deleted keeps the name that the customer chose it by. */
function withName(line: QuotedLine, remembered: Cart["remembered"]): QuotedLine {
  if (line.name !== null) return line;
  const former = remembered.find(({ variantId }) => variantId === line.variantId);
  return former === undefined ? line : { ...line, sku: former.sku, name: former.name };
}

/** A line that cannot be sold takes no part in the price. */
function toQuote(line: QuotedLine, entry: SellableVariant | undefined): LineToQuote {
  const { variantId, productId, unitPriceMinor, totalMinor, quantity } = line;
  if (entry === undefined || unitPriceMinor === null || totalMinor === null) {
    const nothing = { ...ownTraits, requiresShipping: false, unitMinor: 0, quantity: 0 };
    return { ...nothing, variantId, productId };
  }
  const { tags, taxClass, weightGrams, requiresShipping } = entry;
  const traits = { tags, taxClass, weightGrams, requiresShipping };
  return { ...traits, variantId, productId, unitMinor: unitPriceMinor, quantity };
}

/** Shows the price of the line without a tax that the prices contain, where the customer is exempt. */
function withoutTax(line: QuotedLine, priced: PricedSaleLine | undefined): QuotedLine {
  if (line.totalMinor === null || priced === undefined) return line;
  return { ...line, unitPriceMinor: priced.unitMinor, totalMinor: priced.subtotalMinor };
}

/**
 * A cart tells nothing of what a customer did before: limits per customer are checked when it is completed. A typed
 * contact proves no one, so only a customer that the merchant named has tags and an exemption.
 */
async function customerOf(
  db: Reader,
  { customerId, email, phone, taxId }: CartFields,
  { named, judgesLimits }: { readonly named: Customer | undefined; readonly judgesLimits: boolean },
): Promise<Pick<SaleToQuote, "customer" | "exemption" | "taxId">> {
  const tags = named?.tags ?? null;
  const limited = judgesLimits
    ? limitsOf(named ?? (await findCustomerByContact(db, { email, phone })), { email, phone })
    : { id: customerId, hasLimits: false };
  return {
    customer: { ...limited, tags },
    exemption: named?.taxExemption ?? "none",
    taxId: taxId ?? named?.taxId ?? null,
  };
}

function askedOf({
  shippingOptionId,
  shippingLabel: label,
  shippingMinor: amountMinor,
}: CartFields): ShippingAsked | null {
  if (shippingOptionId !== null) return { optionId: shippingOptionId };
  return label === null && amountMinor === 0 ? null : { label, amountMinor };
}
