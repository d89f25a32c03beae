// Workflow: the customer of a link continues to payment in the way that they chose. Invariant:
// a cart is completed once, however often the button is pressed.

import type { Id } from "#kernel/id.ts";
import { formatAmount } from "#kernel/money.ts";
import { closePayment } from "#payments/attempts/close-payment.ts";
import { initializePayment } from "#payments/attempts/initialize-payment.ts";
import type { PaymentsShop } from "#payments/port/payments-shop.ts";
import { listAttempts } from "#payments/rows/lookups.ts";
import { isOpenAttempt, isPaidOnPage, type Payment } from "#payments/rows/payment.ts";
import type { Tx } from "#platform/database/database.ts";
import { NO_LINEAGE } from "#platform/http/contract/idempotent.ts";
import { cartAt, lockCart } from "#sales/carts/lookups.ts";
import { updateCart } from "#sales/carts/update-cart.ts";
import type { CartChange } from "#sales/carts/validate-cart-change.ts";
import { getOrder } from "#sales/orders/lookups.ts";
import { completeCart, type Completion } from "#sales/placing/complete-cart.ts";
import { orderableLines } from "#sales/recovery/recover-cart.ts";
import { depositDueOf, dueOf } from "#sales/rows/balance.ts";
import { replaceLines } from "#sales/rows/cart-lines.ts";
import { type Cart, isOfOther, sumsOfCart } from "#sales/rows/cart.ts";
import type { LimitedCaller } from "#shop/store/public-limits.ts";

import type { Recovery } from "./get-recovery.ts";
import type { Choice } from "./ways-to-pay.ts";

interface Continuation {
  readonly choice: Choice;
  /** True if the customer pays the deposit first. */
  readonly isDeposit: boolean;
  readonly returnUrl: string;
  readonly by: Visiting;
}

/** Who presses the button: the caller whose bounds hold, and how a stranger is known. */
export type Visiting = Required<Pick<Completion, "visit">> & { readonly placedBy: LimitedCaller };

/**
 * Completes the cart, if it is one, with the delivery that was shown and without what can no longer be sold,
 * and initializes the payment.
 * Returns the address where the customer goes on: the gateway's page, or `returnUrl`, which shows what
 * to do or that the order is paid. Null if the gateway's page is not known yet. Refuses as
 * `completeCart` and `initializePayment` do, and with `total_changed` if the cart comes to another total now.
 */
export async function continueRecovery(
  shop: PaymentsShop,
  recovery: Recovery,
  { choice, isDeposit, returnUrl, by }: Continuation,
): Promise<string | null> {
  const orderId =
    recovery.kind === "order"
      ? recovery.whole.order.id
      : await shop.database.write((tx) => completeOnce(tx, recovery, { choice, by }));
  const { order } = await getOrder(shop.database.read, orderId);
  if (order.status === "open" && dueOf(order) === 0) return returnUrl;
  await closeOthers(shop, orderId, {
    method: choice.method,
    amountMinor: isDeposit ? depositDueOf(order) : dueOf(order),
  });
  // The visitor types the phone: a link that is passed on must not pester a stranger's.
  const promptedBy = { isPublic: true, mode: shop.mode };
  const askedBy = by.placedBy;
  const request = {
    ...emptyRequest,
    ...choice,
    isDeposit,
    orderId,
    returnUrl,
    askedBy,
    promptedBy,
  };
  const { payment } = (await initializePayment(shop, request, { idempotent: null })).whole;
  const { nextAction, gateway } = payment;
  const needsPage = gateway !== null && isPaidOnPage(payment) && isOpenAttempt(payment);
  return nextAction?.url ?? (needsPage ? null : returnUrl);
}

/** A customer who pays all in place of the deposit, or the other way, gives up what they chose before. */
async function closeOthers(
  shop: PaymentsShop,
  id: Id<"order">,
  { method, amountMinor }: Pick<Payment, "method" | "amountMinor">,
): Promise<void> {
  for (const one of await listAttempts(shop.database.read, id)) {
    const isWaiting = isOpenAttempt(one) && one.status !== "processing" && one.method === method;
    if (isWaiting && one.amountMinor !== amountMinor) await closePayment(shop, one.id, "cancel");
  }
}

type FoundCart = Extract<Recovery, { readonly kind: "cart" }>;

async function completeOnce(
  tx: Tx,
  shown: FoundCart,
  { choice: { method: paymentMethod }, by }: Pick<Continuation, "choice" | "by">,
): Promise<Id<"order">> {
  const { id } = shown.cart;
  const cart = await lockCart(tx, id);
  if (cart.orderId !== null) return cart.orderId;
  const { isPublic } = by.placedBy;
  const change = {
    ...(await linesToSell(tx, cart)),
    ...deliveryOf(shown.cart, cart),
    // The contact of another one's session is not a stranger's to order with.
    ...(isOfOther(cart, { ...by.visit, isPublic }) ? { filledBy: by.placedBy } : {}),
  };
  if (Object.keys(change).length > 0) await updateCart(tx, id, { change, expected: null });
  const completion = {
    paymentMethod,
    metadata: undefined,
    isFromMerchant: false,
    ...by,
    expectedTotal: formatAmount(sumsOfCart(shown.orderable).totalMinor, cart.currency),
  };
  return (await completeCart(tx, id, { completion, expected: null })).placed.order.id;
}

/** The lines without what can no longer be sold; nothing where all can. */
async function linesToSell(tx: Tx, cart: Cart): Promise<Pick<CartChange, "lines">> {
  const { lines: priced } = await cartAt(tx, cart, tx.now);
  if (priced.every(({ problem }) => problem === null)) return {};
  return { lines: replaceLines(orderableLines(priced)) };
}

/** The option that the customer was shown, where another page of the same link has changed it since. */
function deliveryOf({ shippingOptionId: optionId }: Cart, now: Cart): Pick<CartChange, "shipping"> {
  return optionId === null || optionId === now.shippingOptionId ? {} : { shipping: { optionId } };
}

const emptyRequest = {
  amount: undefined,
  currency: undefined,
  cardToken: null,
  gateway: null,
  reference: null,
  metadata: {},
  isFromMerchant: false,
  lineage: NO_LINEAGE,
  seesAll: false,
} as const;
