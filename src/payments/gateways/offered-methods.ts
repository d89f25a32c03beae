// Rules: the one list of ways to pay that the shop offers for an amount, and what its gateways take. Placing an order
// and initializing a payment refuse what is not in it. A method by hand never asks a gateway.

import { type CurrencyCode, currencyCodes, isCurrency } from "#kernel/currency.ts";
import {
  type GatewayMethod,
  gatewayMethods,
  isGatewayMethod,
  type PaymentMethod,
  paymentMethods,
} from "#kernel/payment-method.ts";
import type { GatewayRules } from "#payments/port/gateway.ts";
import { type Provider, providers } from "#payments/rows/payment-life.ts";
import type { Mode } from "#platform/database/shop.ts";
import {
  accountsOf,
  canBeByHand,
  isOffered,
  type MethodTerms,
  methodTermsOf,
  type PaymentSettings,
  type TakenByGateways,
  type ToldAccount,
} from "#shop/store/payment-methods.ts";

import { amountFault, findFirst } from "./registry.ts";

/** A way to pay, as a customer chooses it. */
export interface OfferedMethod extends Pick<MethodTerms, "label" | "by"> {
  readonly method: PaymentMethod;
  /** The providers of mobile money that a gateway takes; none by hand, where no phone is asked. */
  readonly providers: readonly Provider[];
  /** The merchant's words for customers who pay by hand; null without any. */
  readonly instructions: string | null;
  /** The accounts to one of which they send the money. */
  readonly accounts: readonly ToldAccount[];
}

export interface PaymentToOffer {
  readonly currency: CurrencyCode;
  /** Null offers what takes any amount of the currency. */
  readonly amountMinor: number | null;
  /** True if a publishable key asks. */
  readonly isPublic: boolean;
  readonly mode: Mode;
}

/** The ways to pay that the shop offers, in the order of their table. */
export function offeredMethods(
  settings: PaymentSettings,
  gateways: readonly GatewayRules[],
  payment: PaymentToOffer,
): OfferedMethod[] {
  return paymentMethods.flatMap((method): OfferedMethod[] => {
    if (!isOffered(settings, method, payment)) return [];
    const { label, by, instructions } = methodTermsOf(settings, method);
    if (by === "hand") {
      if (!canBeByHand(method, payment.mode)) return [];
      const accounts = accountsOf(settings, { method, currency: payment.currency });
      return [{ method, label, by, providers: [], instructions, accounts }];
    }
    const own = { method, label, by, instructions: null, accounts: [] };
    const takes = (provider: Provider | null) =>
      isTaken(gateways, { ...payment, method, provider });
    const taken = method === "mobile_money" ? providers.filter(takes) : [];
    return taken.length > 0 || takes(null) ? [{ ...own, providers: taken }] : [];
  });
}

interface Asked extends Omit<PaymentToOffer, "isPublic" | "mode"> {
  readonly method: PaymentMethod;
  readonly provider: Provider | null;
}

/** Returns true if the gateway that would get the payment takes its amount. */
function isTaken(gateways: readonly GatewayRules[], { method, ...rest }: Asked) {
  if (!isGatewayMethod(method)) return false;
  const { amountMinor } = rest;
  const chosen = findFirst(gateways, { method, ...rest });
  if (chosen === undefined) return false;
  return amountMinor === null || amountFault(amountMinor, chosen.terms) === null;
}

/** Currencies that a gateway takes in a method, from the same providers. */
export interface Coverage {
  readonly method: GatewayMethod;
  readonly currencies: readonly CurrencyCode[];
  /** Empty but for mobile money. */
  readonly providers: readonly Provider[];
}

/** A gateway of the shop, and what it takes; of a retired one, what it took. */
export interface GatewayCoverage extends Pick<GatewayRules, "id" | "standing"> {
  readonly takes: readonly Coverage[];
}

const currencies = currencyCodes.filter(isCurrency);

/** The payments that the gateway takes: one entry for the currencies of a method that have the same providers. */
export function coverageOf(gateway: GatewayRules): GatewayCoverage {
  const { id, standing, methods } = gateway;
  const takes = gatewayMethods
    .filter((method) => methods.includes(method))
    .flatMap((method) => coverageOfMethod(gateway, method));
  return { id, standing, takes };
}

function coverageOfMethod(gateway: GatewayRules, method: GatewayMethod): Coverage[] {
  const taken = currencies.filter(
    (currency) => gateway.takes({ method, currency, provider: null }) !== null,
  );
  const byProviders = Map.groupBy(taken, (currency) =>
    method === "mobile_money" ? providersOf(gateway, currency).join() : "",
  );
  return [...byProviders.values()].map((group) => {
    const [first] = group;
    const hasProviders = method === "mobile_money" && first !== undefined;
    return {
      method,
      currencies: group,
      providers: hasProviders ? providersOf(gateway, first) : [],
    };
  });
}

function providersOf(gateway: GatewayRules, currency: CurrencyCode): Provider[] {
  return providers.filter(
    (provider) => gateway.takes({ method: "mobile_money", currency, provider }) !== null,
  );
}

/** The new payments that the gateways take between them, for stories that place orders. */
export function takenBy(gateways: readonly GatewayRules[]): TakenByGateways {
  const taken = gatewayMethods.map((method) => {
    const asked = (currency: CurrencyCode) => ({
      method,
      currency,
      provider: null,
      amountMinor: null,
    });
    const found = currencies.filter((one) => findFirst(gateways, asked(one)) !== undefined);
    return [method, found] as const;
  });
  const some = taken.filter(([, found]) => found.length > 0);
  const limited = some.filter(([, found]) => found.length < currencies.length);
  return {
    gatewayMethods: some.map(([method]) => method),
    gatewayCurrencies: Object.fromEntries(limited),
  };
}
