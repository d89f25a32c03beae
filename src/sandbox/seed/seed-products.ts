// The products of a seeded test shop, as a small shop in Accra sells them. All of them are invented.

import type { NewProduct } from "#catalog/rows/product.ts";
import type { NewVariant } from "#catalog/rows/variant.ts";
import type { CurrencyCode } from "#kernel/currency.ts";
import { type PictureName, picturePath } from "#sandbox/pictures/pictures.ts";

import { localPrice } from "./seed-prices.ts";

/** One variant; `sku` is the suffix to the product's. */
type SeedVariant = readonly [
  sku: string,
  values: readonly string[],
  dollars: number,
  grams: number,
  /** Opening stock, before the sales of the seed. */
  stock: number,
];

interface SeedProduct {
  readonly name: string;
  readonly description: string;
  readonly category: string;
  /** Not all products have one. */
  readonly brand?: string;
  readonly tags: readonly string[];
  readonly sku: string;
  readonly picture: PictureName;
  /** A description of the picture, for those who do not see it. */
  readonly alt: string;
  /** The option names of its variants. */
  readonly options: readonly string[];
  readonly variants: readonly SeedVariant[];
}

// prettier-ignore
const catalog: readonly SeedProduct[] = [
  { name: "Volta Arabica Coffee", description: "Washed arabica from the hills of Leklebi, roasted every Monday.",
    category: "Groceries", tags: ["coffee", "volta"], brand: "Leklebi Roasters",
    sku: "COF-VOL", options: ["Weight"],
    picture: "coffee", alt: "A bag of coffee with a bean on its label",
    variants: [["250", ["250 g"], 7.5, 260, 24], ["1000", ["1 kg"], 25, 1030, 18]] },
  { name: "Sobolo Hibiscus Tea", description: "Dried hibiscus with ginger and cloves; enough for five liters.",
    category: "Groceries", tags: ["tea", "hibiscus"], brand: "Sobolo House",
    sku: "TEA-SOB", options: [],
    picture: "sobolo", alt: "A glass of red hibiscus tea",
    variants: [["100", [], 4, 110, 70]] },
  { name: "Forest Honey", description: "Unheated honey from Kintampo, strained and nothing else.",
    category: "Groceries", tags: ["honey"], brand: "Kintampo Bees",
    sku: "HON-FOR", options: ["Jar"],
    picture: "honey", alt: "A jar of honey",
    variants: [["S", ["300 g"], 5, 520, 36], ["L", ["1 kg"], 14, 1450, 8]] },
  { name: "Shea Butter", description: "Unrefined butter from Tamale, for skin and hair.",
    category: "Beauty", tags: ["shea", "skin"], brand: "Tamale Naturals",
    sku: "SHE-BUT", options: ["Size"],
    picture: "shea", alt: "An open tin of shea butter",
    variants: [["100", ["100 ml"], 6, 130, 50], ["250", ["250 ml"], 12, 310, 34]] },
  { name: "Black Soap Bar", description: "Alata samina: plantain ash, palm oil and cocoa pods.",
    category: "Beauty", tags: ["soap", "skin"], brand: "Tamale Naturals",
    sku: "SOA-BLK", options: [],
    picture: "soap", alt: "A bar of black soap in a paper band",
    variants: [["1", [], 3.5, 150, 90]] },
  { name: "Wax Print Tote Bag", description: "Lined cotton bag, cut from one length of wax print.",
    category: "Accessories", tags: ["bag", "cotton"], brand: "Makola Studio",
    sku: "BAG-WAX", options: ["Color"],
    picture: "tote", alt: "A tote bag with a wax print pattern",
    variants: [["BLU", ["Blue"], 18, 240, 20], ["RED", ["Red"], 18, 240, 16],
      ["YEL", ["Yellow"], 18, 240, 3]] },
  { name: "Batik Throw", description: "Cotton, waxed and dyed by hand in Ntonso, 130 by 170 cm.",
    category: "Home", tags: ["cotton", "batik"], brand: "Makola Studio",
    sku: "THR-BAT", options: ["Color"],
    picture: "throw", alt: "A folded throw with batik circles",
    variants: [["IND", ["Indigo"], 22, 580, 18], ["OCH", ["Ochre"], 22, 580, 12]] },
  { name: "Bolga Market Basket", description: "Woven elephant grass from Bolgatanga with a leather handle.",
    category: "Home", tags: ["basket"], sku: "BAS-BOL", options: ["Size"],
    picture: "basket", alt: "A round woven basket with a handle",
    variants: [["M", ["Medium"], 28, 650, 6], ["L", ["Large"], 36, 900, 12]] },
  { name: "Enamel Mug", description: "Steel, two coats of enamel, 350 ml.",
    category: "Home", tags: ["kitchen"], sku: "MUG-ENA", options: [],
    picture: "mug", alt: "An enamel mug with a dark rim",
    variants: [["350", [], 8, 180, 44]] },
  { name: "Everyday T-Shirt", description: "Heavy cotton jersey, sewn in Tema.",
    category: "Clothing", tags: ["cotton"], brand: "Tema Cotton",
    sku: "TEE-EVE", options: ["Size", "Color"],
    picture: "shirt", alt: "A T-shirt with a sun on it",
    variants: [["S-WHT", ["S", "White"], 15, 160, 14], ["M-WHT", ["M", "White"], 15, 170, 24],
      ["L-WHT", ["L", "White"], 15, 180, 20], ["S-BLK", ["S", "Black"], 15, 160, 20],
      ["M-BLK", ["M", "Black"], 15, 170, 24], ["L-BLK", ["L", "Black"], 15, 180, 14]] },
  { name: "Krobo Bead Bracelet", description: "Beads of recycled glass, fired in Odumase-Krobo.",
    category: "Accessories", tags: ["jewelry", "beads"], sku: "BRA-KRO", options: ["Pattern"],
    picture: "bracelet", alt: "A bracelet of glass beads",
    variants: [["SUN", ["Sunrise"], 9, 25, 40], ["SAV", ["Savanna"], 9, 25, 30]] },
  { name: "Solar Lantern", description: "Charges in a day, lights for eight hours, charges a phone.",
    category: "Electronics", tags: ["solar"], brand: "Sunhub",
    sku: "LAN-SOL", options: [],
    picture: "lantern", alt: "A solar lantern that is lit",
    variants: [["2", [], 32, 540, 20]] },
];

/** The products, priced in the currency, with pictures that the server at `publicUrl` serves. */
export function seedProducts(currency: CurrencyCode, publicUrl: string): NewProduct[] {
  return catalog.map(({ name, description, category, tags, options, ...product }) => ({
    fields: {
      name,
      description,
      category,
      brand: product.brand ?? null,
      tags,
      images: [{ url: publicUrl + picturePath(product.picture), alt: product.alt }],
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
