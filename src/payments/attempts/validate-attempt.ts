// Rules: what is wrong with an attempt, reported all at once before any gateway is called.

import type { CurrencyCode } from "#kernel/currency.ts";
import { formatAmount, readPositiveAmount } from "#kernel/money.ts";
import type { PaymentMethod } from "#kernel/payment-method.ts";
import { Faults } from "#kernel/refusal.ts";
import { amountFault, type ChosenGateway } from "#payments/gateways/registry.ts";
import type { CurrencyTerms, GatewayRules } from "#payments/port/gateway.ts";
import { attemptOf } from "#payments/port/payments-shop.ts";
import type { Payment } from "#payments/rows/payment.ts";
import type { Mode } from "#platform/database/shop.ts";
import { isLoopbackHost } from "#platform/net/target-url.ts";
import { depositDueOf, dueOf } from "#sales/rows/balance.ts";
import type { Order } from "#sales/rows/order.ts";

import type { PaymentRequest } from "./payment-request.ts";

/**
 * Tokens of test cards: those that Stripe publishes, and the simulated gateway's own. Most are of several words; a
 * token of a customer's card is one, and no name.
 */
const TEST_TOKEN = new RegExp(
  [
    "^(?:(?:pm|tok|ctoken)_[A-Za-z0-9]+_",
    "tok_(?:visa|mastercard|amex|discover|diners|jcb|unionpay|chargeDeclined|threeDSecure|riskLevel|createDispute)",
    "tok_(?:avs(?:Fail|Line1Fail|ZipFail|Unchecked)|cvcCheckFail|radarBlock|chargeCustomerFail)$",
    "tok_(?:refundFail|pendingRefund|bypassPending|domesticPricing|[a-z]{2})$)",
  ].join("|"),
);

interface Owed {
  readonly amountMinor: number;
  readonly currency: CurrencyCode;
}

/** The places to which a customer may be sent after a payment. */
interface ReturnRules {
  readonly mode: Mode;
  /** True of an address that is on this server, or on a host that the operator named. */
  readonly mayReturnTo: (url: string) => boolean;
  /** True if no other host will do, as for publishable keys. */
  readonly isBound: boolean;
}

interface AttemptMeans extends ReturnRules {
  readonly method: PaymentMethod;
  readonly isByHand: boolean;
  readonly gateways: readonly Pick<GatewayRules, "id" | "standing">[];
}

/** Returns the amount to charge, with its currency. Refuses with `validation_failed`. */
export function validateAttempt(
  request: PaymentRequest,
  { order, ...means }: AttemptMeans & { readonly order: Order | null },
): Owed {
  const faults = new Faults();
  const owed = order === null ? ofLink(request, faults) : ofOrder(request, order, faults);
  validateMeans(request, means, faults);
  faults.refuseIfAny();
  return owed;
}

function validateMeans(request: PaymentRequest, means: AttemptMeans, faults: Faults): void {
  const { method, isByHand } = means;
  validateGateway(request, means, faults);
  if (!isByHand && method === "mobile_money" && request.phone === null) {
    faults.add("/phone", "required", "Mobile money requires a phone number.");
  }
  if (request.returnUrl !== null) validateReturnUrl(request.returnUrl, means, faults);
  if (request.cardToken !== null) validateToken(request.cardToken, means, faults);
}

/** The address is checked when it is saved, and never when the customer returns. */
function validateReturnUrl(
  text: string,
  { mode, mayReturnTo, isBound }: ReturnRules,
  faults: Faults,
): void {
  const { username, password, protocol, hostname } = new URL(text);
  const add = faults.add.bind(faults, "/return_url");
  if (`${username}${password}` !== "") {
    add("url_has_credentials", "The URL must not contain a user name or password.");
  }
  if (mayReturnTo(text)) return;
  if (isBound) {
    add("return_host_not_allowed", "DUKA_RETURN_HOSTS does not name the host of this URL.");
  }
  if (mode === "test") return;
  if (protocol !== "https:") {
    add("url_scheme_not_allowed", "The URL must begin with https:// in live mode.");
  }
  if (isLoopbackHost(hostname)) {
    add("url_host_not_allowed", "Customers cannot reach the host of this URL.");
  }
}

function validateToken(
  token: string,
  { method, isByHand, mode }: AttemptMeans,
  faults: Faults,
): void {
  if (isByHand || method !== "card") {
    faults.add("/card_token", "conflicting_fields", ignoredToken(method));
  }
  if (mode === "live" && TEST_TOKEN.test(token)) {
    const detail = "This is the token of a test card, with which nothing can be paid.";
    faults.add("/card_token", "test_token_in_live_mode", detail);
  }
}

