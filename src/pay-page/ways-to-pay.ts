// The ways to pay that the page offers, and what a customer chose and typed.

import {
  isPaidInPerson,
  PAYMENT_METHOD_DEFAULT,
  type PaymentMethod,
} from "#kernel/payment-method.ts";
import type { OfferedMethod } from "#payments/gateways/offered-methods.ts";
import type { Provider } from "#payments/payments/payment-life.ts";
import { readPhone } from "#platform/phones/read-phone.ts";
import { instructionsOf, methodTermsOf } from "#shop/store/payment-methods.ts";
import type { Store } from "#shop/store/store.ts";

export interface WayToPay {
  readonly method: PaymentMethod;
  readonly label: string;
  /** What happens after the customer chose it. */
  readonly hint: string;
  /** Whether the customer must type the phone number that pays. */
  readonly needsPhone: boolean;
  /** The networks among which the customer chooses. */
  readonly providers: readonly Provider[];
}

/** Methods by hand that mean nothing to a customer far away, unless the shop explains them. */
const sayNothing: ReadonlySet<PaymentMethod> = new Set(["card", "gateway", "cash"]);

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
export function waysToPay(store: Store, offered: readonly OfferedMethod[]): WayToPay[] {
  const ordered = offered.toSorted(({ method }) => (method === PAYMENT_METHOD_DEFAULT ? -1 : 0));
  return ordered.flatMap((one) => (one.by === "hand" ? byHand(store, one) : wayAtGateway(one)));
}

function byHand(store: Store, { method, label, providers: none }: OfferedMethod): WayToPay[] {
  if (sayNothing.has(method) && methodTermsOf(store, method).instructions === null) return [];
  const isLater = !isPaidInPerson(method);
  const hint = isLater ? "You see where to pay in the next step." : instructionsOf(store, method);
  return [{ method, label, hint, needsPhone: false, providers: none }];
}

function wayAtGateway({ method, label, providers: taken }: OfferedMethod): WayToPay {
  const needsPhone = method === "mobile_money";
  const hint = needsPhone
    ? "You approve the payment on your phone."
    : "You pay on a secure page and come back here.";
  return { method, label, hint, needsPhone, providers: taken };
}

/**
 * Reads the choice of a form. Returns a sentence instead for what the customer must correct. Without a
 * choice it is the first way, if that asks the customer again before anything is paid. A phone without a country
 * code is one of the `country`.
 */
export async function readChoice(
  form: URLSearchParams,
  ways: readonly WayToPay[],
  country: string | null,
): Promise<Choice | string> {
  const chosen = form.get("method") ?? ways.find(({ method }) => method === "gateway")?.method;
  const way = ways.find(({ method }) => method === chosen);
  if (way === undefined) return "Please choose how you want to pay.";
  if (!way.needsPhone) return { method: way.method, phone: null, provider: null };
  const phone = await phoneOf(form.get("phone") ?? "", country);
  if (phone === null) {
    return "Please enter the phone number with its country code, such as +233 55 123 4987.";
  }
  const provider = way.providers.find((one) => one === form.get("provider")) ?? null;
  return { method: way.method, phone, provider };
}

/** A number as people write it, in E.164; null where that is not known. */
async function phoneOf(typed: string, country: string | null): Promise<string | null> {
  const written = typed.replaceAll(/[\s().-]/g, "").replace(/^00/, "+");
  const phone = await readPhone(written, () => Promise.resolve(country));
  return /^\+[1-9][0-9]{6,14}$/.test(phone) ? phone : null;
}
