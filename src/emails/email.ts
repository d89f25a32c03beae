// Emails to customers: what each is about, when it is sent and tried again, and why it is not sent after all.

import { defineMembers, defineRefusal, member, type Members } from "#kernel/refusal.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#kernel/time.ts";
import type { Mailbox } from "#platform/net/mail-addresses.ts";
import type { MailOutcome } from "#platform/net/smtp.ts";
import type { Order } from "#sales/rows/order.ts";
import {
  type NotificationName,
  notificationNames,
  notificationsOf,
} from "#shop/store/notifications.ts";
import type { Store } from "#shop/store/store.ts";

import type { Mail } from "./emails-shop.ts";
import type { EmailRow } from "./tables.ts";

/** The subjects of emails: each can be turned off in the settings of the store. */
export const emailTemplates = notificationNames;
export type EmailTemplate = NotificationName;
/** Those about what happened to an order; the other one is about a cart or an unpaid order that was left. */
export type OrderTemplate = Exclude<EmailTemplate, "cart_abandoned">;

export type Email = EmailRow;

/** The name of the log cursor. */
export const CONSUMER = "emails";
/** The timer that sends an email. */
export const SEND_TIMER = "emails.send";

/**
 * The waits before the first attempts, each after the end of the previous one; all further ones are an hour. Many mail
 * servers take so many emails an hour, and the next ones in the next.
 */
const firstWaitsMs: readonly number[] = [0, MINUTE_MS, 10 * MINUTE_MS];
/** The last is 23 h 11 min after the first, and each takes less than a minute. */
const ATTEMPTS_MAX = 26;

/**
 * How long the email about a shipment waits, milliseconds: one that was recorded by mistake is cancelled before its customer
 * is told.
 */
const SECOND_THOUGHT_MS = 10 * SECOND_MS;

/** The time at which the email about an event that happened then is to be sent. */
export function sendsAt(
  template: EmailTemplate,
  { happenedAt, now }: { readonly happenedAt: number; readonly now: number },
): number {
  return template === "order_shipped" ? Math.max(now, happenedAt + SECOND_THOUGHT_MS) : now;
}

/** Later, what an email tells is no news. */
export const NEWS_MS = 24 * HOUR_MS;

/** The wait after this many attempts, milliseconds; null after the last. */
function waitAfter(attempts: number): number | null {
  return attempts < ATTEMPTS_MAX ? (firstWaitsMs[attempts] ?? HOUR_MS) : null;
}

/** The shortest and the longest wait for a connection to a mail server that has none free. */
const TURN_MS_MIN = 5_000;
const TURN_MS_MAX = 10 * MINUTE_MS;

/**
 * The wait for a connection, milliseconds, of an email that has waited this long for one; null after a day. Servers of
 * small providers take one at a time: emails take turns in seconds, and a server that takes none is asked less and less.
 */
function waitForTurn(waitedMs: number): number | null {
  if (waitedMs > NEWS_MS) return null;
  return Math.min(Math.max(TURN_MS_MIN, Math.floor(waitedMs / 4)), TURN_MS_MAX);
}

/** Without what the server said, which may repeat the address. */
type Attempted<O> = O extends unknown ? Omit<O, "response"> : never;
/** The outcome of an attempt to hand a message over. */
export type SendOutcome = Attempted<MailOutcome>;

/** The outcome where the shop has no mail server. */
export const unsent = {
  kind: "later",
  fault: "not_configured",
  codes: "",
  isFull: false,
} as const satisfies SendOutcome;

/** The result of an attempt: the action of the message's life, the values to save, and the time of the next attempt. */
export interface Settled {
  readonly action: "succeed" | "retry" | "fail";
  readonly change: Pick<Email, "attempts" | "error">;
  /** Milliseconds until the next attempt; null if there is none. */
  readonly waitMs: number | null;
}

/**
 * Returns what the attempt makes of a message that had so many attempts before, and has waited this long. One that the
 * server had no connection for was not offered, and is no attempt.
 */
export function settled(
  { attempts: before, waitedMs }: Pick<Email, "attempts"> & { readonly waitedMs: number },
  outcome: SendOutcome,
): Settled {
  if (outcome.kind === "accepted") {
    return { action: "succeed", change: { attempts: before + 1, error: null }, waitMs: null };
  }
  const { kind, isFull, fault, codes } = outcome;
  const isOffered = kind !== "later" || !isFull;
  const attempts = before + (isOffered ? 1 : 0);
  const wait = isOffered ? waitAfter(attempts) : waitForTurn(waitedMs);
  const waitMs = kind === "later" ? wait : null;
  const change = { attempts, error: `${fault} ${codes}`.trimEnd() };
  return { action: waitMs === null ? "fail" : "retry", change, waitMs };
}

