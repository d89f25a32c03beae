// The ways to pay that the page offers, and what a customer chose and typed.

import {
  isPaidInPerson,
  PAYMENT_METHOD_DEFAULT,
  type PaymentMethod,
} from "#kernel/payment-method.ts";
import { type LocalizedStore, methodLabelOf } from "#pay-page/words/localize.ts";
import { payerWords } from "#payments/attempts/payer-words.ts";
import type { OfferedMethod } from "#payments/gateways/offered-methods.ts";
import type { Provider } from "#payments/rows/payment-life.ts";
import { readPhone } from "#platform/net/read-phone.ts";

export interface WayToPay {
  readonly method: PaymentMethod;
  readonly label: string;
  /** The next event after the customer chose it. */
  readonly hint: string;
  /** True if the customer must type the phone number that pays. */
  readonly needsPhone: boolean;
  /** The networks among which the customer chooses. */
  readonly providers: readonly Provider[];
}

/** Methods by hand that mean nothing to a customer far away, unless the shop explains them. */
const sayNothing: ReadonlySet<PaymentMethod> = new Set(["card", "gateway", "cash"]);

/** How a number is typed that everyone understands. */
export const PHONE_EXAMPLE = "+233 55 123 4987";

/** The details of a payment that the customer typed into the page. */
export interface Choice {
  readonly method: PaymentMethod;
  readonly phone: string | null;
  readonly provider: Provider | null;
}

/**
 * Returns the ways to pay that the shop offers and the page can handle; the gateway's own page comes
 * first. A method by hand that says nothing to a customer far away needs instructions.
 */
export function waysToPay(store: LocalizedStore, offered: readonly OfferedMethod[]): WayToPay[] {
  const ordered = offered.toSorted(({ method }) => (method === PAYMENT_METHOD_DEFAULT ? -1 : 0));
  return ordered.flatMap((one) =>
    one.by === "hand" ? byHand(store, one) : wayAtGateway(store, one),
  );
}

function byHand(
  store: LocalizedStore,
  { method, providers: none, instructions }: OfferedMethod,
): WayToPay[] {
  if (sayNothing.has(method) && instructions === null) return [];
  const isLater = !isPaidInPerson(method);
  const atHandover = instructions ?? payerWords[store.language].byHand[method];
  const hint = isLater ? store.words.ways.byHand : atHandover;
  return [
    { method, label: methodLabelOf(store, method), hint, needsPhone: false, providers: none },
  ];
}

function wayAtGateway(
  store: LocalizedStore,
  { method, providers: taken }: OfferedMethod,
): WayToPay {
  const needsPhone = method === "mobile_money";
  const { onPhone, onPage } = store.words.ways;
  const hint = needsPhone ? onPhone : onPage;
  return { method, label: methodLabelOf(store, method), hint, needsPhone, providers: taken };
}

/**
 * Reads the choice of a form. Returns a sentence instead for what the customer must correct. Without a
 * choice it is the first way, if that asks the customer again before anything is paid. A phone without a country
 * code is one of the shop's country.
 */
export async function readChoice(
  form: URLSearchParams,
  ways: readonly WayToPay[],
  { country, words }: LocalizedStore,
): Promise<Choice | string> {
  const chosen = form.get("method") ?? ways.find(({ method }) => method === "gateway")?.method;
  const way = ways.find(({ method }) => method === chosen);
  if (way === undefined) return words.ways.choose;
  if (!way.needsPhone) return { method: way.method, phone: null, provider: null };
  const phone = await phoneOf(form.get("phone") ?? "", country);
  if (phone === null) return words.ways.noPhone(PHONE_EXAMPLE);
  const provider = way.providers.find((one) => one === form.get("provider")) ?? null;
  return { method: way.method, phone, provider };
}

/** A number as people write it, in E.164; null where that is not known. */
export async function phoneOf(typed: string, country: string | null): Promise<string | null> {
  const written = typed.replaceAll(/[\s().-]/g, "").replace(/^00/, "+");
  const phone = await readPhone(written, () => Promise.resolve(country));
  return /^\+[1-9][0-9]{6,14}$/.test(phone) ? phone : null;
}
