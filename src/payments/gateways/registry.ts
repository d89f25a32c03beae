// The gateways of a shop: which one takes an attempt, and which one is meant by a name. Invariant: a retired
// gateway takes no new attempts; what was begun there is polled, refunded and noticed as before.

import { type Faults } from "#kernel/refusal.ts";

import type { AskedOfGateway, CurrencyTerms, GatewayRules } from "./port.ts";

/** A gateway that takes an attempt, with its terms for the attempt's currency. */
export interface ChosenGateway {
  readonly gateway: GatewayRules;
  readonly terms: CurrencyTerms;
}

/** Whether a gateway of the shop takes new attempts of this method. */
export function isMethodTaken(gateways: readonly GatewayRules[], method: string): boolean {
  return gateways.some((one) => isOpenFor(one, method));
}

/**
 * The first gateway that takes the attempt. Undefined, and a fault is added, if none takes its currency in this
 * method, or its provider.
 */
export function chooseGateway(
  gateways: readonly GatewayRules[],
  asked: AskedOfGateway,
  faults: Faults,
): ChosenGateway | undefined {
  const chosen = findFirst(gateways, asked);
  if (chosen !== undefined) return chosen;
  const { method, currency, provider } = asked;
  if (findFirst(gateways, { ...asked, provider: null }) === undefined) {
    const detail = `No gateway of the shop accepts ${currency} by ${method}.`;
    faults.add("/currency", "currency_not_supported", detail);
  } else {
    const detail = `No gateway of the shop accepts ${currency} from ${provider}.`;
    faults.add("/provider", "provider_not_supported", detail);
  }
  return undefined;
}

function findFirst(
  gateways: readonly GatewayRules[],
  asked: AskedOfGateway,
): ChosenGateway | undefined {
  for (const gateway of gateways) {
    const terms = isOpenFor(gateway, asked.method) ? gateway.takes(asked) : null;
    if (terms !== null) return { gateway, terms };
  }
  return undefined;
}

function isOpenFor({ standing, methods }: GatewayRules, method: string): boolean {
  return standing === "open" && methods.some((taken) => taken === method);
}
