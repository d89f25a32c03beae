// Made-up attempts to pay a made-up order, in each state that is announced, and a refund.

import { newId } from "#kernel/id.ts";
import { composePayment } from "#payments/attempts/payment-request.ts";
import type { Payment } from "#payments/payments/payment.ts";
import type { Refund } from "#payments/refunds/refund.ts";

import type { SampleSale } from "./sample-sale.ts";

/** An attempt of which no gateway has heard yet. */
export function newPayment({ order, buyer }: SampleSale): Payment {
  const request = {
    orderId: order.id,
    amount: undefined,
    currency: undefined,
    method: undefined,
    phone: buyer.phone,
    provider: "mpesa",
    cardToken: null,
    returnUrl: null,
    reference: null,
    metadata: {},
  } as const;
  return composePayment(request, {
    now: order.createdAt,
    order,
    method: order.paymentMethod,
    gateway: "simulated",
    amountMinor: order.totalMinor,
    currency: order.currency,
    idempotent: null,
  });
}

/** The money came, all of it. */
export function paidPayment(sale: SampleSale): Payment {
  const payment = newPayment(sale);
  return {
    ...payment,
    status: "succeeded",
    receivedMinor: payment.amountMinor,
    receivedCurrency: payment.currency,
    capturedMinor: payment.amountMinor,
    succeededAt: payment.createdAt,
    version: 2,
  };
}

/** The payer has not got as much. */
export function failedPayment(sale: SampleSale): Payment {
  const payment = newPayment(sale);
  const failure = { status: "failed", failureCode: "insufficient_funds" } as const;
  return { ...payment, ...failure, failedAt: payment.createdAt, version: 2 };
}

/** Less came than was asked for: a person must look. */
export function doubtedPayment(sale: SampleSale): Payment {
  const payment = newPayment(sale);
  return {
    ...payment,
    status: "review",
    receivedMinor: payment.amountMinor - 1,
    receivedCurrency: payment.currency,
    version: 2,
  };
}

/** Everything that was paid went back, and everything that was sold came back. */
export function wholeRefund(sale: SampleSale): Refund {
  const { id: paymentId, amountMinor, currency, createdAt: at } = paidPayment(sale);
  return {
    id: newId("refund", at),
    paymentId,
    orderId: sale.order.id,
    status: "succeeded",
    amountMinor,
    currency,
    reason: "goods_returned",
    note: null,
    lines: sale.lines.map(({ id, quantity, totalMinor }) => ({
      lineItemId: id,
      quantity,
      amountMinor: totalMinor,
      restocked: quantity,
    })),
    isAutomatic: false,
    gatewayRefundId: null,
    gatewayCode: null,
    isUnknown: false,
    idempotencyKey: null,
    fingerprint: null,
    succeededAt: at,
    version: 2,
    createdAt: at,
    updatedAt: at,
  };
}
