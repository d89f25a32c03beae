// Shared by tests of summaries: paid sales, and reading a summary.

import type { Answered, TestShop } from "../support/shop.ts";

type Terms = Readonly<Record<string, unknown>>;

/** A summary with these parameters. Throws if it is refused. */
export async function summary(shop: TestShop, query = ""): Promise<Answered> {
  const answer = await shop.get(`/v2/analytics/summary${query === "" ? "" : `?${query}`}`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer;
}

/** Places an order of a variant, to be paid in cash. */
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

/** Takes cash for an order: the total, or an amount. */
export async function takeCash(
  shop: TestShop,
  placed: Answered,
  amount = placed.number("/total"),
): Promise<Answered> {
  const currency = placed.string("/currency");
  const attempt = { order_id: placed.id, method: "cash_on_delivery", amount };
  const initialized = await shop.post("/v2/payments/initialize", attempt);
  const taken = await shop.post(`/v2/payments/${initialized.id}/confirm`, { amount, currency });
  if (taken.status !== 200) throw new Error(`${initialized.text} ${taken.text}`);
  return taken;
}

/** Places an order and takes the cash. */
export async function sale(
  shop: TestShop,
  variantId: string,
  terms: Terms & { readonly quantity?: number } = {},
): Promise<Answered> {
  const placed = await order(shop, variantId, terms);
  await takeCash(shop, placed);
  return placed;
}

/** The revenue of a block, in minor units. */
export function moneyOf(answer: Answered, block = 0): Record<string, unknown> {
  const names = ["gross", "discounts", "refunds", "net", "shipping", "tax", "total"];
  return Object.fromEntries(
    names.map((name) => [name, answer.at(`/currencies/${block}/revenue/${name}_minor`)]),
  );
}
