// The products and the customers that tests use by name. In a shared shop each has a number in its name, so that
// tests do not meet: "Mug 3" with the SKU "MUG-3", and ada3@example.com.

import type { TestShop } from "./shop.ts";

type Terms = Readonly<Record<string, unknown>>;

/** A product with one variant. */
export interface Goods {
  readonly productId: string;
  readonly variantId: string;
}

/** The same by its name, which is its own in a shared shop. */
export interface NamedGoods extends Goods {
  readonly name: string;
  readonly sku: string;
}

/** A customer with both contacts. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
}

/** A mug at 12.50 in the shop's currency, with a stock of ten. */
export function mug(shop: TestShop, terms: Terms = {}): Promise<NamedGoods> {
  return goods(shop, { ...named(shop, "Mug"), price: 12.5, stock: 10, ...terms });
}

/** A kanga at 20.00, with a stock of five. */
export function kanga(shop: TestShop, terms: Terms = {}): Promise<NamedGoods> {
  return goods(shop, { ...named(shop, "Kanga"), price: "20.00", stock: 5, ...terms });
}

/** Creates Ada, with email and phone; returns her id. */
export async function ada(shop: TestShop): Promise<string> {
  return (await adaMensah(shop)).id;
}

/** Creates Ada, with email and phone. */
export async function adaMensah(shop: TestShop): Promise<Person> {
  const number = shop.nextNumber();
  const person = {
    email: `ada${number ?? ""}@example.com`,
    phone: number === null ? "+233201234567" : `+2332012${String(number).padStart(5, "0")}`,
    name: number === null ? "Ada Mensah" : `Ada Mensah ${number}`,
  };
  const made = await shop.post("/v2/customers", person);
  return { id: made.id, ...person };
}

/** The contact of Kofi, of whom the shop has no record yet. */
export function kofi(shop: TestShop): Pick<Person, "email" | "phone"> {
  const number = shop.nextNumber();
  return {
    email: `kofi${number ?? ""}@example.com`,
    phone: `+2335000${String(number ?? 0).padStart(5, "0")}`,
  };
}

/** Creates a product with one variant. */
export async function goods(shop: TestShop, body: Terms): Promise<NamedGoods> {
  const made = await shop.post("/v2/products", body);
  if (made.status !== 201) throw new Error(made.text);
  return {
    productId: made.id,
    variantId: made.string("/variants/0/id"),
    name: made.string("/name"),
    sku: String(made.at("/variants/0/sku")),
  };
}

/** The name and the SKU of goods, with the shop's next number where it is shared. */
export function named(
  shop: TestShop,
  name: string,
): { readonly name: string; readonly sku: string } {
  const number = shop.nextNumber();
  const sku = name.toUpperCase();
  return number === null ? { name, sku } : { name: `${name} ${number}`, sku: `${sku}-${number}` };
}
