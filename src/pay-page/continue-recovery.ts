// Workflow: the customer of a recovery link continues to payment. Invariant: a cart is completed
// only if a gateway can take the payment, and once, however often the button is pressed.

import type { Id } from "#kernel/id.ts";
import { initializePayment } from "#payments/attempts/initialize-payment.ts";
import { gatewayNotConfigured } from "#payments/payments/payment.ts";
import { type PaymentsShop, takesMethod } from "#payments/payments/payments-shop.ts";
import type { Tx } from "#platform/database/database.ts";
import { dueOf } from "#sales/balance/balance.ts";
import { completeCart } from "#sales/carts/complete-cart.ts";
import { lockCart } from "#sales/carts/lookups.ts";
import { getOrder } from "#sales/orders/lookups.ts";

import type { Recovery } from "./get-recovery.ts";

/** The gateway's own page: the only payment method that needs no further input from the link. */
export const RECOVERY_METHOD = "gateway";

/**
 * Completes the cart, if it is one, and returns the address where its order is paid: that of the
 * open attempt or of a new one, or `returnUrl` for an order that is paid. Null if the attempt has
 * no address to go to. Refuses with `gateway_not_configured` and with the refusals of
 * `completeCart` and `initializePayment`.
 */
export async function continueRecovery(
  shop: PaymentsShop,
  recovery: Recovery,
  returnUrl: string,
): Promise<string | null> {
  if (!takesMethod(shop, RECOVERY_METHOD))
    throw gatewayNotConfigured({ members: { method: RECOVERY_METHOD } });
  const orderId =
    recovery.kind === "order"
      ? recovery.whole.order.id
      : await shop.database.write((tx) => completeOnce(tx, recovery.cart.id));
  const { order } = await getOrder(shop.database.read, orderId);
  if (order.status === "open" && dueOf(order) === 0) return returnUrl;
  const { whole } = await initializePayment(shop, attemptFor(orderId, returnUrl), null);
  return whole.payment.nextAction?.url ?? null;
}

async function completeOnce(tx: Tx, id: Id<"cart">): Promise<Id<"order">> {
  const cart = await lockCart(tx, id);
  if (cart.orderId !== null) return cart.orderId;
  const completion = {
    paymentMethod: RECOVERY_METHOD,
    metadata: undefined,
    isFromStranger: true,
  } as const;
  const { placed } = await completeCart(tx, id, { completion, expected: null });
  return placed.order.id;
}

function attemptFor(orderId: Id<"order">, returnUrl: string) {
  return {
    orderId,
    amount: undefined,
    currency: undefined,
    method: RECOVERY_METHOD,
    phone: null,
    provider: null,
    cardToken: null,
    returnUrl,
    reference: null,
    metadata: {},
  } as const;
}
