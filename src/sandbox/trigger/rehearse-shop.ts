// The stories of a shop from its first customer to a refund, so that each event is announced at least
// once. Invariant: every row is new and no gateway is called, so the caller can undo all of it.

import { createProduct } from "#catalog/products/create-product.ts";
import { readNewProduct } from "#catalog/products/schema.ts";
import { deleteProduct, updateProduct } from "#catalog/products/update-product.ts";
import { createCustomer } from "#customers/create-customer.ts";
import { readCustomerChange } from "#customers/schema.ts";
import { updateCustomer } from "#customers/update-customer.ts";
import type { Id } from "#kernel/id.ts";
import { formatAmount } from "#kernel/money.ts";
import { randomShare } from "#kernel/random.ts";
import { HOUR_MS, toIso } from "#kernel/time.ts";
import { listWebhooks } from "#messaging/webhooks/endpoints/lookups.ts";
import {
  createWebhook,
  deleteWebhook,
  updateWebhook,
} from "#messaging/webhooks/endpoints/update-webhook.ts";
import { confirmPayment, correctPayment } from "#payments/attempts/manual-payments.ts";
import { openAttempt } from "#payments/attempts/open-attempt.ts";
import { adoptPayout } from "#payments/payouts/adopt-payout.ts";
import type { PaymentOutcome } from "#payments/port/gateway.ts";
import { approve, declineRefund } from "#payments/refunds/approvals.ts";
import { cancelRefund } from "#payments/refunds/stuck-refunds.ts";
import { readPaymentRequest } from "#payments/routes/request-schema.ts";
import { lockPayment } from "#payments/rows/lookups.ts";
import type { Payment } from "#payments/rows/payment.ts";
import { openRefund } from "#payments/settling/open-refund.ts";
import { adoptDisputes } from "#payments/settling/poll-disputes.ts";
import { arrivedAs, settlePayment } from "#payments/settling/settle-payment.ts";
import { adoptRefunds, settleRefund } from "#payments/settling/settle-refund.ts";
import type { Tx } from "#platform/database/database.ts";
import type { Caller } from "#platform/http/contract/caller.ts";
import { NO_LINEAGE } from "#platform/http/contract/idempotent.ts";
import { onlyPublic } from "#platform/net/target-url.ts";
import { deleteCustomer } from "#privacy/erase-customer.ts";
import { readCartChange } from "#sales/carts/schema.ts";
import { createCart, startCheckout } from "#sales/carts/update-cart.ts";
import { cancelOrder } from "#sales/changing/cancel-order.ts";
import { fulfillOrder } from "#sales/changing/fulfillments.ts";
import { returnUnits } from "#sales/changing/returns.ts";
import { updateOrder } from "#sales/changing/update-order.ts";
import { completeCart } from "#sales/placing/complete-cart.ts";
import { placeOrder } from "#sales/placing/place-order.ts";
import { readCompletion, readOrderRequest } from "#sales/placing/request-schema.ts";
import { abandonCart } from "#sales/recovery/unpaid-orders.ts";
import {
  readCancellation,
  readFulfillment,
  readOrderChange,
  readReturnRequest,
} from "#sales/routes/request-schema.ts";
import type { WholeOrder } from "#sales/rows/order.ts";
import { simulatedRules } from "#sandbox/seed/seed-payments.ts";
import { localPrice } from "#sandbox/seed/seed-prices.ts";
import { createKey } from "#shop/keys/create-key.ts";
import { revokeKey } from "#shop/keys/revoke-key.ts";
import { expandScopes } from "#shop/keys/scopes.ts";
import { limitReached } from "#shop/marks/events.ts";
import { getStore } from "#shop/store/lookups.ts";
import { withDefaultMethods } from "#shop/store/open-store.ts";

import { type PricedByTerms, rehearsePriceTerms } from "./rehearse-price-terms.ts";

/** With these digits a phone number is as long as one of the country. */
const MARK_LENGTH = 8;

const address = {
  name: "Asha Juma",
  line1: "8 Uhuru Street",
  city: "Dar es Salaam",
  country: "TZ",
};

