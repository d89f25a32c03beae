// The ways to pay that the shop offers: by its gateway, or by hand, where the customer pays the
// merchant directly and the merchant confirms the money.

import type { CurrencyCode } from "#kernel/currency.ts";
import {
  type GatewayMethod,
  isGatewayMethod,
  isPaidInPerson,
  type PaymentMethod,
  paymentMethods,
} from "#kernel/payment-method.ts";
import {
  defineMembers,
  defineRefusal,
  member,
  type Members,
  publicMember,
  type Refusal,
} from "#kernel/refusal.ts";
import type { Mode } from "#platform/database/shop.ts";

/** Who takes the money: a gateway, or the merchant by hand. */
export const takers = ["gateway", "hand"] as const;
export type Taker = (typeof takers)[number];

/** The merchant's settings of a method; a field that is absent or null has its default. */
export interface MethodSettings {
  readonly enabled?: boolean;
  readonly by?: Taker | null;
  readonly label?: string | null;
  readonly instructions?: string | null;
  readonly expiresMinutes?: number | null;
  readonly storefront?: boolean | null;
}

/** Methods with accounts of the shop. That of a card is a terminal, which no web page has. */
export const receivingMethods = ["mobile_money", "bank_transfer", "card"] as const;
export type ReceivingMethod = (typeof receivingMethods)[number];

/** An account to which money by hand goes, in plain text, as customers read it. */
export interface ToldAccount {
  readonly label: string;
  readonly instructions: string;
}

interface ReceivingAccount extends ToldAccount {
  readonly method: ReceivingMethod;
  /** Empty: any. */
  readonly currencies: readonly CurrencyCode[];
}

export type AllMethodSettings = Readonly<Partial<Record<PaymentMethod, MethodSettings>>>;

/** How the shop takes a method. */
export interface MethodTerms {
  readonly enabled: boolean;
  readonly by: Taker;
  readonly label: string;
  /** The words that a customer needs to pay by hand: a till number, an IBAN, an address. */
  readonly instructions: string | null;
  /** How long an unpaid order of this method keeps its stock; null: the default of its kind. */
  readonly expiresMinutes: number | null;
  /** True if publishable keys may order and pay with it. */
  readonly storefront: boolean;
  /**
   * True if a gateway is to take it, or the merchant wrote how it is paid by hand, has an account for it, or offers it
   * on web pages.
   */
  readonly isSetUp: boolean;
}

/** Who asks for a method, and the currency of what is to be paid; any currency without one. */
interface Asking {
  readonly isPublic: boolean;
  readonly currency?: CurrencyCode;
}

/** The currencies in which gateways take a method; a method that is absent is taken in every one. */
export type GatewayCurrencies = Readonly<Partial<Record<GatewayMethod, readonly CurrencyCode[]>>>;

/** The methods that the shop's gateways take, as the running server set them up. */
export interface TakenByGateways {
  readonly gatewayMethods: readonly GatewayMethod[];
  readonly gatewayCurrencies: GatewayCurrencies;
}

/** The parts of the shop's settings that decide on payment methods. */
export interface PaymentSettings extends TakenByGateways {
  readonly paymentMethods: AllMethodSettings;
  /** The active ones, in the order in which customers read them. */
  readonly receivingAccounts: readonly ReceivingAccount[];
  readonly orderExpiryMinutes: number | null;
}

/** The names of methods in English, where the merchant gave none. */
export const methodLabels: Readonly<Record<PaymentMethod, string>> = {
  mobile_money: "Mobile money",
  card: "Card",
  gateway: "Pay online",
  cash_on_delivery: "Cash on delivery",
  bank_transfer: "Bank transfer",
  cash: "Cash",
};

