// Shops with discounts, taxes and shipping, and what their carts and orders come to.

import { type Goods, goods } from "../../support/cast.ts";
import type { Answered, TestShop } from "../../support/shop.ts";

type Terms = Readonly<Record<string, unknown>>;

export const accra = { line1: "1 High Street", city: "Accra", country: "GH" };
export const berlin = { line1: "Torstr. 1", city: "Berlin", postal_code: "10119", country: "DE" };
export const paris = { line1: "Rue Cler 1", city: "Paris", postal_code: "75007", country: "FR" };

/** The three levies of Ghana, 20 % in all. */
export const levies = [
  { name: "GETFund", rate: 2.5 },
  { name: "NHIL", rate: 2.5 },
  { name: "VAT", rate: 15 },
];

/** The answer, which has this status. */
export function must(answered: Answered, status: number): Answered {
  if (answered.status !== status) throw new Error(answered.text);
  return answered;
}

/** Gives the shop a country and the tax rates of it, or of the countries that they name. */
export async function tax(
  shop: TestShop,
  country: string,
  { rates, ...store }: { readonly rates: readonly Terms[]; readonly [setting: string]: unknown },
): Promise<void> {
  must(await shop.put("/v2/store", { country, ...store }), 200);
  for (const rate of rates) must(await shop.post("/v2/tax-rates", { country, ...rate }), 201);
}

/** Creates a discount and returns its id: 10 % of the order for everyone, or what the terms say. */
export async function discount(shop: TestShop, terms: Terms = {}): Promise<string> {
  const plain = "amounts" in terms || "buy_get" in terms ? {} : { percent: 10 };
  const body = { title: "Sale", target: "order", ...plain, ...terms };
  return must(await shop.post("/v2/discounts", body), 201).id;
}

/** The text of a code, with a number in a shared shop, where no other test has it. */
export function codeIn(shop: TestShop, text: string): string {
  const number = shop.nextNumber();
  return number === null ? text : `${text}-${number}`;
}

/** A price in the currency of test shops, as discounts and shipping rates have it. */
export const usd = (amount: number | string) => [{ currency: "USD", amount }];

/** A zone of these countries with one rate: 5.00 whatever the goods are, or what the terms say. */
export async function shipTo(
  shop: TestShop,
  countries: readonly string[],
  terms: Terms = {},
): Promise<string> {
  const places = countries.map((country) => ({ country }));
  const zone = must(await shop.post("/v2/shipping-zones", { name: countries.join(), places }), 201);
  const flat = { name: "Rider", kind: "flat", tiers: [{ from: 0, amounts: usd(5) }] };
  const rate = { zone_id: zone.id, ...flat, ...terms };
  return must(await shop.post("/v2/shipping-rates", rate), 201).id;
}

/** A product of its own name with plenty of stock. */
export async function sold(shop: TestShop, price: number | string, terms: Terms = {}) {
  return goods(shop, { name: "Goods", price, stock: 1000, ...terms });
}

/** A line of a request. */
export function of({ variantId }: Goods, quantity = 1) {
  return { variant_id: variantId, quantity };
}

/** What a cart or an order comes to. */
export function totalsOf(answered: Answered) {
  const minor = (name: string) => answered.number(`/${name}_minor`);
  return {
    subtotal: minor("subtotal"),
    discount: minor("discount_total"),
    shipping: minor("shipping_total"),
    tax: minor("tax_total"),
    included: minor("included_tax_total"),
    total: minor("total"),
  };
}

/** The taxes as `name taxable amount`, in minor units. */
export function taxesOf(answered: Answered): string[] {
  return answered
    .list("/tax_lines")
    .map((line) => Object(line))
    .map(({ name, taxable_minor, amount_minor }) => `${name} ${taxable_minor} ${amount_minor}`);
}

/** The codes that take nothing off, as `code reason`. */
export function reasonsOf(answered: Answered, list = "/rejected_codes"): string[] {
  return answered
    .list(list)
    .map((one) => Object(one))
    .map(({ code, reason }) => `${code} ${reason}`);
}
