// Workflow: sends an email, or finds that it is not to be sent. Safe to repeat: after a crash it may be sent again, as
// the same message, which receivers know by its Message-ID.

import { findCustomer } from "#customers/lookups.ts";
import { composeEmail } from "#emails/content/compose-email.ts";
import {
  type Email,
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
import { findEvent } from "#platform/event-log/event-log.ts";
import type { MailMessage } from "#platform/net/smtp.ts";
import { clearTimer } from "#platform/scheduler/timers.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import { findOrder } from "#sales/orders/lookups.ts";
import type { Order } from "#sales/orders/order.ts";
import { getStore } from "#shop/store/get-store.ts";

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
  const unsent = { kind: "later", fault: "not_configured", codes: "" } as const;
  return { ...((await shop.mail?.send(message)) ?? unsent), messageId };
}

/** What is sent, or why nothing is. */
async function messageOf(
  { database, clock, mail }: EmailsShop,
  email: Email,
): Promise<MailMessage | SkipReason> {
  const db = database.read;
  const event = await findEvent(db, email.eventId);
  const order = await findOrder(db, email.orderId);
  if (event === undefined || order === undefined) return "order_gone";
  const store = await getStore(db);
  const facts = { email, order, store, happenedAt: event.createdAt, now: clock.now() };
  const reason = await whyNotNow(db, facts);
  if (reason !== null) return reason;
  const content = await composeEmail(db, { template: email.template, event });
  if (content === undefined) return "nothing_to_say";
  const { hostname } = new URL((await getLinkTerms(db)).publicUrl);
  return {
    ...content,
    from: { name: mail?.from.name ?? store.name, address: mail?.from.address ?? "" },
    messageId: email.messageId ?? messageIdOf(email, hostname),
  };
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