/** The English words for a customer who pays by hand, where the merchant wrote no instructions. */
export const methodInstructions: Readonly<Record<PaymentMethod, string>> = {
  mobile_money: "The shop will tell you where to send the money.",
  card: "The shop will tell you how to pay.",
  gateway: "The shop will tell you how to pay.",
  cash_on_delivery: "Pay when your order arrives.",
  bank_transfer: "The shop will tell you where to send the money.",
  cash: "Pay in cash at the shop.",
};

/** The same where the merchant wrote nothing but accounts. */
export const accountInstructions = "Send the money to an account of the shop.";

/** The settings of a new test shop, so that a storefront can be tried with what is paid by hand. */
export const triedMethods: AllMethodSettings = {
  cash_on_delivery: { storefront: true },
  bank_transfer: { storefront: true },
};

const DAY_MINUTES = 1440;
/** A transfer takes a working day or two to arrive. */
const BY_HAND_EXPIRY_MINUTES = 3 * DAY_MINUTES;
/** An order of a customer that is neither paid nor received after a week was never agreed with the merchant. */
const CUSTOMER_EXPIRY_MINUTES = 7 * DAY_MINUTES;

/** Returns how the shop takes the method, for money of the currency. By default a gateway takes what it can. */
export function methodTermsOf(
  settings: PaymentSettings,
  method: PaymentMethod,
  currency?: CurrencyCode,
): MethodTerms {
  const set = settings.paymentMethods[method] ?? {};
  const by = set.by ?? (isTakenByGateway(settings, method) ? "gateway" : "hand");
  return {
    enabled: set.enabled ?? true,
    by,
    label: set.label ?? methodLabels[method],
    instructions: set.instructions ?? null,
    expiresMinutes: set.expiresMinutes ?? null,
    ...onWebPages(settings, { method, by, currency }),
  };
}

function onWebPages(
  settings: PaymentSettings,
  { method, by, currency }: Pick<MethodTerms, "by"> & AccountQuestion,
) {
  const { instructions, storefront } = settings.paymentMethods[method] ?? {};
  const isSetUp =
    by === "gateway" ||
    (instructions ?? null) !== null ||
    accountsOf(settings, { method, currency }).length > 0 ||
    storefront === true;
  // Cash changes hands at a counter, where no visitor of a web page stands.
  return { isSetUp, storefront: storefront ?? (isSetUp && method !== "cash") };
}

interface AccountQuestion {
  readonly method: PaymentMethod;
  readonly currency: CurrencyCode | undefined;
}

/** The accounts that a customer of a web page sends money of the currency to, of any currency without one. */
export function accountsOf(
  { receivingAccounts }: Pick<PaymentSettings, "receivingAccounts">,
  { method, currency }: AccountQuestion,
): ToldAccount[] {
  if (method === "card") return [];
  const takes = ({ currencies }: ReceivingAccount) =>
    currency === undefined || currencies.length === 0 || currencies.includes(currency);
  return receivingAccounts
    .filter((account) => account.method === method && takes(account))
    .map(({ label, instructions }) => ({ label, instructions }));
}

/** Returns false of `gateway` in live mode: it is the page of a gateway, which no instructions replace. */
export function canBeByHand(method: PaymentMethod, mode: Mode): boolean {
  return method !== "gateway" || mode === "test";
}

/** Returns true if the shop offers the method to who asks for it. */
export function isOffered(
  settings: PaymentSettings,
  method: PaymentMethod,
  { isPublic, currency }: Asking,
): boolean {
  const { enabled, storefront } = methodTermsOf(settings, method, currency);
  return enabled && (storefront || !isPublic);
}

/** Refuses with `payment_method_unavailable` or `no_way_to_pay` a method that is not offered. */
export function requireOffered(
  settings: PaymentSettings,
  method: PaymentMethod,
  asking: Asking,
): void {
  if (!isOffered(settings, method, asking)) throw methodUnavailable(settings, method, asking);
}

/** Returns true if orders of this method can be placed: it is offered, and its taker exists. */
function isAvailable(settings: PaymentSettings, method: PaymentMethod, asking: Asking): boolean {
  const { by } = methodTermsOf(settings, method);
  const isTaken = by === "hand" || isTakenByGateway(settings, method, asking.currency);
  return isTaken && isOffered(settings, method, asking);
}

