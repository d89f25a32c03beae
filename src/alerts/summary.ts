// The day's summary to people of the shop: when it is due, and what it says, which is read when it is sent.

import type { AnalyticsShop } from "#analytics/analytics-shop.ts";
import { totalMinor } from "#analytics/figures.ts";
import { SLOT_MS, slotAt } from "#analytics/slots.ts";
import { listSales } from "#analytics/summary/summarize-sales.ts";
import { findLowStock } from "#catalog/inventory/lookups.ts";
import type { EmailsShop } from "#emails/emails-shop.ts";
import type { MailingStore } from "#emails/words/localize.ts";
import type { Counted } from "#kernel/page.ts";
import { countUpTo } from "#kernel/page.ts";
import { dayAt, dayStartMs, HOUR_MS } from "#kernel/time.ts";
import { print } from "#pay-page/sums.ts";
import type { Database, Reader, Tx } from "#platform/database/database.ts";
import { dueTimeOf, setTimer } from "#platform/scheduler/timers.ts";
import { countToPack, listOrders } from "#sales/history/list-orders.ts";
import { alertRulesOf } from "#shop/people/alert-rules.ts";
import { listPeople } from "#shop/people/lookups.ts";
import { tagOf } from "#shop/store/branding.ts";
import { getStore } from "#shop/store/lookups.ts";
import type { Store } from "#shop/store/store.ts";

import type { NewsText } from "./news.ts";
import { openAlert, waysTo } from "./open-alert.ts";

/** The timer of the next summary. */
export const SUMMARY_TIMER = "alerts.summary";
const NEXT = "next";
/** Beyond it the exact number says nothing. */
const COUNT_MAX = 100;

type Times = Pick<Store, "summaryAt" | "timezone">;

/** The instant of the summary of a day. */
function summaryOn({ summaryAt, timezone }: Times, day: string): number {
  const plainTime = Temporal.PlainTime.from(summaryAt);
  return Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: timezone, plainTime })
    .epochMilliseconds;
}

/** When the next summary is due, epoch milliseconds. */
function nextSummaryAt(store: Times, now: number): number {
  const today = summaryOn(store, dayAt(now, store.timezone));
  return today > now ? today : summaryOn(store, dayAt(now, store.timezone, 1));
}

/** The day of the last summary that was due, such as 2026-11-30. */
function lastSummaryDay(store: Times, now: number): string {
  const today = dayAt(now, store.timezone);
  return summaryOn(store, today) <= now ? today : dayAt(now, store.timezone, -1);
}

/** From the summary of the day before to that of the day, in whole slots: what was not counted then is counted next. */
function spanOf(store: Times, day: string) {
  const { timezone } = store;
  const dayBefore = dayAt(dayStartMs(day, timezone), timezone, -1);
  const [from, to] = [dayBefore, day].map((one) => {
    const slot = slotAt(summaryOn(store, one));
    return new Date(slot * SLOT_MS).toISOString();
  });
  return { from, to };
}

async function planNext(tx: Tx): Promise<void> {
  const dueAt = nextSummaryAt(await getStore(tx), tx.now);
  await setTimer(tx, { name: SUMMARY_TIMER, subject: NEXT, dueAt });
}

/** Sets the timer by the settings as they are now. One that is due stays: that day is still to be summed up. */
export async function planSummary(tx: Tx): Promise<void> {
  const dueAt = await dueTimeOf(tx, SUMMARY_TIMER, NEXT);
  if (dueAt === null || dueAt > tx.now) await planNext(tx);
}

/** Opens the summary of the day to everyone who wants it, and sets the timer of the next. */
export async function openSummaries(
  { database, mail }: EmailsShop,
  people: Database,
): Promise<void> {
  const present = await listPeople(people.read);
  await database.write(async (tx) => {
    const store = await getStore(tx);
    const subject = lastSummaryDay(store, tx.now);
    // A shop that chose a later hour meanwhile has a second summary of the day.
    const hour = Math.floor(summaryOn(store, subject) / HOUR_MS);
    await planNext(tx);
    for (const person of present) {
      const channels = alertRulesOf(person).summary;
      const about = { kind: "summary", subject, hour, personId: person.id } as const;
      const news = { entryId: "", eventId: "", ...about };
      const ways = await waysTo(people.read, person, { channels, canSend: mail !== null });
      for (const way of ways) if (way.error === null) await openAlert(tx, news, way);
    }
  });
}

/** The summary of the day since that of the day before; null where nothing happened and nothing waits. */
export async function readSummary(
  shop: AnalyticsShop,
  day: string,
  store: MailingStore,
): Promise<NewsText | null> {
  const { summary: says } = store.letters.alert;
  const db = shop.database.read;
  const sales = await salesOf(shop, day, store);
  const [toPack, low] = [await countToPack(db, COUNT_MAX), await findLowStock(db, COUNT_MAX)];
  const lines = [
    ...sales.taken.map((amount) => says.taken(amount)),
    ...(sales.placed + sales.paid > 0 ? [says.orders(sales.placed, sales.paid)] : []),
    ...lineOf(toPack, says.toPack),
    ...lineOf(await countUnpaid(db), says.waiting),
    ...lineOf(low, says.low),
  ];
  if (lines.length === 0) return null;
  const title = says.title(
    new Intl.DateTimeFormat(tagOf(store.language, store.locale), {
      dateStyle: "full",
      timeZone: "UTC",
    }).format(Date.parse(day)),
  );
  return { title, lines, path: "", tag: "summary", open: says.open };
}

async function salesOf(shop: AnalyticsShop, day: string, store: MailingStore) {
  const { blocks } = await listSales(shop, { ...spanOf(store, day), interval: "day" });
  const taken = blocks.flatMap(({ currency, series }) => {
    const minor = series.reduce((sum, figures) => sum + totalMinor(figures), 0);
    return minor === 0 ? [] : [print(minor, currency, store.locale)];
  });
  const points = blocks.flatMap(({ series }) => series);
  const sumOf = (name: "placed" | "paid") => points.reduce((sum, one) => sum + one[name], 0);
  return { taken, placed: sumOf("placed"), paid: sumOf("paid") };
}

async function countUnpaid(db: Reader): Promise<Counted> {
  const filters = { status: ["open"], paymentStatus: ["unpaid"] };
  const { rows, hasMore } = await listOrders(db, filters, { limit: COUNT_MAX, after: null });
  return { ...countUpTo(rows, COUNT_MAX), more: hasMore };
}

/** A count as people read it; no line without any. */
function lineOf({ count, more }: Counted, say: (count: string) => string): string[] {
  return count === 0 ? [] : [say(more ? `${count}+` : String(count))];
}
