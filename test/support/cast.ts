// A small cast for stories: the goods and the people that tests speak of.

import type { TestShop } from "./shop.ts";

/** A product with one variant, as the tests need to name it. */
export interface Goods {
  readonly productId: string;
  readonly variantId: string;
}

/** A mug at 12.50 in the shop's currency, ten of them on the shelf. */
export function mug(shop: TestShop, terms: Readonly<Record<string, unknown>> = {}): Promise<Goods> {
  return goods(shop, { name: "Mug", sku: "MUG", price: 12.5, stock: 10, ...terms });
}

/** A kanga at 20.00, five of them. */
export function kanga(
  shop: TestShop,
  terms: Readonly<Record<string, unknown>> = {},
): Promise<Goods> {
  return goods(shop, { name: "Kanga", sku: "KANGA", price: "20.00", stock: 5, ...terms });
}

/** Ada, who can be reached by email and phone; answers her id. */
export async function ada(shop: TestShop): Promise<string> {
  const made = await shop.post("/v2/customers", {
    email: "ada@example.com",
    phone: "+233201234567",
    name: "Ada Mensah",
  });
  return made.id;
}

async function goods(shop: TestShop, body: Readonly<Record<string, unknown>>): Promise<Goods> {
  const made = await shop.post("/v2/products", body);
  if (made.status !== 201) throw new Error(made.text);
  return { productId: made.id, variantId: made.string("/variants/0/id") };
}
