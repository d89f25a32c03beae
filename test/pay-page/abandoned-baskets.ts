// Abandoned carts and unpaid orders with their recovery links.

import { abandonedCart, HOUR_MS, later } from "../sales/carts/basket.ts";
import { of, place } from "../sales/orders/counter.ts";
import { type Goods, mug } from "../support/cast.ts";
import type { TestShop } from "../support/shop.ts";

/** Sends the form of the page's button. */
export const press = (url: string) => fetch(url, { method: "POST", redirect: "manual" });

/** An abandoned cart with two mugs, and its link. */
export async function abandonedMugs(shop: TestShop) {
  const cup = await mug(shop);
  const cart = await abandonedCart(shop, [of(cup, 2)], {
    email: "ada@example.com",
    payment_method: "card",
  });
  return { cup, cart, url: cart.string("/recovery_url") };
}

/** An order that has been unpaid for an hour, and its link. */
export async function unpaidOrder(shop: TestShop) {
  const order = await place(shop, [of(await mug(shop))], { payment_method: "gateway" });
  await shop.announced();
  await later(shop, HOUR_MS);
  const abandoned = (await shop.announced())
    .map(({ data }) => Object(data))
    .find(({ order_id }) => order_id === order.id);
  return { order, url: String(abandoned.recovery_url) };
}

/** Changes the price of the goods. */
export function reprice(shop: TestShop, { productId, variantId }: Goods, amount: string) {
  return shop.put(`/v2/products/${productId}/variants/${variantId}`, {
    prices: [{ currency: "USD", amount }],
  });
}
