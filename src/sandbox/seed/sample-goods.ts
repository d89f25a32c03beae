// A made-up product and a made-up person. They are in no table: triggered events show them.

import type { StockLevel } from "#catalog/inventory/inventory.ts";
import { plainProduct, type Product, readVariants, slugOf } from "#catalog/products/product.ts";
import { titleOf, type Variant } from "#catalog/variants/variant.ts";
import { changedDetails, type Customer, emptyDetails } from "#customers/customer.ts";
import { defined } from "#kernel/change.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { newId } from "#kernel/id.ts";

import { seedProducts } from "./seed.ts";

/** Fewer than the merchant wants to have. */
const LOW_STOCK = { onHand: 3, reserved: 1, lowStockThreshold: 5, tracked: true };

/** A product of the seeded shop, as if it had just been made. */
export function sampleProduct(now: number, currency: CurrencyCode): Product {
  const [asked] = seedProducts(currency);
  if (asked === undefined) throw new Error("There is nothing to seed a shop with.");
  const { name } = asked.fields;
  const id = newId("product", now);
  const fields = { ...plainProduct, ...defined(asked.fields), name, slug: slugOf(name) };
  const variants = readVariants(asked, currency).map(({ stock, ...draft }, position) => ({
    ...draft,
    id: newId("variant", now),
    productId: id,
    position,
    title: draft.title ?? titleOf(draft.options, fields.options),
    available: stock.onHand,
  }));
  return { ...fields, id, variants, version: 1, createdAt: now, updatedAt: now };
}

/** The variant of a made-up product that is ordered, and that runs out. */
export function sampleVariant({ variants }: Product): Variant {
  const [variant] = variants;
  if (variant === undefined) throw new Error("A product has a variant.");
  return variant;
}

/** What is left of a variant: too little. */
export function sampleLevel({ id, productId, sku }: Variant) {
  const level: StockLevel = LOW_STOCK;
  return { ...level, variantId: id, productId, sku };
}

/** Somebody, as if they had just become a customer. */
export function sampleCustomer(now: number): Customer {
  const home = {
    name: "Asha Juma",
    line1: "8 Uhuru Street",
    line2: null,
    city: "Dar es Salaam",
    region: null,
    postalCode: null,
    country: "TZ",
    phone: null,
  };
  const details = changedDetails(emptyDetails, {
    firstName: "Asha",
    lastName: "Juma",
    email: "asha.juma@example.com",
    phone: "+255754000106",
    addresses: [home],
  });
  const times = { createdAt: now, updatedAt: now };
  return {
    ...details,
    id: newId("customer", now),
    ordersCount: 0,
    erasedAt: null,
    version: 1,
    ...times,
  };
}
