// What tests of the sandbox need for a payment: an order, an attempt, and time.

import { mug } from "../support/cast.ts";
import type { Answered, RequestOptions, TestShop } from "../support/shop.ts";

/** Places an unpaid order of one mug at 12.50; returns its id. */
export async function mugOrder(shop: TestShop): Promise<string> {
  const { variantId } = await mug(shop);
  const placed = await shop.post("/v2/orders", {
    line_items: [{ variant_id: variantId, quantity: 1 }],
    payment_method: "gateway",
  });
  return placed.id;
}

/** Initializes the payment of an order by card token, by phone, or by a hosted page. */
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

/** The state of a payment in a response, such as `succeeded` or `failed declined`. */
export function standing(payment: Answered): string {
  const status = payment.string("/status");
  if (payment.at("/failure_code") === null) return status;
  return `${status} ${payment.string("/failure_code")}`;
}
