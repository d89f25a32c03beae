// Workflow: sends an email, or finds that it is not to be sent. Safe to repeat: after a crash it may be sent again, as
// the same message, which receivers know by its Message-ID.

import { findCustomer } from "#customers/lookups.ts";
import { advanceEmail } from "#emails/advance-email.ts";
import { cartAbandoned, findReminder } from "#emails/carts/find-reminder.ts";
import { deleteReminderBy } from "#emails/carts/queries.ts";
import { claimReminder } from "#emails/carts/reminders.ts";
import { composeEmail } from "#emails/content/compose-email.ts";
import { greetingOf } from "#emails/content/letter.ts";
import { type EmailContent, writeLetter } from "#emails/content/write-letter.ts";
import {
  type Email,
  emailNotConfigured,
  leftBy,
  messageIdOf,
  SEND_TIMER,
  senderOf,
  type SendingFacts,
  type SendOutcome,
  settled,
  type SkipReason,
  unsent,
  whyNoNews,
  whyNotSent,
} from "#emails/email.ts";
import type { EmailsShop } from "#emails/emails-shop.ts";
import { emailRows } from "#emails/queries.ts";
import { type Id, newRequestId } from "#kernel/id.ts";
import { typed } from "#kernel/typed-text.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import { findEvent, type LoggedEvent } from "#platform/event-log/event-log.ts";
import type { MailMessage, MailOutcome } from "#platform/net/smtp.ts";
import { clearTimer, setTimer } from "#platform/scheduler/timers.ts";
import { getLinkTerms } from "#sales/links/link-terms.ts";
import { findOrder } from "#sales/orders/lookups.ts";
import type { Order } from "#sales/rows/order.ts";
import { getStore } from "#shop/store/lookups.ts";

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
      : await aboutLeft(shop, { ...facts, left, messageId });
  if (typeof content === "string") return content;
  const from = senderOf(mail, store);
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
  return composeEmail(db, { template, event });
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

interface ReminderToSend extends Omit<SendingFacts, "order"> {
  readonly left: Id<"cart"> | Id<"order">;
  readonly messageId: string;
}

/** The email about a cart or an order that was left, whose address then has no other one for 24 hours. */
async function aboutLeft(
  { database }: EmailsShop,
  facts: ReminderToSend,
): Promise<EmailContent | SkipReason> {
  const { left, messageId, email, now } = facts;
  const oldNews = email.resentAt === null ? whyNoNews(facts) : null;
  if (oldNews !== null) return oldNews;
  const reminder = await findReminder(database.read, left, now);
  if (typeof reminder === "string") return reminder;
  const { store, name, address } = reminder;
  const unsubscribeUrl = await database.write((tx) => claimReminder(tx, { address, messageId }));
  if (unsubscribeUrl === null) return "recently_reminded";
  const letter = cartAbandoned(reminder, unsubscribeUrl);
  const to = { name: typed(name), address };
  return writeLetter({ store, greeting: greetingOf(name, store), letter }, { to, unsubscribeUrl });
}

// Story: what became of an attempt to send an email.

type EmailOutcome =
  | { readonly kind: "skipped"; readonly reason: SkipReason }
  | (SendOutcome & { readonly messageId: string });

/**
 * Saves the outcome of the email as it was read, and sets the timer of its next attempt. One that another program
 * settled meanwhile stays as it is.
 */
async function settleEmail(tx: Tx, read: Email, outcome: EmailOutcome): Promise<void> {
  const email = await emailRows.findLocked(tx, read.id);
  if (email === undefined || email.version !== read.version) return;
  await clearTimer(tx, SEND_TIMER, email.id);
  if (outcome.kind === "skipped") {
    await advanceEmail(tx, email, { action: "skip", change: { error: outcome.reason } });
    return;
  }
  // Who was not reminded of a cart may be reminded of another one.
  if (outcome.kind === "refused") await deleteReminderBy(tx, outcome.messageId);
  const { attempts, resentAt, createdAt } = email;
  const waitedMs = tx.now - (resentAt ?? createdAt);
  const { action, change, waitMs } = settled({ attempts, waitedMs }, outcome);
  const sent = action === "succeed" ? { sentAt: tx.now } : {};
  const { messageId } = outcome;
  await advanceEmail(tx, email, { action, change: { ...change, ...sent, messageId } });
  if (waitMs === null) return;
  await setTimer(tx, { name: SEND_TIMER, subject: email.id, dueAt: tx.now + waitMs });
}

/** Sends it at once, and answers what the server said. Refuses with `email_not_configured`. */
export async function sendTestEmail(
  { database, mail }: EmailsShop,
  to: string,
): Promise<MailOutcome> {
  if (mail === null) throw emailNotConfigured();
  const store = await getStore(database.read);
  const { name } = store;
  const { hostname } = new URL((await getLinkTerms(database.read)).publicUrl);
  const text = `This is a test email of ${name}. The emails to your customers are sent the same way.`;
  return mail.send({
    messageId: `<${newRequestId()}@${hostname}>`,
    from: senderOf(mail, store),
    to: { name: null, address: to },
    replyTo: null,
    unsubscribeUrl: null,
    language: "en",
    subject: `Test email of ${name}`,
    text,
    html: `<p>${Bun.escapeHTML(text)}</p>`,
  });
}
