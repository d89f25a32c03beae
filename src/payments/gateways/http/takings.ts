// Rules: what an adapter takes, by what it said of itself, without a call.

import type {
  AskedOfGateway,
  AttemptFault,
  CurrencyTerms,
  GatewayAttempt,
} from "#payments/port/gateway.ts";

import type { Taking } from "./wire.ts";

/** Returns true if the adapter takes what is asked by this entry; what is not known does not count against it. */
export function isTaken(taking: Taking, asked: AskedOfGateway): boolean {
  return (
    isOf(taking, asked) &&
    hasProvider(taking, asked.provider) &&
    hasPhone(taking, asked.phone ?? null) &&
    (asked.hasToken !== true || taking.tokens === true)
  );
}

export function termsOf({ minimumMinor, maximumMinor, multipleMinor }: Taking): CurrencyTerms {
  return { minimumMinor, maximumMinor: maximumMinor ?? null, multipleMinor: multipleMinor ?? 1 };
}

/** The payer's details that no entry of the method and the currency takes together. */
export function faultsOf(takes: readonly Taking[], attempt: GatewayAttempt): AttemptFault[] {
  let entries = takes.filter((one) => isOf(one, attempt));
  const { phone, provider, cardToken } = attempt;
  const faults: AttemptFault[] = [];
  /** Leaves the entries that pass, by which the next detail is judged; all of them, and a fault, where none does. */
  const leave = (isLeft: (one: Taking) => boolean, fault: AttemptFault) => {
    const left = entries.filter(isLeft);
    if (left.length === 0) faults.push(fault);
    else entries = left;
  };
  leave((one) => hasProvider(one, provider), {
    field: "provider",
    code: "provider_not_supported",
    detail: "The gateway does not take this provider.",
  });
  const prefixes = entries.flatMap(({ phonePrefixes = [] }) => phonePrefixes);
  leave((one) => hasPhone(one, phone), {
    field: "phone",
    code: "phone_not_in_country",
    detail: `The gateway takes phones that begin with ${[...new Set(prefixes)].join(", ")}.`,
  });
  leave(({ tokens }) => cardToken === null || tokens === true, {
    field: "card_token",
    code: "method_not_supported",
    detail: "The gateway takes cards on its page alone: leave the token out.",
  });
  return faults;
}

function isOf(taking: Taking, { method, currency }: Pick<Taking, "method" | "currency">): boolean {
  return taking.method === method && taking.currency === currency;
}

function hasProvider({ providers }: Taking, provider: AskedOfGateway["provider"]): boolean {
  return provider === null || providers === undefined || providers.includes(provider);
}

function hasPhone({ phonePrefixes }: Taking, phone: string | null): boolean {
  if (phone === null || phonePrefixes === undefined) return true;
  return phonePrefixes.some((prefix) => phone.startsWith(prefix));
}
