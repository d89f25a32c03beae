// What tests of the sandbox need to be paid: an order, an attempt, and time.

import { mug } from "../support/cast.ts";
import type { Answered, RequestOptions, TestShop } from "../support/shop.ts";

/** An order of one mug at 12.50, not paid; answers its id. */
export async function mugOrder(shop: TestShop): Promise<string> {
  const { variantId } = await mug(shop);
  const placed = await shop.post("/v2/orders", {
    line_items: [{ variant_id: variantId, quantity: 1 }],
    payment_method: "gateway",
  });
  return placed.id;
}

/** Asks for the money of an order by card token, phone, or a page where nothing is given. */
export function pay(
  shop: TestShop,
  orderId: string,
  by: {
    readonly card?: string;
    readonly phone?: string;
    readonly returnUrl?: string;
  } & RequestOptions = {},
): Promise<Answered> {
  const { card, phone, returnUrl, ...options } = by;
  const method = card === undefined ? (phone === undefined ? "gateway" : "mobile_money") : "card";
  return shop.post(
    "/v2/payments/initialize",
    {
      order_id: orderId,
      method,
      ...(card === undefined ? {} : { card_token: card }),
      ...(phone === undefined ? {} : { phone }),
      ...(returnUrl === undefined ? {} : { return_url: returnUrl }),
    },
    options,
  );
}

/** Lets so much of the shop's time pass, with everything that happens in it. */
export async function pass(shop: TestShop, seconds: number): Promise<void> {
  const advanced = await shop.post("/v2/test/clock/advance", { seconds });
  if (advanced.at("/settled") !== true) throw new Error(advanced.text);
}

/** `succeeded`, `failed declined`: where an answered payment stands. */
export function standing(payment: Answered): string {
  const status = payment.string("/status");
  if (payment.at("/failure_code") === null) return status;
  return `${status} ${payment.string("/failure_code")}`;
}
