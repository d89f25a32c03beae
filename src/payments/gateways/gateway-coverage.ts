// Rules: what gateways take, as lists: pure questions to `takes`, asked of every method, currency and provider.

import { type CurrencyCode, currencyCodes, isCurrency } from "#kernel/currency.ts";
import { type GatewayMethod, gatewayMethods } from "#kernel/payment-method.ts";
import { type Provider, providers } from "#payments/payments/payment-life.ts";
import type { TakenByGateways } from "#shop/store/payment-methods.ts";

import type { GatewayRules } from "./port.ts";
import { findFirst } from "./registry.ts";

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
    const asked = (currency: CurrencyCode) => ({ method, currency, provider: null });
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
