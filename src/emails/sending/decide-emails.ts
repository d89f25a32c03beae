// Story: the emails that the next events of the log call for. Invariant: the cursor moves in the same commit as the
// emails and their timers, so an event has each email once.

import { calledFor, watchedEvents } from "#emails/called-for.ts";
import { CONSUMER, type EmailTemplate, SEND_TIMER } from "#emails/email.ts";
import { emailRows } from "#emails/queries.ts";
import { isId, newId } from "#kernel/id.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import type { Shop } from "#platform/database/shop.ts";
import { eventsAfter, lastSequence, type LoggedEvent } from "#platform/event-log/event-log.ts";
import {
  beginLogCursor,
  findLogCursor,
  lockLogCursor,
  moveLogCursor,
} from "#platform/event-log/log-cursors.ts";
import type { Pace } from "#platform/scheduler/paced-work.ts";
import { setTimer } from "#platform/scheduler/timers.ts";
import { getStore } from "#shop/store/get-store.ts";
import { notificationsOf } from "#shop/store/notifications/notifications.ts";
import type { Store } from "#shop/store/store.ts";

/** Events of one commit: about 4 ms, the longest that a request waits behind it. */
const EVENTS_AT_ONCE = 100;

/** An email may come a second after its event: a busy shop gives it a small share of its time. */
export const emailPace: Pace = { collectMs: 500, busyFactor: 20, busyMs: 500 };

/**
 * Makes the emails of the next events. Returns whether there may be more. Where no event calls for one, nothing is
 * written until a hundred have passed: an order without an email costs a share of a commit.
 */
export async function followLog({ database, clock, mode }: Shop): Promise<boolean> {
  const { read } = database;
  const from = await findLogCursor(read, CONSUMER);
  const store = await getStore(read);
  const { called, isFull } = await readNext(read, { from, store, now: clock.now() });
  if (called.length === 0 && !isFull) return false;
  return database.write(async (tx) => {
    // The cursor was dropped by a program that sends no emails: what happened since is not told.
    if (from === 0 && mode === "live" && (await beginLogCursor(tx, CONSUMER))) return false;
    return decideEmails(tx);
  });
}

async function decideEmails(tx: Tx): Promise<boolean> {
  const from = await lockLogCursor(tx, CONSUMER);
  const store = await getStore(tx);
  const { to, called, isFull } = await readNext(tx, { from, store, now: tx.now });
  if (to === from) return false;
  await moveLogCursor(tx, CONSUMER, { from, to });
  const wanted = notificationsOf(store);
  for (const one of called) if (wanted[one.template]) await openEmail(tx, one);
  return isFull;
}

interface Called {
  readonly event: LoggedEvent;
  readonly template: EmailTemplate;
}

async function readNext(
  db: Reader,
  { from, ...terms }: { readonly from: number; readonly store: Store; readonly now: number },
): Promise<{ readonly to: number; readonly called: readonly Called[]; readonly isFull: boolean }> {
  // Read before the events: the cursor must not pass events that are committed in between.
  const until = await lastSequence(db);
  const span = { after: from, until, name: watchedEvents, limit: EVENTS_AT_ONCE };
  const found = until > from ? await eventsAfter(db, span) : [];
  const isFull = found.length === EVENTS_AT_ONCE;
  const called = found.flatMap((event) => {
    const template = calledFor(event, terms);
    return template === null ? [] : [{ event, template }];
  });
  return { to: isFull ? (found.at(-1)?.sequence ?? until) : until, called, isFull };
}

async function openEmail(tx: Tx, { event, template }: Called): Promise<void> {
  if (!isId("order", event.subject)) return;
  const id = newId("email", tx.now);
  await emailRows.insert(tx, {
    id,
    eventId: event.id,
    sequence: event.sequence,
    template,
    orderId: event.subject,
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
  await setTimer(tx, { name: SEND_TIMER, subject: id, dueAt: tx.now });
}
