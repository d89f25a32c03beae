// A shop that can take money: the power of workflows that ask a gateway. `server.ts` gives every
// shop its gateways; the platform between knows nothing of them.

import type { Gateway, GatewayAttempt } from "#payments/gateways/port.ts";
import type { Shop } from "#platform/database/database.ts";

import { isGatewayMethod, type Payment } from "./payment.ts";

export interface Cashier extends Shop {
  /** The first that knows a method takes it. */
  readonly gateways: readonly Gateway[];
}

/** The shop with its gateways. A shop that was opened without any such list is a bug. */
export function cashierOf(opened: Shop): Cashier {
  if (!isCashier(opened)) throw new Error("This shop was opened without its gateways.");
  return opened;
}

function isCashier(shop: Shop): shop is Cashier {
  return "gateways" in shop;
}

/** The gateway an attempt was made at, where it is still set up. */
export function gatewayOf(cashier: Cashier, payment: Payment): Gateway | null {
  return cashier.gateways.find((gateway) => gateway.id === payment.gateway) ?? null;
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