function validateGateway(
  { gateway }: PaymentRequest,
  { method, isByHand, gateways }: AttemptMeans,
  faults: Faults,
): void {
  if (gateway === null) return;
  if (isByHand) {
    const detail = `The shop takes ${method} by hand, without a gateway.`;
    faults.add("/gateway", "conflicting_fields", detail);
  } else if (!gateways.some(({ id, standing }) => id === gateway && standing === "open")) {
    const detail = "No gateway with this id takes new payments in this mode.";
    faults.add("/gateway", "gateway_unknown", detail);
  }
}

function ignoredToken(method: PaymentMethod): string {
  return method === "card"
    ? "The shop takes cards by hand, so no gateway can charge this token."
    : `A payment by ${method} does not use a card token. Send method card, or no method.`;
}

function ofLink(request: PaymentRequest, faults: Faults): Owed {
  const { amount, currency } = request;
  if (amount === undefined) {
    faults.add("/amount", "required", "An amount is required without order_id.");
  }
  if (currency === undefined) {
    faults.add("/currency", "required", "A currency is required without order_id.");
  }
  if (request.isDeposit) {
    faults.add("/order_id", "required", "A deposit requires order_id.");
  }
  const known = currency ?? "USD";
  return {
    amountMinor: readPositiveAmount(amount ?? 1, known, { faults, pointer: "/amount" }) ?? 0,
    currency: known,
  };
}

function ofOrder(request: PaymentRequest, order: Order, faults: Faults): Owed {
  const { currency } = request;
  if (currency !== undefined && currency !== order.currency) {
    faults.add("/currency", "currency_mismatch", `The order's currency is ${order.currency}.`);
    return { amountMinor: 0, currency: order.currency };
  }
  const amountMinor = request.isDeposit
    ? readDeposit(request, order, faults)
    : readPart(request, order, faults);
  return { amountMinor, currency: order.currency };
}

/** The part of the deposit that is still due, minor units. */
function readDeposit({ amount }: PaymentRequest, order: Order, faults: Faults): number {
  if (amount !== undefined) {
    faults.add("/deposit", "conflicting_fields", "Send either amount or deposit.");
  }
  const depositMinor = depositDueOf(order);
  if (depositMinor === 0) {
    faults.add("/deposit", "deposit_paid", "The deposit of the order is paid already.");
  }
  return depositMinor;
}

/** The amount in minor units: all that is due, the deposit, or any part that the merchant asks for. */
function readPart(
  { amount, isFromMerchant }: PaymentRequest,
  order: Order,
  faults: Faults,
): number {
  const { currency } = order;
  const dueMinor = dueOf(order);
  if (amount === undefined) return dueMinor;
  const amountMinor = readPositiveAmount(amount, currency, { faults, pointer: "/amount" });
  if (amountMinor === null) return 0;
  const due = `${formatAmount(dueMinor, currency)} ${currency}`;
  if (amountMinor > dueMinor) {
    faults.add("/amount", "amount_exceeds_due", `Only ${due} is due.`);
  } else if (amountMinor < dueMinor && amountMinor !== depositDueOf(order) && !isFromMerchant) {
    const detail = `${due} is due. Only the merchant can ask for a part of it other than the deposit.`;
    faults.add("/amount", "amount_below_due", detail);
  }
  return amountMinor;
}

/** Refuses with `validation_failed` what the gateway does not accept. */
export function validateAtGateway(payment: Payment, { gateway, terms }: ChosenGateway): void {
  const faults = new Faults();
  validateAmount(payment, terms, faults);
  for (const { field, code, detail } of gateway.validate(attemptOf(payment))) {
    faults.add(`/${field}`, code, detail);
  }
  faults.refuseIfAny();
}

function validateAmount(
  { amountMinor, currency }: Payment,
  terms: CurrencyTerms,
  faults: Faults,
): void {
  const code = amountFault(amountMinor, terms);
  if (code === null) return;
  const { minimumMinor, maximumMinor, multipleMinor } = terms;
  const say = (minor: number) => `${formatAmount(minor, currency)} ${currency}`;
  const details = {
    amount_too_small: `The gateway's minimum is ${say(minimumMinor)}.`,
    amount_too_large: `The gateway's maximum is ${say(maximumMinor ?? 0)}.`,
    amount_precision: `The gateway accepts multiples of ${say(multipleMinor)} only.`,
  };
  faults.add("/amount", code, details[code]);
}
