// Payments and refunds on the wire: responses. A card token is never returned.

import Type, { type Static } from "typebox";

import { type CurrencyCode, isCurrency } from "#kernel/currency.ts";
import { formatAmount } from "#kernel/money.ts";
import { paymentMethods } from "#kernel/payment-method.ts";
import { toIso, toIsoOrNull } from "#kernel/time.ts";
import { type OrderRefund, type Refund } from "#payments/refunds/refund.ts";
import { printAmount } from "#platform/http/contract/wire-amount.ts";
import { amountOf, list, presentedBy, wire } from "#platform/http/contract/wire.ts";
import {
  amount,
  choice,
  component,
  currency,
  idOf,
  instant,
  metadata,
  nullable,
  object,
  whole,
} from "#platform/http/contract/words.ts";
import { orderWire, viewOrder } from "#sales/orders/schema.ts";

import type { WholePayment } from "./lookups.ts";
import {
  failureCodes,
  nextActionTypes,
  paymentStates,
  providers,
  refundReasons,
  refundStates,
} from "./payment-life.ts";
import { type Payment } from "./payment.ts";

export const refundSchema = component("Refund", {
  id: idOf("refund"),
  payment_id: idOf("payment"),
  order_id: nullable(idOf("order")),
  status: choice(refundStates),
  amount,
  amount_minor: whole(1),
  currency,
  reason: choice(refundReasons),
  note: nullable(Type.String()),
  line_items: Type.Array(
    object({
      line_item_id: idOf("lineItem"),
      quantity: whole(1),
      amount,
      amount_minor: whole(0),
      restocked: whole(0),
    }),
  ),
  automatic: Type.Boolean({
    description: "True for the refund of late money, for an order that was cancelled or paid.",
  }),
  failure_reason: nullable(Type.String()),
  succeeded_at: nullable(instant),
  version: whole(1),
  created_at: instant,
  updated_at: instant,
});

export const paymentSchema = component("Payment", {
  id: idOf("payment"),
  reference: Type.String(),
  status: choice(paymentStates),
  amount,
  amount_minor: whole(1),
  currency,
  order_id: nullable(idOf("order")),
  customer_id: nullable(idOf("customer")),
  method: choice(paymentMethods),
  provider: nullable(choice(providers)),
  phone: nullable(Type.String()),
  gateway: nullable(Type.String()),
  authorization_url: nullable(Type.String()),
  next_action: nullable(
    object({
      type: choice(nextActionTypes),
      display_text: nullable(Type.String()),
      url: nullable(Type.String()),
      expires_at: nullable(instant),
    }),
  ),
  failure_code: nullable(choice(failureCodes)),
  gateway_code: nullable(Type.String({ description: "The gateway's own code." })),
  captured_total: amount,
  captured_total_minor: whole(0),
  refunded_total: amount,
  refunded_total_minor: whole(0),
  received: nullable(
    object(
      { amount: nullable(Type.String()), amount_minor: whole(0), currency: Type.String() },
      { description: "The money received, as the gateway reported it." },
    ),
  ),
  refunds: Type.Array(refundSchema, { description: "Oldest first." }),
  metadata,
  expires_at: nullable(instant),
  succeeded_at: nullable(instant),
  version: whole(1),
  created_at: instant,
  updated_at: instant,
});

/** A refund on the wire. */
export function presentRefund(refund: Refund): Static<typeof refundSchema> {
  const print = (amountMinor: number) => printAmount(amountMinor, refund.currency);
  return {
    id: refund.id,
    payment_id: refund.paymentId,
    order_id: refund.orderId,
    status: refund.status,
    amount: print(refund.amountMinor),
    amount_minor: refund.amountMinor,
    currency: refund.currency,
    reason: refund.reason,
    note: refund.note,
    line_items: refund.lines.map((line) => ({
      line_item_id: line.lineItemId,
      quantity: line.quantity,
      amount: print(line.amountMinor),
      amount_minor: line.amountMinor,
      restocked: line.restocked,
    })),
    automatic: refund.isAutomatic,
    failure_reason: refund.gatewayCode,
    succeeded_at: toIsoOrNull(refund.succeededAt),
    version: refund.version,
    created_at: toIso(refund.createdAt),
    updated_at: toIso(refund.updatedAt),
  };
}

/** A payment on the wire. */
export function presentPayment({ payment, refunds }: WholePayment): Static<typeof paymentSchema> {
  const { refunds: _none, ...shown } = presentAttempt(payment);
  return { ...shown, refunds: refunds.map(presentRefund) };
}

/** A payment without its refunds, as events carry it. */
export function presentAttempt(payment: Payment): Static<typeof paymentSchema> {
  const print = (amountMinor: number) => printAmount(amountMinor, payment.currency);
  return {
    id: payment.id,
    reference: payment.reference,
    status: payment.status,
    amount: print(payment.amountMinor),
    amount_minor: payment.amountMinor,
    currency: payment.currency,
    order_id: payment.orderId,
    customer_id: payment.customerId,
    method: payment.method,
    provider: payment.provider,
    phone: payment.phone,
    gateway: payment.gateway,
    authorization_url: payment.nextAction?.url ?? null,
    next_action: presentNextAction(payment),
    failure_code: payment.failureCode,
    gateway_code: payment.gatewayCode,
    captured_total: print(payment.capturedMinor),
    captured_total_minor: payment.capturedMinor,
    refunded_total: print(payment.refundedMinor),
    refunded_total_minor: payment.refundedMinor,
    received: presentReceived(payment),
    refunds: [],
    metadata: payment.metadata,
    expires_at: toIsoOrNull(payment.expiresAt),
    succeeded_at: toIsoOrNull(payment.succeededAt),
    version: payment.version,
    created_at: toIso(payment.createdAt),
    updated_at: toIso(payment.updatedAt),
  };
}

function presentNextAction({ nextAction }: Payment) {
  if (nextAction === null) return null;
  return {
    type: nextAction.type,
    display_text: nextAction.displayText,
    url: nextAction.url,
    expires_at: toIsoOrNull(nextAction.expiresAt),
  };
}

/** The amount in major units is null for a currency whose digits are unknown. */
function presentReceived({ receivedMinor, receivedCurrency }: Payment) {
  if (receivedMinor === null || receivedCurrency === null) return null;
  return {
    amount: isCurrency(receivedCurrency) ? formatAmount(receivedMinor, receivedCurrency) : null,
    amount_minor: receivedMinor,
    currency: receivedCurrency,
  };
}

export const refundField = presentedBy(refundSchema, presentRefund);

/** The refunds of an order with the order after them. */
interface OrderRefundView {
  readonly amountMinor: number;
  readonly currency: CurrencyCode;
  readonly refunds: readonly Refund[];
  readonly order: ReturnType<typeof viewOrder>;
}

export const orderRefundWire = wire<OrderRefundView>()("OrderRefund", {
  amount: amountOf(({ amountMinor }: OrderRefundView) => amountMinor),
  amount_minor: whole(1),
  currency,
  refunds: list(refundField, { description: "One for each payment that is refunded." }),
  order: orderWire,
});

/** Returns the row of which `orderRefundWire` makes the response. */
export function viewOrderRefund({ refunds, order }: OrderRefund): OrderRefundView {
  const amountMinor = refunds.reduce((total, refund) => total + refund.amountMinor, 0);
  return { amountMinor, currency: order.order.currency, refunds, order: viewOrder(order) };
}