/** The goods that are bought, and by whom. */
interface Purchase extends PricedByTerms {
  readonly customer_id: Id<"customer">;
  readonly line_items: { variant_id: Id<"variant">; quantity: number }[];
  readonly payment_method: "mobile_money";
  readonly shipping_address: typeof address;
}

/** Afterwards each event of the shop was announced, in the shop's currency. */
export async function rehearseShop(tx: Tx): Promise<void> {
  // Email, phone and SKU are unique in the shop: a sample must not meet one that was copied into it.
  const mark = String(Math.floor(randomShare() * 10 ** MARK_LENGTH)).padStart(MARK_LENGTH, "0");
  const customerId = await rehearseCustomer(tx, mark);
  const variantId = await rehearseProduct(tx, mark);
  const asked = await rehearsePriceTerms(tx, { mark, customerId, country: address.country });
  await rehearseWebhook(tx);
  await rehearseKey(tx);
  // Not by its story, which sends it once an hour.
  await tx.emit(limitReached({ kind: "orders", count: 3, since: tx.now - (tx.now % HOUR_MS) }));
  const purchase: Purchase = {
    customer_id: customerId,
    line_items: [{ variant_id: variantId, quantity: 2 }],
    payment_method: "mobile_money",
    shipping_address: address,
    ...asked,
  };
  await withDefaultMethods(tx, () => rehearseSales(tx, purchase));
}

async function rehearseSales(tx: Tx, purchase: Purchase): Promise<void> {
  await rehearseOrder(tx, purchase);
  const sold = await rehearseCart(tx, purchase);
  const paid = await rehearsePayments(tx, sold);
  await rehearseDispute(tx, paid);
  await rehearsePayout(tx, paid);
  await rehearseRefund(tx, sold, paid);
  await rehearseMoneyByHand(tx, purchase);
  await rehearseLink(tx);
}

async function rehearseCustomer(tx: Tx, mark: string): Promise<Id<"customer">> {
  const asked = readCustomerChange({
    first_name: "Asha",
    last_name: "Juma",
    email: `asha.juma.${mark}@example.com`,
    // No number in Tanzania begins with a zero after the country code.
    phone: `+2550${mark}`,
    addresses: [address],
  });
  const { id } = await createCustomer(tx, asked);
  await updateCustomer(tx, id, { change: { marketingConsent: true }, expected: null });
  await deleteCustomer(tx, id, null);
  return (await createCustomer(tx, asked)).id;
}

async function rehearseProduct(tx: Tx, mark: string): Promise<Id<"variant">> {
  const { currency } = await getStore(tx);
  const weights = [
    { sku: `COF-BUG-250-${mark}`, options: { Weight: "250 g" }, dollars: 7.5, weight_grams: 260 },
    { sku: `COF-BUG-1000-${mark}`, options: { Weight: "1 kg" }, dollars: 25, weight_grams: 1030 },
  ];
  const asked = readNewProduct({
    name: "Bugisu Arabica Coffee",
    description: "Washed arabica from the slopes of Mount Elgon.",
    category: "Groceries",
    tags: ["coffee", "uganda"],
    options: [{ name: "Weight", values: ["250 g", "1 kg"] }],
    variants: weights.map(({ dollars, ...variant }) => ({
      ...variant,
      prices: [{ amount: localPrice(dollars, currency) }],
      // The first order of two units leaves fewer than the threshold.
      stock: 6,
      low_stock_threshold: 5,
    })),
  });
  const { id } = await createProduct(tx, asked);
  await updateProduct(tx, id, { change: { tags: ["coffee"] }, expected: null });
  await updateProduct(tx, id, { change: { status: "archived" }, expected: null });
  await deleteProduct(tx, id, null);
  const [variant] = (await createProduct(tx, asked)).variants;
  if (variant === undefined) throw new Error("A product has a variant.");
  return variant.id;
}

async function rehearseKey(tx: Tx): Promise<void> {
  const { apiKey } = await createKey(tx, {
    mode: "test",
    name: "Reports",
    kind: null,
    scopes: ["orders:read", "analytics:read"],
    ratePerMinute: null,
    expiresAt: null,
    maker: null,
    replaces: null,
  });
  await revokeKey(tx, apiKey.id, { heldScopes: null });
}

