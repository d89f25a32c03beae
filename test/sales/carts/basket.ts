// Baskets of a test shop: carts in one line, and the steps a customer takes with them.

import type { Answered, TestShop } from "../../support/shop.ts";

type Terms = Readonly<Record<string, unknown>>;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** A cart with these lines. Throws what was refused. */
export async function basket(
  shop: TestShop,
  lines: readonly object[],
  terms: Terms = {},
): Promise<Answered> {
  return accepted(await shop.post("/v2/carts", { line_items: lines, ...terms }));
}

/** The same, at the counter. */
export async function atCounter(
  shop: TestShop,
  lines: readonly object[],
  terms: Terms = {},
): Promise<Answered> {
  const cart = await basket(shop, lines, terms);
  return accepted(await checkout(shop, cart));
}

/** The same, left for an hour: abandoned. */
export async function left(
  shop: TestShop,
  lines: readonly object[],
  terms: Terms = {},
): Promise<Answered> {
  const cart = await atCounter(shop, lines, terms);
  await later(shop, HOUR_MS);
  return accepted(await look(shop, cart));
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
export function look(shop: TestShop, cart: Answered): Promise<Answered> {
  return shop.get(`/v2/carts/${cart.id}`);
}

/** Lets the time pass and everything happen that is due by then. */
export async function later(shop: TestShop, milliseconds: number): Promise<void> {
  shop.clock.advance(milliseconds);
  await shop.fireDue();
}

/** What the recovery link of an abandoned cart carries. */
export function tokenOf(url: string): string {
  return url.slice(url.lastIndexOf("/") + 1);
}

function accepted(answer: Answered): Answered {
  if (answer.status > 201) throw new Error(answer.text);
  return answer;
}
