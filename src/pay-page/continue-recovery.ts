// Workflow: somebody who came back goes on to pay. Invariant: a cart becomes an order only where a
// gateway can take the money, and once, however often its button is pressed.

import type { Id } from "#kernel/id.ts";
import { initializePayment } from "#payments/attempts/initialize-payment.ts";
import { gatewayNotConfigured } from "#payments/payments/payment.ts";
import { type PaymentsShop, takesMethod } from "#payments/payments/payments-shop.ts";
import type { Tx } from "#platform/database/database.ts";
import { completeCart } from "#sales/carts/complete-cart.ts";
import { getCart } from "#sales/carts/lookups.ts";
import { getOrder } from "#sales/orders/lookups.ts";
import { dueOf } from "#sales/orders/order.ts";

import type { Recovery } from "./get-recovery.ts";

/** The gateway's own page: the one way to pay for which a link needs no further input. */
export const RECOVERY_METHOD = "gateway";

/**
 * Afterwards the cart is an order, and there is an open attempt to pay it, the one there was or a new
 * one: answers the address where it is paid, null where there is none to go to. Refuses with
 * `gateway_not_configured`, and as completing the cart and initializing the payment do.
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
  const { cart } = await getCart(tx, id);
  if (cart.orderId !== null) return cart.orderId;
  const completion = { paymentMethod: RECOVERY_METHOD, metadata: undefined } as const;
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
