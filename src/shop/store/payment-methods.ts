// The ways to pay that the shop offers: by its gateway, or by hand, where the customer pays the
// merchant directly and the merchant confirms the money.

import {
  type GatewayMethod,
  isGatewayMethod,
  type PaymentMethod,
  paymentMethods,
} from "#kernel/payment-method.ts";
import { defineRefusal, type Refusal } from "#kernel/refusal.ts";

/** Who takes the money: a gateway, or the merchant by hand. */
export const takers = ["gateway", "hand"] as const;
export type Taker = (typeof takers)[number];

/** What the merchant set for a method; a field that is absent or null has its default. */
export interface MethodSettings {
  readonly enabled?: boolean;
  readonly by?: Taker | null;
  readonly label?: string | null;
  readonly instructions?: string | null;
  readonly expiresMinutes?: number | null;
}

export type AllMethodSettings = Readonly<Partial<Record<PaymentMethod, MethodSettings>>>;

/** How the shop takes a method. */
export interface MethodTerms {
  readonly enabled: boolean;
  readonly by: Taker;
  readonly label: string;
  /** What a customer needs to pay by hand: a till number, an IBAN, an address. */
  readonly instructions: string | null;
  /** How long an unpaid order of this method keeps its stock; null: the default of its kind. */
  readonly expiresMinutes: number | null;
}

/** The parts of the shop's settings that decide on payment methods. */
export interface PaymentSettings {
  readonly paymentMethods: AllMethodSettings;
  /** The methods that the shop's gateways take, as the running server set them up. */
  readonly gatewayMethods: readonly GatewayMethod[];
  readonly orderExpiryMinutes: number | null;
}

const labels: Readonly<Record<PaymentMethod, string>> = {
  mobile_money: "Mobile money",
  card: "Card",
  gateway: "Pay online",
  cash_on_delivery: "Cash on delivery",
  bank_transfer: "Bank transfer",
  cash: "Cash",
};

/** What a customer is told who pays by hand, where the merchant wrote no instructions. */
const instructions: Readonly<Record<PaymentMethod, string>> = {
  mobile_money: "The shop will tell you where to send the money.",
  card: "The shop will tell you how to pay.",
  gateway: "The shop will tell you how to pay.",
  cash_on_delivery: "Pay when your order arrives.",
  bank_transfer: "The shop will tell you where to send the money.",
  cash: "Pay in cash at the shop.",
};

const DAY_MINUTES = 1440;
/** A transfer takes a working day or two to arrive. */
const BY_HAND_EXPIRY_MINUTES = 3 * DAY_MINUTES;
/** A delivery that is not out after a week was never agreed with the merchant. */
const DELIVERY_EXPIRY_MINUTES = 7 * DAY_MINUTES;

/** Returns how the shop takes the method. By default a gateway takes what it can. */
export function methodTermsOf(settings: PaymentSettings, method: PaymentMethod): MethodTerms {
  const set = settings.paymentMethods[method] ?? {};
  return {
    enabled: set.enabled ?? true,
    by: set.by ?? (isTakenByGateway(settings, method) ? "gateway" : "hand"),
    label: set.label ?? labels[method],
    instructions: set.instructions ?? null,
    expiresMinutes: set.expiresMinutes ?? null,
  };
}

/** Whether orders of this method can be placed: it is enabled, and its taker exists. */
function isAvailable(settings: PaymentSettings, method: PaymentMethod): boolean {
  const { enabled, by } = methodTermsOf(settings, method);
  return enabled && (by === "hand" || isTakenByGateway(settings, method));
}

/** Refuses with `payment_method_unavailable` a method in which no order can be placed. */
export function requireAvailable(settings: PaymentSettings, method: PaymentMethod): void {
  if (!isAvailable(settings, method)) throw unavailable(settings, method);
}

/** Returns what a customer must do to pay by hand. */
export function instructionsOf(settings: PaymentSettings, method: PaymentMethod): string {
  return methodTermsOf(settings, method).instructions ?? instructions[method];
}

/** The refusal of a method, with the methods that the shop takes. */
export function unavailable(settings: PaymentSettings, method: PaymentMethod): Refusal {
  const available = paymentMethods.filter((one) => isAvailable(settings, one));
  return paymentMethodUnavailable({
    detail: `This shop does not take ${method}.`,
    members: { method, available_methods: available },
  });
}

/**
 * Returns the minutes after which an unpaid order of this method expires, or null for never. Cash
 * waits for the merchant, who is present; a stranger who places an order reserves no stock for ever.
 */
export function expiryMinutesOf(
  settings: PaymentSettings,
  method: PaymentMethod,
  { isFromStranger }: { readonly isFromStranger: boolean },
): number | null {
  const { by, expiresMinutes } = methodTermsOf(settings, method);
  if (expiresMinutes !== null) return expiresMinutes;
  if (method === "cash" || method === "cash_on_delivery") {
    return isFromStranger ? DELIVERY_EXPIRY_MINUTES : null;
  }
  return by === "gateway" ? settings.orderExpiryMinutes : BY_HAND_EXPIRY_MINUTES;
}

function isTakenByGateway({ gatewayMethods }: PaymentSettings, method: PaymentMethod): boolean {
  return isGatewayMethod(method) && gatewayMethods.includes(method);
}

export const paymentMethodUnavailable = defineRefusal("payment_method_unavailable", "conflict", {
  title: "The shop does not take this payment method.",
  cause:
    "The merchant disabled the payment method, or left it to a gateway and none is configured for it.",
  remedy: "Use one of `available_methods`. Retrying does not help.",
  example: {
    detail: "This shop does not take card.",
    members: { method: "card", available_methods: ["mobile_money", "cash_on_delivery"] },
  },
});
