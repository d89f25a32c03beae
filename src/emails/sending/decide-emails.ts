// Story: the emails that the next events of the log call for. Invariant: the cursor moves in the same commit as the
// emails and their timers, so an event has each email once.

import { hasConsent } from "#customers/consent/lookups.ts";
import { calledFor, emailIn, isPaidAtGateway } from "#emails/called-for.ts";
import { CONSUMER, type Email, type EmailTemplate, SEND_TIMER, sendsAt } from "#emails/email.ts";
import { emailRows, findEmailOfCart, findEventsToTell } from "#emails/queries.ts";
import { type Id, isId, newId } from "#kernel/id.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import type { Shop } from "#platform/database/shop.ts";
import { findEventIdAt, lastSequence, type LoggedEvent } from "#platform/event-log/event-log.ts";
import {
  beginLogCursor,
  dropLogCursor,
  findLogCursor,
  isStillNext,
  moveLogCursor,
  type ReadAhead,
} from "#platform/event-log/log-cursors.ts";
import type { Pace } from "#platform/scheduler/paced-work.ts";
import { setTimer } from "#platform/scheduler/timers.ts";
import { findOrder } from "#sales/orders/lookups.ts";
import { getStore } from "#shop/store/lookups.ts";
import { notificationsOf } from "#shop/store/notifications.ts";

/** Events of one read, of which most name no email. */
const EVENTS_PER_READ = 1_000;
/** Emails of one commit: about 4 ms, the longest that a request waits behind it. */
const EMAILS_PER_COMMIT = 30;
/** Fewer events that call for no email are not saved as read: an order without one costs no commit. */
const EVENTS_PER_SAVE = 100;

/** An email may come a second after its event: a busy shop gives its emails a hundredth of its time. */
export const emailPace: Pace = { collectMs: 500, busyFactor: 100, busyMs: 500 };

/** The next part of the log. */
interface NextPart extends ReadAhead {
  readonly called: readonly Called[];
  readonly isMore: boolean;
}

interface Called {
  readonly event: LoggedEvent;
  readonly template: EmailTemplate;
}

/** Makes the emails of the next events. Returns whether there may be more. */
export async function followLog({ database, clock }: Shop): Promise<boolean> {
  const next = await readNext(database.read, clock.now());
  const { from, until, called, isMore } = next;
  if (called.length === 0 && !isMore && until - from < EVENTS_PER_SAVE) return false;
  return database.write((tx) => decideEmails(tx, next));
}

async function readNext(db: Reader, now: number): Promise<NextPart> {
  const from = await findLogCursor(db, CONSUMER);
  // Read before the events: the cursor must not pass events that are committed in between.
  const last = Math.max(from, await lastSequence(db));
  const span = { after: from, until: Math.min(from + EVENTS_PER_READ, last) };
  const found = await findEventsToTell(db, { ...span, rows: EMAILS_PER_COMMIT });
  const isFull = found.length === EMAILS_PER_COMMIT;
  const until = isFull ? (found.at(-1)?.sequence ?? span.until) : span.until;
  const store = await getStore(db);
  const called = found.flatMap((event) => {
    const template = calledFor(event, { store, now });
    return template === null ? [] : [{ event, template }];
  });
  return { from, until, lastId: await findEventIdAt(db, until), called, isMore: until < last };
}

async function decideEmails(tx: Tx, next: NextPart): Promise<boolean> {
  const { from, until, called, isMore } = next;
  // The cursor was dropped by a program that sends no emails: what happened since is not told.
  if (from === 0 && (await beginLogCursor(tx, CONSUMER))) return false;
  if (!(await isStillNext(tx, CONSUMER, next))) return true;
  await moveLogCursor(tx, CONSUMER, { from, to: until });
  const wanted = notificationsOf(await getStore(tx));
  for (const one of called) if (wanted[one.template]) await openEmail(tx, one);
  return isMore;
}

async function openEmail(tx: Tx, { event, template }: Called): Promise<void> {
  const about = await aboutOf(tx, event, template);
  if (about === null) return;
  const id = newId("email", tx.now);
  await emailRows.insert(tx, {
    id,
    eventId: event.id,
    sequence: event.sequence,
    template,
    ...about,
    status: "waiting",
    attempts: 0,
    error: null,
    messageId: null,
    sentAt: null,
    resentAt: null,
    version: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
  });
  const dueAt = sendsAt(template, { happenedAt: event.createdAt, now: tx.now });
  await setTimer(tx, { name: SEND_TIMER, subject: id, dueAt });
}

/** The order or the cart of the email; null where its customer is not to be reminded of it. */
async function aboutOf(
  tx: Tx,
  { subject, data }: LoggedEvent,
  template: EmailTemplate,
): Promise<Pick<Email, "orderId" | "cartId"> | null> {
  const isReminder = template === "cart_abandoned";
  if (isReminder && !(await isReminded(tx, subject, emailIn(JSON.parse(data))))) return null;
  if (isId("order", subject)) return { orderId: subject, cartId: null };
  return isId("cart", subject) ? { orderId: null, cartId: subject } : null;
}

/**
 * Returns true if the address agreed to be reminded, of a cart that had no email, or of an order that is paid at a
 * gateway: one that is paid by hand had its email with what to do.
 */
async function isReminded(tx: Tx, subject: string, address: string | null): Promise<boolean> {
  if (address === null || !(await hasConsent(tx, address))) return false;
  if (isId("order", subject)) return isLeftAtGateway(tx, subject);
  return (await findEmailOfCart(tx, subject)) === undefined;
}

async function isLeftAtGateway(tx: Tx, id: Id<"order">): Promise<boolean> {
  const order = await findOrder(tx, id);
  return isPaidAtGateway(order?.paymentMethod, await getStore(tx));
}

/**
 * At a start: a shop that can send emails tells what happens from now on, or where it stopped when it could. One that
 * cannot tells nothing that happens meanwhile, also not later.
 */
export async function beginEmails(tx: Tx, canSend: boolean): Promise<void> {
  if (canSend) await beginLogCursor(tx, CONSUMER);
  else await dropLogCursor(tx, CONSUMER);
}
