// Workflow: somebody who came back goes on to pay. Invariant: a cart becomes an order only where a
// gateway can take the money, and once, however often its button is pressed.

import type { Id } from "#kernel/id.ts";
import { initializePayment } from "#payments/attempts/initialize-payment.ts";
import type { Cashier } from "#payments/payments/cashier.ts";
import { gatewayNotConfigured } from "#payments/payments/payment.ts";
import type { Tx } from "#platform/database/database.ts";
import { completeCart } from "#sales/carts/complete-cart.ts";
import { findCart } from "#sales/carts/lookups.ts";
import { findOrder } from "#sales/orders/lookups.ts";
import { dueOf } from "#sales/orders/order.ts";

import type { Recovery } from "./find-recovery.ts";

/** A hosted page is the one way to pay that asks nothing of whoever follows a link. */
const METHOD = "gateway";

/** Whether this shop can take money on a hosted page. */
export function takesPayments({ gateways }: Cashier): boolean {
  return gateways.some((gateway) => gateway.methods.includes(METHOD));
}

/**
 * Afterwards the cart is an order, and there is an open attempt to pay it, the one there was or a new
 * one: answers the address where it is paid, null where there is none to go to. Refuses with
 * `gateway_not_configured`, and as completing the cart and initializing the payment do.
 */
export async function continueRecovery(
  cashier: Cashier,
  recovery: Recovery,
  returnUrl: string,
): Promise<string | null> {
  if (!takesPayments(cashier)) throw gatewayNotConfigured({ members: { method: METHOD } });
  const orderId =
    recovery.kind === "order"
      ? recovery.whole.order.id
      : await cashier.database.write((tx) => completeOnce(tx, recovery.cart.id));
  const { order } = await findOrder(cashier.database.read, orderId);
  if (order.status === "open" && dueOf(order) === 0) return returnUrl;
  const { whole } = await initializePayment(cashier, attemptFor(orderId, returnUrl), null);
  return whole.payment.nextAction?.url ?? null;
}

async function completeOnce(tx: Tx, id: Id<"cart">): Promise<Id<"order">> {
  const { cart } = await findCart(tx, id);
  if (cart.orderId !== null) return cart.orderId;
  const completion = { paymentMethod: METHOD, metadata: undefined } as const;
  const { placed } = await completeCart(tx, id, { completion, expected: null });
  return placed.order.id;
}

function attemptFor(orderId: Id<"order">, returnUrl: string) {
  return {
    orderId,
    amount: undefined,
    currency: undefined,
    method: METHOD,
    phone: null,
    provider: null,
    cardToken: null,
    returnUrl,
    reference: null,
    metadata: {},
  } as const;
}
