// Workflow: sends an email, or finds that it is not to be sent. Safe to repeat: after a crash it may be sent again, as
// the same message, which receivers know by its Message-ID.

import { findCustomer } from "#customers/lookups.ts";
import { composeReminder } from "#emails/carts/compose-reminder.ts";
import { composeEmail } from "#emails/content/compose-email.ts";
import type { EmailContent } from "#emails/content/write-letter.ts";
import {
  type Email,
  leftBy,
  messageIdOf,
  SEND_TIMER,
  type SendingFacts,
  type SkipReason,
  whyNotSent,
} from "#emails/email.ts";
import type { EmailsShop } from "#emails/emails-shop.ts";
import { emailRows } from "#emails/queries.ts";
import type { Id } from "#kernel/id.ts";
import type { Reader } from "#platform/database/database.ts";
import { findEvent, type LoggedEvent } from "#platform/event-log/event-log.ts";
import type { MailMessage } from "#platform/net/smtp.ts";
import { clearTimer } from "#platform/scheduler/timers.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import { findOrder } from "#sales/orders/lookups.ts";
import type { Order } from "#sales/orders/order.ts";
import { getStore } from "#shop/store/lookups.ts";

import { type EmailOutcome, settleEmail } from "./settle-email.ts";

/** Afterwards the email is sent, waits for its next attempt, or has ended. */
export async function sendEmail(shop: EmailsShop, id: Id<"email">): Promise<void> {
  const { database } = shop;
  const email = await emailRows.find(database.read, id);
  if (email?.status !== "waiting") {
    await database.write((tx) => clearTimer(tx, SEND_TIMER, id));
    return;
  }
  const outcome = await attempt(shop, email);
  await database.write((tx) => settleEmail(tx, email, outcome));
}

async function attempt(shop: EmailsShop, email: Email): Promise<EmailOutcome> {
  const message = await messageOf(shop, email);
  if (typeof message === "string") return { kind: "skipped", reason: message };
  const { messageId } = message;
  const unsent = { kind: "later", fault: "not_configured", codes: "", isFull: false } as const;
  return { ...((await shop.mail?.send(message)) ?? unsent), messageId };
}

/** The message that is sent, or why none is. */
async function messageOf(shop: EmailsShop, email: Email): Promise<MailMessage | SkipReason> {
  const { database, clock, mail } = shop;
  const db = database.read;
  const event = await findEvent(db, email.eventId);
  if (event === undefined) return email.cartId === null ? "order_gone" : "cart_gone";
  const store = await getStore(db);
  const { hostname } = new URL((await getLinkTerms(db)).publicUrl);
  const messageId = email.messageId ?? messageIdOf(email, hostname);
  const facts = { email, store, happenedAt: event.createdAt, now: clock.now() };
  const left = leftBy(email);
  const content =
    left === null
      ? await aboutOrder(db, event, facts)
      : await composeReminder(shop, { ...facts, left, messageId });
  if (typeof content === "string") return content;
  const from = { name: mail?.from.name ?? store.name, address: mail?.from.address ?? "" };
  return { ...content, from, messageId };
}

async function aboutOrder(
  db: Reader,
  event: LoggedEvent,
  facts: Omit<SendingFacts, "order"> & { readonly email: Email },
): Promise<EmailContent | SkipReason> {
  const { orderId, template } = facts.email;
  const order = orderId === null ? undefined : await findOrder(db, orderId);
  if (order === undefined || template === "cart_abandoned") return "order_gone";
  const reason = await whyNotNow(db, { ...facts, order });
  if (reason !== null) return reason;
  return (await composeEmail(db, { template, event })) ?? "nothing_to_say";
}

/** An erased customer is told nothing more: their orders lose the email in pieces, after the customer. */
async function whyNotNow(
  db: Reader,
  facts: SendingFacts & { readonly order: Order },
): Promise<SkipReason | null> {
  const { customerId } = facts.order;
  const customer = customerId === null ? undefined : await findCustomer(db, customerId);
  return (customer?.erasedAt ?? null) === null ? whyNotSent(facts) : "no_recipient";
}
