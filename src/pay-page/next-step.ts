// What the customer must do now for an attempt that is open: approve it, type a code, or pay by hand.
// Pure; the sentences are written for customers.

import { isPaidInPerson } from "#kernel/payment-method.ts";
import type { NextAction } from "#payments/payments/payment-life.ts";
import { isOpenAttempt, type Payment } from "#payments/payments/payment.ts";
import { isolated } from "#platform/html/isolated.ts";
import { depositDueOf, dueOf } from "#sales/balance/balance.ts";
import type { Order } from "#sales/orders/order.ts";
import { instructionsOf, methodTermsOf } from "#shop/store/payment-methods.ts";
import type { Store } from "#shop/store/store.ts";

import type { Recovery } from "./get-recovery.ts";
import { print } from "./sums.ts";

export interface NextStep {
  /** Null where the order alone says how it is paid by hand. */
  readonly paymentId: Payment["id"] | null;
  readonly heading: string;
  /** The words of the gateway, or of the merchant. */
  readonly text: string;
  /** What else the customer should know. */
  readonly remarks: readonly string[];
  /** Whether the customer types a code, waits for the gateway, or waits for the shop. */
  readonly awaits: "code" | "gateway" | "shop";
}

/** Null: the gateway's own page says what to do. */
const awaited: Readonly<Record<NextAction["type"], NextStep["awaits"] | null>> = {
  redirect: null,
  otp: "code",
  approve_on_phone: "gateway",
  dial_ussd: "gateway",
  pay_to_account: "gateway",
  pay_by_hand: "shop",
};

/** Returns the step of the newest open attempt; null if it has none, or has a page of its own. */
export function nextStepOf(recovery: Recovery, store: Store): NextStep | null {
  if (recovery.kind === "cart" || recovery.whole.order.status !== "open") return null;
  const { order } = recovery.whole;
  const payment = recovery.payments.findLast((one) => isOpenAttempt(one));
  if (payment === undefined || payment.nextAction === null) return null;
  const { type, displayText, details = [] } = payment.nextAction;
  const awaits = awaited[type];
  if (awaits === null || displayText === null) return null;
  return {
    paymentId: payment.id,
    heading: methodTermsOf(store, payment.method).label,
    text: displayText,
    remarks: [
      ...details.map(({ label, value }) => `${label}: ${isolated(value)}`),
      ...remarksOnPart(order, payment, store),
      ...(awaits === "shop" ? remarksByHand(order, payment, store) : []),
    ],
    awaits,
  };
}

/** Returns how an order is paid whose own method is by hand; null for other methods. */
export function stepByHandOf(order: Order, store: Store): NextStep | null {
  const { paymentMethod: method } = order;
  const { by, enabled, label: heading } = methodTermsOf(store, method);
  if (by !== "hand" || !enabled) return null;
  const text = instructionsOf(store, method);
  const remarks = remarksByHand(order, { method, amountMinor: dueOf(order) }, store);
  return { paymentId: null, heading, text, remarks, awaits: "shop" };
}

/** The page shows what is due in all; a deposit is less. */
function remarksOnPart(
  order: Order,
  { amountMinor, currency }: Payment,
  { locale }: Store,
): string[] {
  if (amountMinor >= dueOf(order)) return [];
  return [`The amount of this payment is ${print(amountMinor, currency, locale)}.`];
}

type Promised = Pick<Payment, "method" | "amountMinor">;

/** Cash needs no reference: the customer hands it to the merchant. */
function remarksByHand(order: Order, promised: Promised, store: Store): string[] {
  return [
    ...remarksOnDeposit(order, promised, store),
    ...(isPaidInPerson(promised.method)
      ? [SHOP_HAS_IT]
      : [
          `Give the order number #${order.number} with your payment.`,
          "The shop will confirm your payment when it arrives.",
        ]),
    ...keptUntil(order, store),
  ];
}

/** What is said of an order that is paid in person; an email about it has said so before. */
export const SHOP_HAS_IT = "The shop has your order.";

/** Until when an unpaid order is kept; nothing for ever. */
export function keptUntil({ expiresAt }: Order, store: Store): string[] {
  return expiresAt === null
    ? []
    : [`The shop keeps your order until ${inWords(expiresAt, store)}.`];
}

/** Where all is asked for, the customer should know that a part is enough for now. */
function remarksOnDeposit(
  order: Order,
  { method, amountMinor }: Promised,
  { locale }: Store,
): string[] {
  const depositMinor = depositDueOf(order);
  if (depositMinor === 0 || depositMinor >= amountMinor) return [];
  const deposit = print(depositMinor, order.currency, locale);
  return method === "cash_on_delivery"
    ? [`The shop asks for a deposit of ${deposit} before the delivery: please pay it another way.`]
    : [`A deposit of ${deposit} is enough for the shop to keep your order.`];
}

type Place = Pick<Store, "timezone" | "locale">;

/** How days are written where the shop names no locale. */
const LOCALE_DEFAULT = "en-GB";

/** The day of an instant, as the shop has it. */
export function onDay(instant: number, { timezone: timeZone, locale }: Place): string {
  const format = new Intl.DateTimeFormat(locale ?? LOCALE_DEFAULT, {
    dateStyle: "medium",
    timeZone,
  });
  return isolated(format.format(new Date(instant)));
}

/** The hour with its zone: a customer may be in another one than the shop. */
function inWords(instant: number, { timezone: timeZone, locale }: Place): string {
  const format = new Intl.DateTimeFormat(locale ?? LOCALE_DEFAULT, {
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZoneName: "short",
    timeZone,
  });
  return isolated(format.format(new Date(instant)));
}
