// The ways to pay that a merchant takes by hand.

import { isGatewayMethod, type PaymentMethod, paymentMethods } from "#kernel/payment-method.ts";

import type { Visit } from "../visit.ts";

export function methodsByHand({ store }: Visit): PaymentMethod[] {
  return paymentMethods.filter((method) => {
    const { enabled, by } = store.payment_methods[method];
    return enabled && (by === "hand" || !isGatewayMethod(method));
  });
}
