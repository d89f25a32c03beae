// Which events call for an email to the customer. Rules.

import { isObject } from "#kernel/assume.ts";
import { paymentMethods } from "#kernel/payment-method.ts";
import { toIso } from "#kernel/time.ts";
import type { LoggedEvent } from "#platform/event-log/event-log.ts";
import { methodTermsOf, type PaymentSettings } from "#shop/store/payment-methods.ts";

import { type EmailTemplate, NEWS_MS } from "./email.ts";

const templates = {
  "order.placed": "order_placed",
  "order.paid": "order_paid",
  "order.updated": "order_shipped",
  "order.fulfilled": "order_shipped",
  "order.cancelled": "order_cancelled",
  "order.refunded": "order_refunded",
  "cart.abandoned": "cart_abandoned",
} as const satisfies Readonly<Record<string, EmailTemplate>>;

/** The names of the events that may call for an email. */
export const watchedEvents: readonly string[] = Object.keys(templates);

/**
 * The email that the event calls for; null if it calls for none. None is of what happened more than a day ago, of an
 * event that a developer triggered, and of an order or a cart without an email. An order that is paid at a gateway has its first
 * email once it is paid: until then, its customer is at the checkout.
 */
export function calledFor(
  event: LoggedEvent,
  { store, now }: { readonly store: PaymentSettings; readonly now: number },
): EmailTemplate | null {
  const { name, createdAt } = event;
  if (!isWatched(name) || now - createdAt > NEWS_MS) return null;
  const data: unknown = JSON.parse(event.data);
  if (!isObject(data) || data["triggered"] === true || emailIn(data) === null) return null;
  const template = templates[name];
  return isNewsOf[template]?.(data, { store, createdAt }) === false ? null : template;
}

type IsNews = (
  data: Readonly<Record<string, unknown>>,
  terms: { readonly store: PaymentSettings; readonly createdAt: number },
) => boolean;

/** Tells whether the event is what such an email is about; of the others each event is. */
const isNewsOf: Partial<Readonly<Record<EmailTemplate, IsNews>>> = {
  order_placed: (data, { store }) => !isPaidAtGateway(data["payment_method"], store),
  order_shipped: (data, { createdAt }) => isNew(data["fulfillment"], createdAt),
};

function isWatched(name: string): name is keyof typeof templates {
  return Object.hasOwn(templates, name);
}

/** Returns true if a gateway takes the payment method. */
export function isPaidAtGateway(named: unknown, store: PaymentSettings): boolean {
  const method = paymentMethods.find((one) => one === named);
  return method !== undefined && methodTermsOf(store, method).by === "gateway";
}

/** A fulfillment of the event itself: a later one tells of its tracking, or that it is cancelled. */
function isNew(fulfillment: unknown, at: number): boolean {
  if (!isObject(fulfillment) || (fulfillment["cancelled_at"] ?? null) !== null) return false;
  return fulfillment["created_at"] === toIso(at);
}

/** The email of the customer in a payload; null without one. */
export function emailIn(data: unknown): string | null {
  const customer = isObject(data) ? data["customer"] : null;
  const email = isObject(customer) ? customer["email"] : null;
  return typeof email === "string" ? email : null;
}
