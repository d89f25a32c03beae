// Rules: the one list of ways to pay that the shop offers for an amount. Placing an order and initializing a payment
// refuse what is not in it. A method by hand never asks a gateway.

import type { CurrencyCode } from "#kernel/currency.ts";
import { isGatewayMethod, type PaymentMethod, paymentMethods } from "#kernel/payment-method.ts";
import { type Provider, providers } from "#payments/payments/payment-life.ts";
import {
  isOffered,
  type MethodTerms,
  methodTermsOf,
  type PaymentSettings,
} from "#shop/store/payment-methods.ts";

import type { GatewayRules } from "./port.ts";
import { amountFault, findFirst } from "./registry.ts";

/** A way to pay, as a customer chooses it. */
export interface OfferedMethod extends Pick<MethodTerms, "label" | "by"> {
  readonly method: PaymentMethod;
  /** The providers of mobile money that a gateway takes; none by hand, where no phone is asked. */
  readonly providers: readonly Provider[];
}

export interface PaymentToOffer {
  readonly currency: CurrencyCode;
  /** Null offers what takes any amount of the currency. */
  readonly amountMinor: number | null;
  /** True if a publishable key asks. */
  readonly isPublic: boolean;
}

/** The ways to pay that the shop offers, in the order of their table. */
export function offeredMethods(
  settings: PaymentSettings,
  gateways: readonly GatewayRules[],
  payment: PaymentToOffer,
): OfferedMethod[] {
  return paymentMethods.flatMap((method): OfferedMethod[] => {
    if (!isOffered(settings, method, payment)) return [];
    const { label, by } = methodTermsOf(settings, method);
    if (by === "hand") return [{ method, label, by, providers: [] }];
    const takes = (provider: Provider | null) =>
      isTaken(gateways, { ...payment, method, provider });
    const taken = method === "mobile_money" ? providers.filter(takes) : [];
    return taken.length > 0 || takes(null) ? [{ method, label, by, providers: taken }] : [];
  });
}

interface Asked extends Omit<PaymentToOffer, "isPublic"> {
  readonly method: PaymentMethod;
  readonly provider: Provider | null;
}

/** Returns true if the gateway that would get the payment takes its amount. */
function isTaken(gateways: readonly GatewayRules[], { method, amountMinor, ...rest }: Asked) {
  if (!isGatewayMethod(method)) return false;
  const chosen = findFirst(gateways, { method, ...rest });
  if (chosen === undefined) return false;
  return amountMinor === null || amountFault(amountMinor, chosen.terms) === null;
}