/** Returns true if a publishable key can place orders in any method, in some currency. */
export function paysOnWebPages(settings: PaymentSettings): boolean {
  return paymentMethods.some((method) => isAvailable(settings, method, { isPublic: true }));
}

/** Refuses with `payment_method_unavailable` or `no_way_to_pay` a method in which no order can be placed. */
export function requireAvailable(
  settings: PaymentSettings,
  method: PaymentMethod,
  asking: Asking,
): void {
  if (!isAvailable(settings, method, asking)) throw methodUnavailable(settings, method, asking);
}

/** The refusal of a method, with the methods that the shop takes; another one if web pages can use none. */
function methodUnavailable(
  settings: PaymentSettings,
  method: PaymentMethod,
  asking: Asking,
): Refusal {
  if (asking.isPublic && !paysOnWebPages(settings)) return noWayToPay();
  const available = paymentMethods.filter((one) => isAvailable(settings, one, asking));
  return paymentMethodUnavailable({
    detail: `This shop does not take ${method}${asking.currency === undefined ? "" : ` in ${asking.currency}`}.`,
    members: { method, available_methods: available },
  });
}

/**
 * Returns the minutes after which an unpaid order of this method expires, or null for never. Cash
 * waits for the merchant, who is present; a customer who places an order reserves no stock for ever,
 * also where the shop's own orders never expire.
 */
export function expiryMinutesOf(
  settings: PaymentSettings,
  method: PaymentMethod,
  { isFromMerchant }: { readonly isFromMerchant: boolean },
): number | null {
  const { by, expiresMinutes } = methodTermsOf(settings, method);
  if (expiresMinutes !== null) return expiresMinutes;
  if (isPaidInPerson(method)) {
    return isFromMerchant ? null : CUSTOMER_EXPIRY_MINUTES;
  }
  if (by === "hand") return BY_HAND_EXPIRY_MINUTES;
  return settings.orderExpiryMinutes ?? (isFromMerchant ? null : CUSTOMER_EXPIRY_MINUTES);
}

function isTakenByGateway(
  { gatewayMethods, gatewayCurrencies }: TakenByGateways,
  method: PaymentMethod,
  currency?: CurrencyCode,
): boolean {
  if (!isGatewayMethod(method) || !gatewayMethods.includes(method)) return false;
  return currency === undefined || (gatewayCurrencies[method]?.includes(currency) ?? true);
}

export const paymentMethodUnavailable = defineRefusal("payment_method_unavailable", "conflict", {
  title: "The shop does not take this payment method.",
  cause:
    "The merchant disabled the payment method, for everybody or for publishable keys, or left it to a gateway and none is configured that takes it in this currency. To publishable keys a method by hand is offered once it has `instructions` or `storefront` true.",
  remedy: "Use one of `available_methods`. Retrying does not help.",
  example: {
    detail: "This shop does not take card in KES.",
    members: { method: "card", available_methods: ["mobile_money", "cash_on_delivery"] },
  },
});

export const noWayToPay = defineRefusal("no_way_to_pay", "conflict", {
  title: "The shop takes no payments from its web pages yet.",
  cause:
    "No gateway takes payments, and the merchant set up no way to pay by hand that publishable keys may use, so the order could never be paid.",
  remedy:
    'Set up a gateway, or say how you are paid: `PUT /v2/store {"payment_methods": {"bank_transfer": {"instructions": "…"}}}`. Retrying does not help.',
});

const methodMembers = defineMembers({
  method: publicMember(member.text("The payment method that the shop cannot take.")),
  available_methods: publicMember(member.texts("The payment methods that the shop takes.")),
});
declare module "#kernel/refusal.ts" {
  interface ProblemMembers extends Members<typeof methodMembers> {}
}
