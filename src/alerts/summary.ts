// The day's summary to people of the shop: when it is due, and what it says, which is read when it is sent.

import type { AnalyticsShop } from "#analytics/analytics-shop.ts";
import { totalMinor } from "#analytics/figures.ts";
import { listSales } from "#analytics/summary/summarize-sales.ts";
import { findLowStock } from "#catalog/inventory/lookups.ts";
import type { EmailsShop } from "#emails/emails-shop.ts";
import type { MailingStore } from "#emails/words/localize.ts";
import type { Counted } from "#kernel/page.ts";
import { countUpTo } from "#kernel/page.ts";
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

/** The instant of the day's summary, so many days after this instant. */
function summaryOn({ summaryAt, timezone }: Times, now: number, daysLater: number) {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timezone);
  return today
    .toPlainDate()
    .add({ days: daysLater })
    .toZonedDateTime({ timeZone: timezone, plainTime: Temporal.PlainTime.from(summaryAt) });
}

/** When the next summary is due, epoch milliseconds. */
function nextSummaryAt(store: Times, now: number): number {
  const today = summaryOn(store, now, 0).epochMilliseconds;
  return today > now ? today : summaryOn(store, now, 1).epochMilliseconds;
}

/** The day of the last summary that was due, such as 2026-11-30. */
function lastSummaryDay(store: Times, now: number): string {
  const today = summaryOn(store, now, 0);
  const last = today.epochMilliseconds <= now ? today : summaryOn(store, now, -1);
  return last.toPlainDate().toString();
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
    const subject = lastSummaryDay(await getStore(tx), tx.now);
    await planNext(tx);
    for (const person of present) {
      const channels = alertRulesOf(person).summary;
      const about = { kind: "summary", subject, hour: 0, personId: person.id } as const;
      const news = { entryId: "", eventId: "", ...about };
      const ways = await waysTo(people.read, person, { channels, canSend: mail !== null });
      for (const way of ways) if (way.error === null) await openAlert(tx, news, way);
    }
  });
}

/** The summary of the day; null where nothing happened and nothing waits. */
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

async function salesOf(shop: AnalyticsShop, day: string, { locale }: MailingStore) {
  const { blocks } = await listSales(shop, { from: day, interval: "day" });
  const days = blocks.map(({ currency, series }) => ({ currency, figures: series[0] }));
  const taken = days.flatMap(({ currency, figures }) => {
    const minor = figures === undefined ? 0 : totalMinor(figures);
    return minor === 0 ? [] : [print(minor, currency, locale)];
  });
  const sumOf = (name: "placed" | "paid") =>
    days.reduce((sum, { figures }) => sum + (figures?.[name] ?? 0), 0);
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
