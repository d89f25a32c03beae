// Workflow: the customer of a recovery link continues to payment in the way that they chose. Invariant:
// a cart is completed once, however often the button is pressed.

import type { Id } from "#kernel/id.ts";
import { initializePayment } from "#payments/attempts/initialize-payment.ts";
import { isOpen, isPaidOnPage } from "#payments/payments/payment.ts";
import type { PaymentsShop } from "#payments/payments/payments-shop.ts";
import type { Tx } from "#platform/database/database.ts";
import { dueOf } from "#sales/balance/balance.ts";
import { completeCart } from "#sales/carts/complete-cart.ts";
import { lockCart, priceCart } from "#sales/carts/lookups.ts";
import { updateCart } from "#sales/carts/update-cart.ts";
import { getOrder } from "#sales/orders/lookups.ts";

import type { Recovery } from "./get-recovery.ts";
import { orderableLines } from "./orderable-lines.ts";
import type { Choice } from "./ways-to-pay.ts";

/**
 * Completes the cart, if it is one, without what can no longer be sold, and initializes the payment.
 * Returns the address where the customer goes on: the gateway's page, or `returnUrl`, which shows what
 * to do or that the order is paid. Null if the gateway's page is not known yet. Refuses as
 * `completeCart` and `initializePayment` do.
 */
export async function continueRecovery(
  shop: PaymentsShop,
  recovery: Recovery,
  { choice, returnUrl }: { readonly choice: Choice; readonly returnUrl: string },
): Promise<string | null> {
  const orderId =
    recovery.kind === "order"
      ? recovery.whole.order.id
      : await shop.database.write((tx) => completeOnce(tx, recovery.cart.id, choice));
  const { order } = await getOrder(shop.database.read, orderId);
  if (order.status === "open" && dueOf(order) === 0) return returnUrl;
  const request = { ...emptyRequest, ...choice, orderId, returnUrl };
  const { payment } = (await initializePayment(shop, request, null)).whole;
  const { nextAction, gateway } = payment;
  const needsPage = gateway !== null && isPaidOnPage(payment) && isOpen(payment);
  return nextAction?.url ?? (needsPage ? null : returnUrl);
}

async function completeOnce(
  tx: Tx,
  id: Id<"cart">,
  { method: paymentMethod }: Choice,
): Promise<Id<"order">> {
  const cart = await lockCart(tx, id);
  if (cart.orderId !== null) return cart.orderId;
  const priced = await priceCart(tx, cart);
  if (priced.some(({ problem }) => problem !== null)) {
    const lines = orderableLines(priced).map(({ variantId, quantity }) => ({
      variantId,
      quantity,
    }));
    await updateCart(tx, id, { change: { lines }, expected: null });
  }
  const completion = { paymentMethod, metadata: undefined, isFromStranger: true };
  return (await completeCart(tx, id, { completion, expected: null })).placed.order.id;
}

const emptyRequest = {
  amount: undefined,
  currency: undefined,
  cardToken: null,
  reference: null,
  metadata: {},
  mayPayBesideReview: false,
} as const;
