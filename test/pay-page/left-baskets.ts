// Baskets that were left, with the links that lead back to them.

import { HOUR_MS, later, left } from "../sales/carts/basket.ts";
import { of, place } from "../sales/orders/counter.ts";
import { type Goods, mug } from "../support/cast.ts";
import type { TestShop } from "../support/shop.ts";

/** What the button of the page sends. */
export const press = (url: string) => fetch(url, { method: "POST", redirect: "manual" });

/** The link of a cart with two mugs that was left at the counter. */
export async function leftMugs(shop: TestShop) {
  const cup = await mug(shop);
  const cart = await left(shop, [of(cup, 2)], { email: "ada@example.com", payment_method: "card" });
  return { cup, cart, url: cart.string("/recovery_url") };
}

/** The link of an order that nobody paid for an hour. */
export async function leftOrder(shop: TestShop) {
  const order = await place(shop, [of(await mug(shop))], { payment_method: "gateway" });
  await shop.announced();
  await later(shop, HOUR_MS);
  const [told] = await shop.announced();
  return { order, url: String(Reflect.get(Object(told?.data), "recovery_url")) };
}

/** Another price from now on. */
export function reprice(shop: TestShop, { productId, variantId }: Goods, amount: string) {
  return shop.put(`/v2/products/${productId}/variants/${variantId}`, {
    prices: [{ currency: "USD", amount }],
  });
}
