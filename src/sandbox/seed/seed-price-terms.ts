// Story: gives a seeded shop what decides on its prices: a discount with a code and an automatic one, the taxes of
// Ghana, and ways to ship there. A shop that has rates of Ghana already keeps its own.

import { placeMembers } from "#catalog/collections/place-members.ts";
import { createCollection } from "#catalog/collections/update-collection.ts";
import type { Product } from "#catalog/rows/product.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { MILLION } from "#kernel/money.ts";
import type { Tx } from "#platform/database/database.ts";
import { readNewDiscount } from "#pricing/discounts/request-schema.ts";
import { createDiscount } from "#pricing/discounts/update-discount.ts";
import { pickupLocations } from "#pricing/shipping/pickup-location-schema.ts";
import { shippingRates } from "#pricing/shipping/rate-schema.ts";
import type { ShippingOptionId } from "#pricing/shipping/shipping-charge.ts";
import { SHIPPING_ZONES_MAX, shippingZones } from "#pricing/shipping/zone-schema.ts";
import type { ShippingZone } from "#pricing/shipping/zone.ts";
import { updateStore } from "#shop/settings/update-store.ts";
import { getStore } from "#shop/store/lookups.ts";
import { listTaxRates } from "#shop/taxes/lookups.ts";
import { presets } from "#shop/taxes/presets.ts";
import { createTaxRate } from "#shop/taxes/tax-rates.ts";

import { localPrice } from "./seed-prices.ts";

const COUNTRY = "GH";
/** The code that customers of the seed enter. */
export const SEED_CODE = "AKWAABA10";
/** From this many units an order is one of a reseller. */
const BULK_UNITS = 8;

/** The ways in which goods of the seed reach their customers. */
export type ShippingName = "standard" | "express" | "pickup";
export type ShippingOptions = Readonly<Record<ShippingName, ShippingOptionId>>;

/** Afterwards sales are priced by the terms. Refuses with `discount_code_taken` where the code exists. */
export async function seedPriceTerms(tx: Tx, currency: CurrencyCode): Promise<ShippingOptions> {
  await seedDiscounts(tx);
  await seedTaxes(tx);
  return seedShipping(tx, currency);
}

async function seedDiscounts(tx: Tx): Promise<void> {
  const forAll = { title: "Bulk order", target: "order", percent: 5 } as const;
  const minimum = { quantity: BULK_UNITS };
  const welcome = { title: "Welcome", percent: 10, codes: [SEED_CODE] };
  await createDiscount(tx, readNewDiscount({ ...welcome, target: "order" }));
  await createDiscount(tx, readNewDiscount({ ...forAll, minimum }));
}

/** The rates hold from now on, which is weeks ago: every sale of the seed is taxed alike, whenever it is made. */
async function seedTaxes(tx: Tx): Promise<void> {
  if ((await getStore(tx)).country === null) await updateStore(tx, { country: COUNTRY }, null);
  const search = { country: COUNTRY, activeAt: undefined };
  const { rows } = await listTaxRates(tx, search, { limit: 1, after: null });
  if (rows.length > 0) return;
  const rates = presets.find(({ country }) => country === COUNTRY)?.rates ?? [];
  for (const { taxClass, name, millionths } of rates) {
    const rate = (millionths * 100) / MILLION;
    await createTaxRate(tx, { country: COUNTRY, tax_class: taxClass, name, rate });
  }
}

async function seedShipping(tx: Tx, currency: CurrencyCode): Promise<ShippingOptions> {
  const { id: zoneId } = (await findZone(tx)) ?? (await createZone(tx));
  const flat = (dollars: number) => {
    const amounts = [{ currency, amount: localPrice(dollars, currency) }];
    return { zone_id: zoneId, kind: "flat" as const, tiers: [{ from: 0, amounts }] };
  };
  const days = { min_days: 1, max_days: 3 };
  const standard = await shippingRates.create(tx, { ...flat(2), name: "Courier", ...days });
  const sameDay = { min_days: 0, max_days: 1 };
  const express = await shippingRates.create(tx, {
    ...flat(5),
    name: "Same-day rider",
    ...sameDay,
  });
  const pickup = await pickupLocations.create(tx, {
    name: "Osu shop",
    address: { line1: "12 Oxford Street, Osu", city: "Accra", country: COUNTRY },
    instructions: "Monday to Saturday, 9:00 to 18:00. Bring the order's number.",
  });
  return { standard: standard.id, express: express.id, pickup: pickup.id };
}

/** No two zones have the same place: where a zone has Ghana, its rates are added to. */
async function findZone(tx: Tx): Promise<ShippingZone | undefined> {
  const { rows } = await shippingZones.list(tx, { limit: SHIPPING_ZONES_MAX, after: null });
  return rows.find(({ places }) =>
    places.some(
      ({ country, region, postalPrefix }) =>
        country === COUNTRY && region === null && postalPrefix === null,
    ),
  );
}

function createZone(tx: Tx): Promise<ShippingZone> {
  return shippingZones.create(tx, { name: "Ghana", places: [{ country: COUNTRY }] });
}

// Story: gives a seeded shop the collections of its menu: two with rules, one that was picked by hand.

const anything = { category: null, tags: [], brand: null, q: null };

/** In the order in which the merchant shows them, by the beginnings of their SKUs. */
const gifts = ["BAS-BOL", "HON-FOR", "BRA-KRO", "SHE-BUT", "LAN-SOL"];

/** Creates the collections. The products of the seed must be there. */
export async function seedCollections(tx: Tx, products: readonly Product[]): Promise<void> {
  await createCollection(tx, {
    title: "For the home",
    description: "Baskets, batik and enamel.",
    rule: { ...anything, category: "Home" },
  });
  await createCollection(tx, {
    title: "Cotton",
    description: "Woven, dyed and sewn in Ghana.",
    rule: { ...anything, tags: ["cotton"] },
    sort: "price",
  });
  const { id } = await createCollection(tx, {
    title: "Gifts",
    description: "What travels well and is liked by everyone.",
  });
  const productIds = gifts.flatMap((prefix) =>
    products.filter((one) => one.variants[0]?.sku?.startsWith(prefix)).map((one) => one.id),
  );
  await placeMembers(tx, id, { productIds, expected: null });
}