/** A shop may have as many webhooks as it can: one of them makes room. */
async function rehearseWebhook(tx: Tx): Promise<void> {
  const { rows } = await listWebhooks(tx, {}, { limit: 1, after: null });
  for (const { id } of rows) await deleteWebhook(tx, id, null);
  const terms = {
    mode: "test",
    publicUrl: "https://duka.example.com",
    testReach: onlyPublic,
  } as const;
  const { id } = await createWebhook(tx, { url: "https://example.com/webhooks" }, terms);
  await updateWebhook(tx, id, { change: { status: "disabled" }, expected: null, terms });
}

/** A key with every scope. */
const merchant: Caller = {
  actor: { type: "api_key", id: "key_rehearsal" },
  name: "Rehearsal",
  lineage: NO_LINEAGE,
  hasPresetFull: true,
  mode: "test",
  scopes: expandScopes(["full"]),
  isPublic: false,
  ratePerMinute: null,
  expiresAt: null,
};

async function rehearseOrder(tx: Tx, purchase: Purchase): Promise<void> {
  const { id } = (await placeOrder(tx, readOrderRequest(purchase, merchant))).order;
  const change = readOrderChange({ notes: "Ring twice." });
  await updateOrder(tx, id, { change, expected: null });
  const cancellation = readCancellation({ reason: "customer" });
  await cancelOrder(tx, id, { cancellation, expected: null });
}

/** The cart is left, found again and bought. */
async function rehearseCart(tx: Tx, purchase: Purchase): Promise<WholeOrder> {
  const { id } = (await createCart(tx, readCartChange(purchase, merchant))).cart;
  await startCheckout(tx, id, { change: {}, expected: null });
  await abandonCart(tx, id);
  const completion = readCompletion({}, merchant);
  return (await completeCart(tx, id, { completion, expected: null })).placed;
}

/** The first attempt fails, the second brings too little, the third pays. */
async function rehearsePayments(tx: Tx, { order }: WholeOrder): Promise<Payment> {
  const failureCode = "insufficient_funds";
  const failure = { failureCode, gatewayCode: null, names: [] } as const;
  await rehearseAttempt(tx, order.id, () => ({ state: "failed", ...failure }));
  await rehearseAttempt(tx, order.id, (payment) => received(payment, payment.amountMinor - 1));
  return rehearseAttempt(tx, order.id, (payment) => received(payment, payment.amountMinor));
}

async function rehearseAttempt(
  tx: Tx,
  orderId: Id<"order">,
  outcomeOf: (payment: Payment) => PaymentOutcome,
): Promise<Payment> {
  const asked = { order_id: orderId, phone: "+255754000106", provider: "mpesa" } as const;
  const terms = {
    request: readPaymentRequest(asked, merchant),
    gateways: [simulatedRules],
    idempotent: null,
    mode: "test",
  } as const;
  const { id } = (await openAttempt(tx, terms)).payment;
  const held = await lockPayment(tx, id);
  const outcome = outcomeOf(held.payment);
  return (await settlePayment(tx, held, { mode: "test", outcome })).payment;
}

function received(payment: Payment, amountMinor: number): PaymentOutcome {
  return arrivedAs(payment, { mode: "test", amountMinor });
}

/** The goods that were sent come back, and all of the money with it. */
async function rehearseDispute(tx: Tx, payment: Payment): Promise<void> {
  const { amountMinor, currency } = payment;
  const reported = { name: `dp_${payment.id}`, amountMinor, currency, reason: null, dueAt: null };
  await adoptDisputes(tx, payment, [{ ...reported, status: "open", money: "withdrawn" }]);
  await adoptDisputes(tx, payment, [{ ...reported, status: "won", money: "returned" }]);
}

/** It reaches the bank, which sends it back. */
async function rehearsePayout(tx: Tx, payment: Payment): Promise<void> {
  const { gateway, gatewayReference, capturedMinor: grossMinor, currency } = payment;
  const feeMinor = Math.floor(grossMinor / 50);
  const told = {
    source: gateway ?? "",
    name: `po_${payment.id}`,
    currency,
    netMinor: grossMinor - feeMinor,
    arrivesOn: toIso(tx.now).slice(0, 10),
    lines: [{ kind: "charge", gatewayReference, names: [], grossMinor, feeMinor }],
  } as const;
  await adoptPayout(tx, { ...told, status: "paid" });
  await adoptPayout(tx, { ...told, status: "failed" });
}

