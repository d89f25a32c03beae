// Story: the alerts that the next events of the log call for. Invariant: alerts and their timers are one commit with the
// cursor, so that each event is told once.

import { isPaidAtGateway } from "#emails/called-for.ts";
import type { EmailsShop } from "#emails/emails-shop.ts";
import { isObject } from "#kernel/assume.ts";
import { isId } from "#kernel/id.ts";
import { DAY_MS } from "#kernel/time.ts";
import type { Database, Reader, Tx } from "#platform/database/database.ts";
import {
  eventsAfter,
  findEventIdAt,
  lastSequence,
  type LoggedEvent,
} from "#platform/event-log/event-log.ts";
import {
  beginLogCursor,
  findLogCursor,
  isStillNext,
  moveLogCursor,
  type ReadAhead,
} from "#platform/event-log/log-cursors.ts";
import { findOrder } from "#sales/orders/lookups.ts";
import { alertRulesOf } from "#shop/people/alert-rules.ts";
import { listPeople } from "#shop/people/lookups.ts";
import type { Person } from "#shop/people/person.ts";
import { getStore } from "#shop/store/lookups.ts";
import type { Store } from "#shop/store/store.ts";

import { openOrGather, type Way, waysTo } from "./open-alert.ts";
import type { NewsKind } from "./tables.ts";

/** The name of the log cursor. */
const CONSUMER = "alerts.news";
/**
 * Events of one commit: few, because each may be an alert to many people and browsers. Fewer that call for no alert are
 * not saved as read: an order costs no commit for them.
 */
const EVENTS_PER_STEP = 50;
/** Later, it is no news. */
export const NEWS_MS = DAY_MS;

const kinds = {
  "order.placed": "order",
  "order.paid": "order",
  "payment.review": "review",
  "payment.disputed": "review",
  "refund.failed": "review",
  "refund.needs_attention": "review",
  "inventory.low": "low_stock",
} as const satisfies Readonly<Record<string, NewsKind>>;

interface Called {
  readonly event: LoggedEvent;
  readonly kind: NewsKind;
  readonly subject: string;
}

interface NextPart extends ReadAhead {
  readonly called: readonly Called[];
  readonly isMore: boolean;
}

/** The ways to a person for each kind. */
type Readers = readonly {
  readonly person: Person;
  readonly ways: Readonly<Record<NewsKind, readonly Way[]>>;
}[];

/** Makes the alerts of the next events. Returns whether there may be more. */
export async function followNews(
  { database, clock, mail }: EmailsShop,
  people: Database,
): Promise<boolean> {
  const next = await readNext(database.read, clock.now());
  const { called, isMore } = next;
  if (called.length === 0 && !isMore) return false;
  const readers = called.length === 0 ? [] : await readersOf(people, mail !== null);
  return database.write((tx) => tell(tx, next, readers));
}

/** At a start: what happens from now on is told, or from where it was told before. */
export async function beginNews(tx: Tx): Promise<void> {
  await beginLogCursor(tx, CONSUMER);
}

async function readNext(db: Reader, now: number): Promise<NextPart> {
  const from = await findLogCursor(db, CONSUMER);
  // Read before the events: the cursor must not pass events that are committed in between.
  const last = Math.max(from, await lastSequence(db));
  const found = await eventsAfter(db, { after: from, until: last, limit: EVENTS_PER_STEP });
  // After a reset the log is empty but its sequence continues.
  const until = found.at(-1)?.sequence ?? last;
  const store = await getStore(db);
  const called = found.flatMap((event) => calledFor(event, { store, now }));
  return { from, until, lastId: await findEventIdAt(db, until), called, isMore: until < last };
}

/** The alert that the event calls for; none of what a developer triggered, and of what happened a day ago. */
function calledFor(
  event: LoggedEvent,
  { store, now }: { readonly store: Store; readonly now: number },
): Called[] {
  const { name, createdAt } = event;
  if (!isTold(name) || now - createdAt > NEWS_MS) return [];
  const data: unknown = JSON.parse(event.data);
  if (!isObject(data) || data["triggered"] === true || !isNews(name, data, store)) return [];
  const { order_id: orderId } = data;
  const kind = kinds[name];
  const subject = kind === "review" && typeof orderId === "string" ? orderId : event.subject;
  return [{ event, kind, subject }];
}

function isTold(name: string): name is keyof typeof kinds {
  return Object.hasOwn(kinds, name);
}

/** An order that a gateway takes is news once it is paid; one of a counter is not. */
function isNews(
  name: keyof typeof kinds,
  data: Readonly<Record<string, unknown>>,
  store: Store,
): boolean {
  if (kinds[name] !== "order") return true;
  if (data["channel"] === COUNTER) return false;
  return name === "order.paid" || !isPaidAtGateway(data["payment_method"], store);
}

const COUNTER = "pos";

async function readersOf({ read }: Database, canSend: boolean): Promise<Readers> {
  const readers: Readers[number][] = [];
  for (const person of await listPeople(read)) {
    const rules = alertRulesOf(person);
    const of = async (kind: NewsKind) => {
      const ways = await waysTo(read, person, { channels: rules[kind], canSend });
      return ways.filter(({ error }) => error === null);
    };
    const ways = {
      order: await of("order"),
      review: await of("review"),
      low_stock: await of("low_stock"),
    };
    readers.push({ person, ways });
  }
  return readers;
}

async function tell(tx: Tx, next: NextPart, readers: Readers): Promise<boolean> {
  const { from, until, called, isMore } = next;
  // The log was emptied: what happens from now on is told.
  if (from === 0 && (await beginLogCursor(tx, CONSUMER))) return false;
  if (!(await isStillNext(tx, CONSUMER, next))) return true;
  await moveLogCursor(tx, CONSUMER, { from, to: until });
  for (const one of called) if (!(await isToldAsPaid(tx, one))) await tellAll(tx, one, readers);
  return isMore;
}

/** An order that is placed and paid at once is told as paid. */
async function isToldAsPaid(tx: Tx, { event }: Called): Promise<boolean> {
  if (event.name !== "order.placed" || !isId("order", event.subject)) return false;
  return (await findOrder(tx, event.subject))?.paidAt === event.createdAt;
}

/** A person is not told of their own act. */
async function tellAll(tx: Tx, { event, kind, subject }: Called, readers: Readers): Promise<void> {
  for (const { person, ways } of readers) {
    if (event.actor.id === person.id) continue;
    const news = { entryId: "", eventId: event.id, kind, subject, hour: 0, personId: person.id };
    for (const way of ways[kind]) await openOrGather(tx, news, way);
  }
}
