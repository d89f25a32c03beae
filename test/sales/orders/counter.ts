// Orders of a test shop in one line, and a snapshot of the shop to prove that a refusal changed
// nothing.

import type { Goods } from "../../support/cast.ts";
import type { Answered, TestShop } from "../../support/shop.ts";

type Terms = Readonly<Record<string, unknown>>;

/** One line of an order. */
export function of(goods: Goods, quantity = 1): { variant_id: string; quantity: number } {
  return { variant_id: goods.variantId, quantity };
}

/** Places an order of these lines. Throws if it is refused. */
export async function place(
  shop: TestShop,
  lines: readonly object[],
  terms: Terms = {},
): Promise<Answered> {
  const placed = await shop.post("/v2/orders", { line_items: lines, ...terms });
  if (placed.status !== 201) throw new Error(placed.text);
  return placed;
}

/** Ships all open units of the order, or those in the body. */
export function fulfill(shop: TestShop, order: Answered, body?: object): Promise<Answered> {
  return shop.put(`/v2/orders/${order.id}/fulfill`, body);
}

/** Cancels the order. */
export function cancel(shop: TestShop, order: Answered, body?: object): Promise<Answered> {
  return shop.put(`/v2/orders/${order.id}/cancel`, body);
}

/** The order as it is now. */
export function reread(shop: TestShop, order: Answered): Promise<Answered> {
  return shop.get(`/v2/orders/${order.id}`);
}

/** The inventory level of the goods as `on_hand, reserved, available`. */
export async function stock(shop: TestShop, goods: Goods): Promise<unknown[]> {
  const level = await shop.get(`/v2/inventory/${goods.variantId}`);
  return [level.at("/on_hand"), level.at("/reserved"), level.at("/available")];
}

/** Everything that an order may change: orders, levels, customers, and the number of events. */
export async function standing(shop: TestShop): Promise<unknown[]> {
  const lists = ["orders", "inventory", "customers"];
  const answers = await Promise.all(lists.map((list) => shop.get(`/v2/${list}?limit=100`)));
  return [...answers.map(({ body }) => body), (await shop.events()).length];
}