async function rehearseRefund(
  tx: Tx,
  { order, lines }: WholeOrder,
  payment: Payment,
): Promise<void> {
  const number = "1234567890";
  const tracking = { carrier: "DHL", number, url: `https://example.com/track/${number}` };
  const request = readFulfillment({ tracking });
  await fulfillOrder(tx, order.id, { request, expected: null });
  const units = lines.map((line) => ({ line_item_id: line.id, quantity: line.quantity }));
  const back = readReturnRequest({ line_items: units, restock: true, reason: "unwanted" });
  await returnUnits(tx, order.id, { request: back, expected: null });
  const terms = {
    amountMinor: payment.capturedMinor,
    reason: "goods_returned",
    lines: lines.map((line) => ({
      lineItemId: line.id,
      quantity: line.quantity,
      amountMinor: line.totalMinor,
      taxMinor: line.taxMinor,
      discountMinor: line.discountMinor,
      restocked: line.quantity,
    })),
  } as const;
  const failed = await openRefund(tx, await lockPayment(tx, payment.id), terms);
  const failure = { gatewayCode: "account_closed", gatewayRefundId: null };
  await settleRefund(tx, failed.refund.id, { kind: "failed", ...failure });
  await cancelRefund(tx, failed.refund.id, "Refunded anew");
  const asked = { ...terms, actorId: "per_rehearsal", needsApproval: true };
  const unwanted = await openRefund(tx, await lockPayment(tx, payment.id), asked);
  const note = "Exchanged in the shop instead";
  await declineRefund(tx, unwanted.refund.id, { lineage: merchant.lineage, note });
  const opened = await openRefund(tx, await lockPayment(tx, payment.id), asked);
  await approve(tx, opened.refund.id, merchant);
  await settleRefund(tx, opened.refund.id, { kind: "succeeded", gatewayRefundId: null });
  const { capturedMinor: amountMinor, currency } = payment;
  const twice = { gatewayRefundId: `re_${payment.id}`, reference: null, amountMinor, currency };
  for (const kind of ["succeeded", "failed"] as const) {
    const outcome = { ...failure, gatewayRefundId: twice.gatewayRefundId, kind };
    await adoptRefunds(tx, await lockPayment(tx, payment.id), [{ ...twice, outcome }]);
  }
}

/** A transfer is confirmed with a mistyped amount, corrected, and has to be handed back. */
async function rehearseMoneyByHand(tx: Tx, purchase: Purchase): Promise<void> {
  const body = { ...purchase, payment_method: "bank_transfer" } as const;
  const { order } = await placeOrder(tx, readOrderRequest(body, merchant));
  const request = readPaymentRequest({ order_id: order.id, method: "bank_transfer" }, merchant);
  const { id } = (await openAttempt(tx, { request, gateways: [], idempotent: null, mode: "test" }))
    .payment;
  const { currency, totalMinor } = order;
  const amount = formatAmount(totalMinor, currency);
  await confirmPayment(tx, id, { amount, currency, mode: "test" });
  const typed = formatAmount(order.totalMinor + 1, currency);
  await correctPayment(tx, id, { amount: typed, note: "A digit too few" });
  await openRefund(tx, await lockPayment(tx, id), {
    amountMinor: order.totalMinor,
    reason: "order_cancelled",
    isSideEffect: true,
  });
}

/** Money of a payment link is handed back. */
async function rehearseLink(tx: Tx): Promise<void> {
  const { currency } = await getStore(tx);
  const asked = { amount: localPrice(10, currency), currency, method: "bank_transfer" } as const;
  const request = readPaymentRequest(asked, merchant);
  const { id, amountMinor } = (
    await openAttempt(tx, { request, gateways: [], idempotent: null, mode: "test" })
  ).payment;
  await confirmPayment(tx, id, { amount: asked.amount, currency, mode: "test" });
  const terms = { amountMinor, reason: "requested_by_customer" } as const;
  const { refund } = await openRefund(tx, await lockPayment(tx, id), terms);
  await settleRefund(tx, refund.id, { kind: "succeeded", gatewayRefundId: null });
}
