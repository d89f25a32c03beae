// A shop with its gateways: what a workflow needs that calls one.

import type { Gateway, GatewayAttempt } from "#payments/gateways/port.ts";
import type { Shop } from "#platform/database/shop.ts";

import { isGatewayMethod, type Payment } from "./payment.ts";

export interface PaymentsShop extends Shop {
  /** The first that knows a method takes it. */
  readonly gateways: readonly Gateway[];
}

/** Whether one of the shop's gateways takes this method. */
export function takesMethod(
  { gateways }: PaymentsShop,
  method: Gateway["methods"][number],
): boolean {
  return gateways.some((gateway) => gateway.methods.includes(method));
}

/** The gateway an attempt was made at, where it is still set up. */
export function gatewayOf({ gateways }: PaymentsShop, payment: Payment): Gateway | null {
  return gateways.find((gateway) => gateway.id === payment.gateway) ?? null;
}

/** The attempt as a gateway sees it. Only an attempt at a gateway has one. */
export function attemptOf(payment: Payment): GatewayAttempt {
  const { id, gatewayReference, method } = payment;
  if (gatewayReference === null || !isGatewayMethod(method)) {
    throw new Error(`${id} is no attempt at a gateway.`);
  }
  return {
    paymentId: id,
    gatewayReference,
    reference: payment.reference,
    orderId: payment.orderId,
    customerId: payment.customerId,
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    method,
    phone: payment.phone,
    provider: payment.provider,
    cardToken: payment.cardToken,
    email: payment.email,
    returnUrl: payment.returnUrl,
    gatewayId: payment.gatewayId,
    createdAt: payment.createdAt,
  };
}
