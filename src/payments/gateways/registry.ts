// The gateways of a shop: their order, and which one takes an attempt. Invariant: a retired gateway takes no new
// attempts; what was begun there is polled, refunded and noticed as before.

import { defineFaults, type Meanings } from "#kernel/fault.ts";
import type { Faults } from "#kernel/refusal.ts";
import type { AskedOfGateway, CurrencyTerms, GatewayRules } from "#payments/port/gateway.ts";

/** A gateway that takes an attempt, with its terms for the attempt's currency. */
export interface ChosenGateway {
  readonly gateway: GatewayRules;
  readonly terms: CurrencyTerms;
}

/** Returns true if a gateway of the shop takes new attempts of this method. */
export function isMethodTaken(gateways: readonly GatewayRules[], method: string): boolean {
  return gateways.some((one) => isOpenFor(one, method));
}

/** A payment for which a gateway is sought. */
interface Sought extends AskedOfGateway {
  /** Null where any amount will do. */
  readonly amountMinor: number | null;
}

/**
 * The first gateway that takes the attempt, in the order of the shop; only the named one where the request
 * names one. Where none takes the phone, the token or the amount, the first that takes all else, which says why.
 * Undefined, and a fault is added that says what each of them does not take, if none does.
 */
export function chooseGateway(
  gateways: readonly GatewayRules[],
  {
    gateway: named,
    phone,
    hasToken = false,
    ...asked
  }: Sought & { readonly gateway: string | null },
  faults: Faults,
): ChosenGateway | undefined {
  const open = gateways.filter(({ id, standing }) => standing === "open" && id === (named ?? id));
  const chosen = findFirst(open, { ...asked, phone, hasToken }) ?? findFirst(open, asked);
  if (chosen !== undefined) return chosen;
  const { pointer, code } = faultOf(open, asked);
  faults.add(pointer, code, open.map((gateway) => refusalOf(gateway, asked)).join(" "));
  return undefined;
}

/** The first gateway that takes what is asked; where none takes the amount, the first that takes the rest. */
export function findFirst(
  gateways: readonly GatewayRules[],
  { amountMinor, ...asked }: Sought,
): ChosenGateway | undefined {
  let first: ChosenGateway | undefined;
  for (const gateway of gateways) {
    const terms = termsOf(gateway, asked);
    if (terms === null) continue;
    const chosen = { gateway, terms };
    if (amountMinor === null || amountFault(amountMinor, terms) === null) return chosen;
    first ??= chosen;
  }
  return first;
}

/** Why the amount is none that the gateway accepts; null if it is one. */
export function amountFault(
  amountMinor: number,
  { minimumMinor, maximumMinor, multipleMinor }: CurrencyTerms,
): "amount_too_small" | "amount_too_large" | "amount_precision" | null {
  if (amountMinor < minimumMinor) return "amount_too_small";
  if (maximumMinor !== null && amountMinor > maximumMinor) return "amount_too_large";
  return amountMinor % multipleMinor === 0 ? null : "amount_precision";
}

function termsOf(gateway: GatewayRules, asked: AskedOfGateway): CurrencyTerms | null {
  return isOpenFor(gateway, asked.method) ? gateway.takes(asked) : null;
}

/** The field that would have to be another one for any of the gateways to take the attempt. */
function faultOf(gateways: readonly GatewayRules[], asked: AskedOfGateway) {
  const anyProvider = { ...asked, provider: null };
  if (gateways.some((one) => termsOf(one, anyProvider) !== null)) {
    return { pointer: "/provider", code: "provider_not_supported" } as const;
  }
  if (gateways.some((one) => isOpenFor(one, asked.method))) {
    return { pointer: "/currency", code: "currency_not_supported" } as const;
  }
  return { pointer: "/method", code: "method_not_supported" } as const;
}

function refusalOf(gateway: GatewayRules, asked: AskedOfGateway): string {
  const { method, currency, provider } = asked;
  if (!isOpenFor(gateway, method)) return `${gateway.id} does not take ${method}.`;
  if (termsOf(gateway, { ...asked, provider: null }) === null) {
    return `${gateway.id} does not take ${currency} by ${method}.`;
  }
  return `${gateway.id} does not take ${currency} from ${provider}.`;
}

function isOpenFor({ standing, methods }: GatewayRules, method: string): boolean {
  return standing === "open" && methods.some((taken) => taken === method);
}

/** The gateways in the order of these ids; those that are not named follow in their own order. */
function inOrder<G extends GatewayRules>(gateways: readonly G[], ids: readonly string[]): G[] {
  const place = ({ id }: G) => (ids.includes(id) ? ids.indexOf(id) : ids.length);
  return gateways.toSorted((one, other) => place(one) - place(other));
}

/** The gateways of a shop in their order: one list, of which those of vendors are replaced. */
export function gatewayList<G extends GatewayRules>(own: readonly G[], order: readonly string[]) {
  const gateways = inOrder(own, order);
  const useVendors = (ofVendors: readonly G[]) => {
    gateways.splice(0, gateways.length, ...inOrder([...own, ...ofVendors], order));
  };
  return { gateways, useVendors };
}

/** The ids that no gateway has. */
export function unknownOf(
  ids: readonly string[],
  gateways: readonly Pick<GatewayRules, "id">[],
): string[] {
  return ids.filter((id) => !gateways.some((one) => one.id === id));
}

const gatewayFaults = defineFaults({
  currency_not_supported: "The gateway does not accept this currency.",
  gateway_unknown: "The shop has no gateway with this id that takes new payments.",
  method_not_supported: "The gateway that is asked for does not take this payment method.",
  phone_not_in_country: "The phone is not of the country of the currency and the network.",
  provider_not_supported: "No gateway accepts this currency from this provider.",
});
declare module "#kernel/fault.ts" {
  interface FaultCodes extends Meanings<typeof gatewayFaults> {}
}
