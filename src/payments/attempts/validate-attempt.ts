// What is wrong with an attempt before anybody is asked for money: all of it at once.

import type { CurrencyCode } from "#kernel/currency.ts";
import { formatAmount, readPositiveAmount } from "#kernel/money.ts";
import type { PaymentMethod } from "#kernel/payment-method.ts";
import { Faults } from "#kernel/refusal.ts";
import type { GatewayRules } from "#payments/gateways/port.ts";
import type { Payment } from "#payments/payments/payment.ts";
import { attemptOf } from "#payments/payments/payments-shop.ts";
import { dueOf, type Order } from "#sales/orders/order.ts";

import type { PaymentRequest } from "./payment-request.ts";

interface Owed {
  readonly amountMinor: number;
  readonly currency: CurrencyCode;
}

/** What is asked for, in minor units. Refuses with `validation_failed`. */
export function validateAttempt(
  request: PaymentRequest,
  { order, method }: { readonly order: Order | null; readonly method: PaymentMethod },
): Owed {
  const faults = new Faults();
  const owed = order === null ? ofLink(request, faults) : ofOrder(request, order, faults);
  if (method === "mobile_money" && request.phone === null) {
    faults.add("/phone", "required", "Mobile money is asked of a phone.");
  }
  if (method === "card" && request.cardToken === null) {
    faults.add("/card_token", "required", "A card is charged by its token.");
  }
  faults.refuseIfAny();
  return owed;
}

function ofLink(request: PaymentRequest, faults: Faults): Owed {
  const { amount, currency } = request;
  if (amount === undefined) {
    faults.add("/amount", "required", "Without order_id an amount is needed.");
  }
  if (currency === undefined) {
    faults.add("/currency", "required", "Without order_id a currency is needed.");
  }
  const known = currency ?? "USD";
  return {
    amountMinor: readPositiveAmount(amount ?? 1, known, { faults, pointer: "/amount" }) ?? 0,
    currency: known,
  };
}

function ofOrder({ amount, currency }: PaymentRequest, order: Order, faults: Faults): Owed {
  if (currency !== undefined && currency !== order.currency) {
    faults.add("/currency", "currency_mismatch", `The order is in ${order.currency}.`);
    return { amountMinor: 0, currency: order.currency };
  }
  const dueMinor = dueOf(order);
  if (amount === undefined) return { amountMinor: dueMinor, currency: order.currency };
  const amountMinor =
    readPositiveAmount(amount, order.currency, { faults, pointer: "/amount" }) ?? 0;
  if (amountMinor > dueMinor) {
    const due = formatAmount(dueMinor, order.currency);
    faults.add("/amount", "amount_exceeds_due", `Only ${due} ${order.currency} are due.`);
  }
  return { amountMinor, currency: order.currency };
}

/** Refuses with `validation_failed` what the gateway would not take. */
export function validateAtGateway(payment: Payment, gateway: GatewayRules): void {
  const faults = new Faults();
  const { amountMinor, currency } = payment;
  const terms = gateway.termsOf(currency);
  if (terms === null) {
    faults.add("/currency", "currency_not_supported", `The gateway does not take ${currency}.`);
  } else if (amountMinor < terms.minimumMinor) {
    const minimum = formatAmount(terms.minimumMinor, currency);
    faults.add("/amount", "amount_too_small", `The gateway takes ${minimum} ${currency} or more.`);
  } else if (amountMinor % terms.multipleMinor !== 0) {
    faults.add("/amount", "amount_precision", `The gateway takes no such fraction of ${currency}.`);
  }
  for (const { field, code, detail } of gateway.validate(attemptOf(payment))) {
    faults.add(`/${field}`, code, detail);
  }
  faults.refuseIfAny();
}
