// The products and the customer that tests use by name.

import type { TestShop } from "./shop.ts";

/** A product with one variant. */
export interface Goods {
  readonly productId: string;
  readonly variantId: string;
}

/** A mug at 12.50 in the shop's currency, with a stock of ten. */
export function mug(shop: TestShop, terms: Readonly<Record<string, unknown>> = {}): Promise<Goods> {
  return goods(shop, { name: "Mug", sku: "MUG", price: 12.5, stock: 10, ...terms });
}

/** A kanga at 20.00, with a stock of five. */
export function kanga(
  shop: TestShop,
  terms: Readonly<Record<string, unknown>> = {},
): Promise<Goods> {
  return goods(shop, { name: "Kanga", sku: "KANGA", price: "20.00", stock: 5, ...terms });
}

/** Creates Ada, with email and phone; returns her id. */
export async function ada(shop: TestShop): Promise<string> {
  const made = await shop.post("/v2/customers", {
    email: "ada@example.com",
    phone: "+233201234567",
    name: "Ada Mensah",
  });
  return made.id;
}

/** Creates a product with one variant. */
export async function goods(
  shop: TestShop,
  body: Readonly<Record<string, unknown>>,
): Promise<Goods> {
  const made = await shop.post("/v2/products", body);
  if (made.status !== 201) throw new Error(made.text);
  return { productId: made.id, variantId: made.string("/variants/0/id") };
}
