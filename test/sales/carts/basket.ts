// Carts of a test shop in one line, and the requests of their customers.

import type { Answered, TestShop } from "../../support/shop.ts";

type Terms = Readonly<Record<string, unknown>>;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** Creates a cart with these lines. Throws if it is refused. */
export async function basket(
  shop: TestShop,
  lines: readonly object[],
  terms: Terms = {},
): Promise<Answered> {
  return accepted(await shop.post("/v2/carts", { line_items: lines, ...terms }));
}

/** Creates a cart and starts its checkout. */
export async function cartInCheckout(
  shop: TestShop,
  lines: readonly object[],
  terms: Terms = {},
): Promise<Answered> {
  const cart = await basket(shop, lines, terms);
  return accepted(await checkout(shop, cart));
}

/** Creates a cart whose checkout was abandoned for an hour. */
export async function abandonedCart(
  shop: TestShop,
  lines: readonly object[],
  terms: Terms = {},
): Promise<Answered> {
  const cart = await cartInCheckout(shop, lines, terms);
  await later(shop, HOUR_MS);
  return accepted(await readCart(shop, cart));
}

export function checkout(shop: TestShop, cart: Answered, body?: object): Promise<Answered> {
  return shop.post(`/v2/carts/${cart.id}/checkout`, body);
}

export function complete(shop: TestShop, cart: Answered, body?: object): Promise<Answered> {
  return shop.post(`/v2/carts/${cart.id}/complete`, body);
}

/** Changes the cart. */
export function change(shop: TestShop, cart: Answered, body: object): Promise<Answered> {
  return shop.put(`/v2/carts/${cart.id}`, body);
}

/** The cart as it is now. */
export function readCart(shop: TestShop, cart: Answered): Promise<Answered> {
  return shop.get(`/v2/carts/${cart.id}`);
}

/** Advances the clock and runs every timer that is due by then. */
export async function later(shop: TestShop, milliseconds: number): Promise<void> {
  shop.clock.advance(milliseconds);
  await shop.fireDue();
}

/** The token of a recovery link. */
export function tokenOf(url: string): string {
  return url.slice(url.lastIndexOf("/") + 1);
}

function accepted(answer: Answered): Answered {
  if (answer.status > 201) throw new Error(answer.text);
  return answer;
}
