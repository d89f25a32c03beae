// What tests of summaries need: sales that are paid, and a look at what came of them.

import type { Answered, TestShop } from "../support/shop.ts";

type Terms = Readonly<Record<string, unknown>>;

/** A summary with these parameters. Throws what was refused. */
export async function summary(shop: TestShop, query = ""): Promise<Answered> {
  const answer = await shop.get(`/v2/analytics/summary${query === "" ? "" : `?${query}`}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer;
}

/** An order of so many of a variant, in cash; answers it. */
export async function order(
  shop: TestShop,
  variantId: string,
  { quantity = 1, ...terms }: Terms & { readonly quantity?: number } = {},
): Promise<Answered> {
  const placed = await shop.post("/v2/orders", {
    line_items: [{ variant_id: variantId, quantity }],
    payment_method: "cash_on_delivery",
    ...terms,
  });
  if (placed.status !== 201) throw new Error(placed.text);
  return placed;
}

/** Takes cash for an order: all that is due, or so much. */
export async function takeCash(
  shop: TestShop,
  placed: Answered,
  amount = placed.number("/total"),
): Promise<Answered> {
  const currency = placed.string("/currency");
  const attempt = { order_id: placed.id, method: "cash_on_delivery", amount };
  const asked = await shop.post("/v2/payments/initialize", attempt);
  const taken = await shop.post(`/v2/payments/${asked.id}/confirm`, { amount, currency });
  if (taken.status !== 200) throw new Error(`${asked.text} ${taken.text}`);
  return taken;
}

/** An order, paid in cash. */
export async function sale(
  shop: TestShop,
  variantId: string,
  terms: Terms & { readonly quantity?: number } = {},
): Promise<Answered> {
  const placed = await order(shop, variantId, terms);
  await takeCash(shop, placed);
  return placed;
}

/** What a block says of money, in minor units. */
export function moneyOf(answer: Answered, block = 0): Record<string, unknown> {
  const names = ["gross", "discounts", "refunds", "net", "shipping", "tax", "total"];
  return Object.fromEntries(
    names.map((name) => [name, answer.at(`/currencies/${block}/revenue/${name}_minor`)]),
  );
}
