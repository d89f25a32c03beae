// The data of a seeded test shop: products made in East and West Africa, and customers. All of them
// are invented.

import type { NewProduct } from "#catalog/products/product.ts";
import type { NewVariant } from "#catalog/variants/variant.ts";
import type { CustomerChange } from "#customers/customer.ts";
import type { Address } from "#kernel/address.ts";
import type { CurrencyCode } from "#kernel/currency.ts";

import { localPrice } from "./seed-prices.ts";

/** One variant; `sku` is the suffix to the product's. */
type SeedVariant = readonly [
  sku: string,
  values: readonly string[],
  dollars: number,
  grams: number,
  stock: number,
];

interface SeedProduct {
  readonly name: string;
  readonly description: string;
  readonly category: string;
  readonly tags: readonly string[];
  readonly sku: string;
  /** The option names of its variants. */
  readonly options: readonly string[];
  readonly variants: readonly SeedVariant[];
}

// prettier-ignore
const catalog: readonly SeedProduct[] = [
  { name: "Bugisu Arabica Coffee", description: "Washed arabica from the slopes of Mount Elgon.",
    category: "Groceries", tags: ["coffee", "uganda"], sku: "COF-BUG", options: ["Weight"],
    variants: [["250", ["250 g"], 7.5, 260, 80], ["1000", ["1 kg"], 25, 1030, 30]] },
  { name: "Kericho Black Tea", description: "Loose leaf, brisk and bright; 50 cups or more.",
    category: "Groceries", tags: ["tea", "kenya"], sku: "TEA-KER", options: [],
    variants: [["100", [], 4, 110, 120]] },
  { name: "Raw Forest Honey", description: "Unheated honey, strained and nothing else.",
    category: "Groceries", tags: ["honey"], sku: "HON-FOR", options: ["Jar"],
    variants: [["S", ["300 g"], 5, 520, 60], ["L", ["1 kg"], 14, 1450, 8]] },
  { name: "Shea Butter", description: "Unrefined butter from Tamale, for skin and hair.",
    category: "Beauty", tags: ["ghana", "skin"], sku: "SHE-BUT", options: ["Size"],
    variants: [["100", ["100 ml"], 6, 130, 75], ["250", ["250 ml"], 12, 310, 40]] },
  { name: "Black Soap Bar", description: "Plantain ash, palm oil and cocoa pods.",
    category: "Beauty", tags: ["ghana", "skin"], sku: "SOA-BLK", options: [],
    variants: [["1", [], 3.5, 150, 200]] },
  { name: "Kitenge Tote Bag", description: "Lined cotton bag, cut from one length of kitenge.",
    category: "Accessories", tags: ["bag", "cotton"], sku: "BAG-KIT", options: ["Color"],
    variants: [["BLU", ["Blue"], 18, 240, 25], ["RED", ["Red"], 18, 240, 22],
      ["YEL", ["Yellow"], 18, 240, 0]] },
  { name: "Kikoi Beach Towel", description: "Flat-woven cotton from the coast, 100 by 170 cm.",
    category: "Home", tags: ["cotton", "kenya"], sku: "TOW-KIK", options: ["Color"],
    variants: [["TEA", ["Teal"], 22, 380, 34], ["SAN", ["Sand"], 22, 380, 31]] },
  { name: "Bolga Market Basket", description: "Woven elephant grass with a leather handle.",
    category: "Home", tags: ["ghana", "basket"], sku: "BAS-BOL", options: ["Size"],
    variants: [["M", ["Medium"], 28, 650, 15], ["L", ["Large"], 36, 900, 12]] },
  { name: "Enamel Mug", description: "Steel, two coats of enamel, 350 ml.",
    category: "Home", tags: ["kitchen"], sku: "MUG-ENA", options: [],
    variants: [["350", [], 8, 180, 90]] },
  { name: "Everyday T-Shirt", description: "Combed cotton jersey, sewn in Kampala.",
    category: "Clothing", tags: ["cotton", "uganda"], sku: "TEE-EVE", options: ["Size", "Color"],
    variants: [["S-WHT", ["S", "White"], 15, 160, 20], ["M-WHT", ["M", "White"], 15, 170, 35],
      ["L-WHT", ["L", "White"], 15, 180, 30], ["S-BLK", ["S", "Black"], 15, 160, 18],
      ["M-BLK", ["M", "Black"], 15, 170, 33], ["L-BLK", ["L", "Black"], 15, 180, 3]] },
  { name: "Beaded Bracelet", description: "Glass beads on brass wire, made by hand.",
    category: "Accessories", tags: ["jewelry", "kenya"], sku: "BRA-BEA", options: ["Pattern"],
    variants: [["SUN", ["Sunrise"], 9, 25, 50], ["SAV", ["Savanna"], 9, 25, 45]] },
  { name: "Solar Lantern", description: "Charges in a day, lights for eight hours, charges a phone.",
    category: "Electronics", tags: ["solar"], sku: "LAN-SOL", options: [],
    variants: [["2", [], 32, 540, 40]] },
];

/** The products, priced in the currency. */
export function seedProducts(currency: CurrencyCode): NewProduct[] {
  return catalog.map(({ name, description, category, tags, options, ...product }) => ({
    fields: {
      name,
      description,
      category,
      tags,
      options: options.map((option, index) => ({
        name: option,
        values: [...new Set(product.variants.map(([, values]) => values[index] ?? ""))],
      })),
    },
    variants: product.variants.map((variant) =>
      seedVariant(variant, { sku: product.sku, options, currency }),
    ),
    short: { price: undefined, currency: undefined, sku: undefined, stock: undefined },
  }));
}

function seedVariant(
  [sku, values, dollars, weightGrams, onHand]: SeedVariant,
  of: {
    readonly sku: string;
    readonly options: readonly string[];
    readonly currency: CurrencyCode;
  },
): NewVariant {
  return {
    sku: `${of.sku}-${sku}`,
    options: Object.fromEntries(of.options.map((name, index) => [name, values[index] ?? ""])),
    prices: [{ currency: of.currency, amount: localPrice(dollars, of.currency), compareAt: null }],
    weightGrams,
    stock: { onHand },
  };
}

type SeedCustomer = readonly [
  firstName: string,
  lastName: string,
  phone: string,
  place: readonly [street: string, city: string, country: string],
  tags: readonly string[],
];

// prettier-ignore
const people: readonly SeedCustomer[] = [
  ["Wanjiru", "Kamau", "+254711000101", ["12 Kimathi Street", "Nairobi", "KE"], ["regular"]],
  ["Otieno", "Odhiambo", "+254722000102", ["4 Oginga Odinga Road", "Kisumu", "KE"], []],
  ["Akosua", "Mensah", "+233244000103", ["27 Oxford Street", "Accra", "GH"], ["vip"]],
  ["Kwame", "Boateng", "+233205000104", ["9 Prempeh II Street", "Kumasi", "GH"], []],
  ["Nakato", "Namubiru", "+256772000105", ["31 Kampala Road", "Kampala", "UG"], ["regular"]],
];

/** The customers. */
export const seedCustomers: readonly CustomerChange[] = people.map(
  ([firstName, lastName, phone, place, tags]) => ({
    firstName,
    lastName,
    email: `${firstName}.${lastName}@example.com`.toLowerCase(),
    phone,
    addresses: [homeOf(`${firstName} ${lastName}`, place)],
    tags,
  }),
);

function homeOf(name: string, [line1, city, country]: SeedCustomer[3]): Address {
  const nothing = { line2: null, region: null, postalCode: null, phone: null };
  return { ...nothing, name, line1, city, country };
}