/**
 * Whom the emails of a shop are from: the operator's address, and the shop's name where the operator gave none. Without a
 * mail server, through which nothing is sent, there is no address.
 */
export function senderOf(mail: Mail | null, { name }: Pick<Store, "name">): Mailbox {
  return { name: mail?.from.name ?? name, address: mail?.from.address ?? "" };
}

/** The cart or order that was left, of an email about a cart or an unpaid order that was left; null of the others. */
export function leftBy({
  template,
  cartId,
  orderId,
}: Pick<Email, "template" | "cartId" | "orderId">): Email["cartId"] | Email["orderId"] {
  return template === "cart_abandoned" ? (cartId ?? orderId) : null;
}

/** Why an email was not sent, in the words of its `error`. */
export type SkipReason =
  | "order_gone" // with its event
  | "turned_off"
  | "too_old"
  | "no_recipient" // the order has no email, or its customer was erased
  | "already_paid"
  | "shipment_cancelled" // it was recorded by mistake
  | "nothing_to_say"
  | CartSkipReason;

/** The same of an email about what was left. */
export type CartSkipReason =
  | "cart_gone" // it was deleted
  | "cart_completed"
  | "cart_expired"
  | "cart_taken_up" // its customer is at the checkout again, or emptied it
  | "no_recipient" // it has no email, or its customer was erased
  | "no_consent" // the customer gave none, or withdrew it
  | "recently_reminded"; // the address had one less than a day ago

export interface SendingFacts {
  readonly email: Pick<Email, "template" | "resentAt">;
  readonly order: Pick<Order, "customer" | "paidAt">;
  readonly store: Pick<Store, "notifications">;
  /** When its event happened, and the time now: epoch milliseconds of the shop's clock. */
  readonly happenedAt: number;
  readonly now: number;
}

/** Why the email is not sent now; null if it is. What the merchant asks for again is sent however old it is. */
export function whyNotSent(facts: SendingFacts): SkipReason | null {
  const { email, order } = facts;
  if ((order.customer?.email ?? null) === null) return "no_recipient";
  if (email.resentAt !== null) return null;
  const reason = whyNoNews(facts);
  if (reason !== null) return reason;
  return email.template === "order_placed" && order.paidAt !== null ? "already_paid" : null;
}

/** Why no email of an event is sent any more, whatever it is about. */
export function whyNoNews({
  email,
  store,
  happenedAt,
  now,
}: Omit<SendingFacts, "order">): "too_old" | "turned_off" | null {
  if (now - happenedAt > NEWS_MS) return "too_old";
  return notificationsOf(store)[email.template] ? null : "turned_off";
}

/** The Message-ID of the attempts. One that is asked for again is another message: receivers drop what they have already. */
export function messageIdOf(
  { id, resentAt }: Pick<Email, "resentAt"> & { readonly id: string },
  host: string,
): string {
  return `<${id}${resentAt === null ? "" : `.${resentAt}`}@${host}>`;
}

export const emailNotFound = defineRefusal(
  "email_not_found",
  "not_found",
  "There is no such email.",
);

export const emailClosed = defineRefusal("email_closed", "conflict", {
  title: "The email cannot be sent any more.",
  cause:
    "The cart is no longer left or the order is paid, being paid or cancelled, its customer gave no consent or withdrew it, or the address had such an email in the last 24 hours; `reason` says which.",
  remedy: "Send nothing. A cart that is left again later has no other email.",
  example: { members: { reason: "no_consent" } },
});

export const emailNotConfigured = defineRefusal("email_not_configured", "conflict", {
  title: "The server sends no emails.",
  cause: "Live mode sends emails only by a mail server, and `DUKA_SMTP_URL` is not set.",
  remedy: "Set `DUKA_SMTP_URL` and `DUKA_MAIL_FROM`, and start the server again.",
});

const emailMembers = defineMembers({
  reason: member.text("Why the email is not sent, in the words of its `error`."),
});
declare module "#kernel/refusal.ts" {
  interface ProblemMembers extends Members<typeof emailMembers> {}
}
