// Tells the customer the next step for an attempt that is open: approve it, type a code, or pay by hand.
// Pure; the sentences are written for customers.

import { isPaidInPerson } from "#kernel/payment-method.ts";
import { type LocalizedStore, methodLabelOf } from "#pay-page/words/localize.ts";
import { instructionsIn, payByHand } from "#payments/attempts/payer-words.ts";
import type { NextAction } from "#payments/rows/payment-life.ts";
import { isOpenAttempt, type Payment } from "#payments/rows/payment.ts";
import { isolated } from "#platform/html/html.ts";
import { depositDueOf, dueOf } from "#sales/rows/balance.ts";
import type { Order } from "#sales/rows/order.ts";
import { methodTermsOf, type ToldAccount } from "#shop/store/payment-methods.ts";
import type { Store } from "#shop/store/store.ts";

import type { Recovery } from "./get-recovery.ts";
import { print } from "./sums.ts";
import type { GatewaySaid } from "./words/en.ts";

export interface NextStep {
  /** Null where the order alone says how it is paid by hand. */
  readonly paymentId: Payment["id"] | null;
  readonly heading: string;
  /** The words of the gateway, or of the merchant. */
  readonly text: string;
  /** The accounts of the shop, to one of which the money goes. */
  readonly accounts: readonly ToldAccount[];
  /** Remarks that the customer should know. */
  readonly remarks: readonly string[];
  /** Awaited next: a code of the customer, the gateway, or the shop. */
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
export function nextStepOf(recovery: Recovery, store: LocalizedStore): NextStep | null {
  if (recovery.kind === "cart" || recovery.whole.order.status !== "open") return null;
  const { order } = recovery.whole;
  const payment = recovery.payments.findLast((one) => isOpenAttempt(one));
  if (payment === undefined || payment.nextAction === null) return null;
  const { type, displayText, details = [], accounts = [] } = payment.nextAction;
  const awaits = awaited[type];
  if (awaits === null || displayText === null) return null;
  const { colon, step: says } = store.words;
  return {
    paymentId: payment.id,
    heading: methodLabelOf(store, payment.method),
    text: textOf(payment, { ...payment.nextAction, displayText }, store),
    accounts,
    remarks: [
      ...details.map(({ label, value }) => `${says.detail(label)}${colon} ${isolated(value)}`),
      ...remarksOnPart(order, payment, store),
      ...(awaits === "shop" ? remarksByHand(order, payment, store) : []),
    ],
    awaits,
  };
}

function textOf(
  { method }: Payment,
  action: NextAction & { readonly displayText: string },
  { language, words }: LocalizedStore,
): string {
  const { type, displayText } = action;
  if (type === "pay_by_hand") return instructionsIn(language, displayText, method);
  return words.step.gatewaySays(saidOf(action, displayText));
}

/** The code that is dialed, as in `Dial *170# and follow the menu`. */
const USSD = /[*#][\d*#]*\d#/;

function saidOf({ type, details = [] }: NextAction, text: string): GatewaySaid {
  return { type, text, ussd: USSD.exec(text)?.[0] ?? null, hasDetails: details.length > 0 };
}

/** Returns how an order is paid whose own method is by hand; null for other methods. */
export function stepByHandOf(order: Order, store: LocalizedStore): NextStep | null {
  const { paymentMethod: method, currency } = order;
  const { by, enabled } = methodTermsOf(store, method);
  if (by !== "hand" || !enabled) return null;
  const { instructions: text, accounts } = payByHand(store, { ...store, method, currency });
  const heading = methodLabelOf(store, method);
  const remarks = remarksByHand(order, { method, amountMinor: dueOf(order) }, store);
  return { paymentId: null, heading, text, accounts, remarks, awaits: "shop" };
}

/** The page shows what is due in all; a deposit is less. */
function remarksOnPart(
  order: Order,
  { amountMinor, currency }: Payment,
  { locale, words }: LocalizedStore,
): string[] {
  if (amountMinor >= dueOf(order)) return [];
  return [words.step.part(print(amountMinor, currency, locale))];
}

type Promised = Pick<Payment, "method" | "amountMinor">;

/** Cash needs no reference: the customer hands it to the merchant. */
function remarksByHand(order: Order, promised: Promised, store: LocalizedStore): string[] {
  const says = store.words.step;
  return [
    ...remarksOnDeposit(order, promised, store),
    ...(isPaidInPerson(promised.method)
      ? [says.shopHasIt]
      : [says.giveNumber(order.number), says.confirms]),
    ...keptUntil(order, store),
  ];
}

/** Until when an unpaid order is kept; nothing for ever. */
export function keptUntil({ expiresAt }: Order, store: LocalizedStore): string[] {
  return expiresAt === null ? [] : [store.words.step.keptUntil(inWords(expiresAt, store))];
}

/** Remarks that a part is enough for now, where all is asked for. */
function remarksOnDeposit(
  order: Order,
  { method, amountMinor }: Promised,
  { locale, words }: LocalizedStore,
): string[] {
  const depositMinor = depositDueOf(order);
  if (depositMinor === 0 || depositMinor >= amountMinor) return [];
  const deposit = print(depositMinor, order.currency, locale);
  const { depositBefore, depositEnough } = words.step;
  return [method === "cash_on_delivery" ? depositBefore(deposit) : depositEnough(deposit)];
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
