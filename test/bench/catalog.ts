// What a built shop sells and who buys there, made by the shop's own stories on a clock of the past.

import { createProduct } from "#catalog/products/create-product.ts";
import type { NewProduct } from "#catalog/rows/product.ts";
import { saleName, shownOf } from "#catalog/rows/variant.ts";
import { createCustomer } from "#customers/create-customer.ts";
import type { Address } from "#kernel/address.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import type { Database, Tx } from "#platform/database/database.ts";
import type { VariantOnOffer } from "#pricing/quote/price-order.ts";
import type { CustomerSnapshot } from "#sales/rows/order-life.ts";

export const PRODUCTS = 12_000;
export const CUSTOMERS = 100_000;
/** The first two products of three have one variant, the third has so many. */
const SIZES = ["Small", "Medium", "Large"] as const;
/** Every so many variants have fewer in stock than the merchant wants, from the first day on. */
const LOW_EVERY = 50;
const STORIES_AT_ONCE = 1000;

const colors = "Amber Blue Coral Denim Ecru Forest Gray Henna Indigo Jade Khaki Lilac Maroon Navy";
const materials = "Cotton Linen Leather Sisal Brass Raffia Clay Glass Teak Bamboo Wool Enamel Silk";
const things =
  "Basket Mug Scarf Lamp Bowl Stool Tray Apron Cushion Bracelet Kettle Rug Vase Tote Mirror Clock " +
  "Blanket Lantern Spoon Purse Sandal Hat Necklace Shelf Jug Plate Curtain Drum Mask Comb";
const firstNames = "Ada Kofi Wanjiru Otieno Akosua Kwame Nakato Amina Chidi Zola Themba Fatou Yaw";
const lastNames =
  "Mensah Kamau Odhiambo Boateng Namubiru Okafor Dlamini Diallo Asante Njoroge Balogun";
const cities = "Accra Nairobi Kampala Lagos Kumasi Kisumu Dakar Durban Mombasa Tamale";

/** The word at a place of a list that starts anew at its end. */
function word(words: string, at: number): string {
  const list = words.split(" ");
  return list[at % list.length] ?? "";
}

export const wordsOfProducts = { colors, materials, things };

/** A variant as orders see it, and what is needed to count it. */
export interface Ware extends VariantOnOffer {
  readonly onHand: number;
}

export interface Catalog {
  readonly wares: readonly Ware[];
  readonly customers: readonly CustomerSnapshot[];
}

/** A store whose clock is set by hand. */
export interface PastStore {
  readonly database: Database;
  readonly clock: { at: number };
}

/** Fills the shop in an hour of the past; tells how many products and customers are done. */
export async function fillCatalog(
  past: PastStore,
  onProgress: (done: number) => void,
): Promise<Catalog> {
  const wares: Ware[] = [];
  const customers: CustomerSnapshot[] = [];
  await inGroups(past, PRODUCTS, async (tx, index) => {
    wares.push(...(await makeProduct(tx, index, wares.length)));
    onProgress(index + 1);
  });
  await inGroups(past, CUSTOMERS, async (tx, index) => {
    const { id, email, phone, name } = await createCustomer(tx, personAt(index));
    customers.push({ id, email, phone, name });
    onProgress(PRODUCTS + index + 1);
  });
  return { wares, customers };
}

/** Many stories in one commit, each group a little later than the one before. */
async function inGroups(
  { database, clock }: PastStore,
  count: number,
  story: (tx: Tx, index: number) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < count; from += STORIES_AT_ONCE) {
    clock.at += 1000;
    await database.write(async (tx) => {
      const until = Math.min(from + STORIES_AT_ONCE, count);
      for (let index = from; index < until; index += 1) await story(tx, index);
    });
  }
}

async function makeProduct(tx: Tx, index: number, waresBefore: number): Promise<Ware[]> {
  const asked = productAt(index, waresBefore);
  const product = await createProduct(tx, asked);
  const { slug, images } = product;
  return product.variants.map((variant, place) => ({
    variantId: variant.id,
    productId: product.id,
    sku: variant.sku,
    name: saleName(product.name, variant.title),
    isForSale: true,
    prices: variant.prices,
    shown: shownOf({ ...variant, slug, images }, ""),
    tags: product.tags,
    taxClass: product.taxClass,
    weightGrams: variant.weightGrams,
    requiresShipping: variant.requiresShipping,
    onHand: asked.variants?.[place]?.stock.onHand ?? 0,
  }));
}

function productAt(index: number, waresBefore: number): NewProduct {
  const thing = word(things, index);
  const name = `${word(colors, Math.floor(index / 390))} ${word(materials, Math.floor(index / 30))} ${thing}`;
  const sizes = index % 3 === 2 ? SIZES : [];
  const cents = 300 + ((index * 7919) % 9000);
  const variants = (sizes.length === 0 ? [null] : sizes).map((size, place) => ({
    sku: `SKU-${index}${size === null ? "" : `-${size.charAt(0)}`}`,
    ...(size === null ? {} : { options: { Size: size } }),
    prices: pricesOf(cents + place * 250),
    weightGrams: 100 + ((index * 31) % 900),
    stock: { onHand: (waresBefore + place) % LOW_EVERY === 0 ? 3 : 100 },
  }));
  return {
    fields: {
      name: `${name} ${index}`,
      description: `A ${thing.toLowerCase()} made by hand, one of few; batch ${index}.`,
      category: thing,
      tags: ["handmade", word(materials, Math.floor(index / 30)).toLowerCase()],
      options: sizes.length === 0 ? [] : [{ name: "Size", values: [...sizes] }],
    },
    variants,
    short: { price: undefined, currency: undefined, sku: undefined, stock: undefined },
  };
}

function pricesOf(cents: number) {
  const price = (currency: CurrencyCode, amount: number) => ({
    currency,
    amount: amount.toFixed(2),
    compareAt: null,
  });
  return [price("USD", cents / 100), price("KES", (cents * 129) / 100)];
}

function personAt(index: number) {
  const firstName = word(firstNames, index);
  const lastName = word(lastNames, Math.floor(index / 13));
  return {
    firstName,
    lastName,
    email: `${firstName}.${lastName}.${index}@example.com`,
    phone: `+2547${String(index).padStart(8, "0")}`,
    addresses: [homeOf(`${firstName} ${lastName}`, index)],
  };
}

/** The address of a customer. */
export function homeOf(name: string | null, index: number): Address {
  return {
    name,
    line1: `${1 + (index % 200)} Market Street`,
    line2: null,
    city: word(cities, index),
    region: null,
    postalCode: null,
    country: "KE",
    phone: null,
  };
}
