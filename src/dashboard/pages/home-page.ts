// The first look of the day: what came in, what waits, what was last.

import type { Static } from "typebox";

import { SLOT_MS } from "#analytics/slots.ts";
import { seriesSchema, type WireSeries } from "#analytics/summary/schema.ts";
import { checklistWire } from "#checks/schema.ts";
import { digitsOf } from "#dashboard/kit/amounts.ts";
import type { Page } from "#dashboard/kit/page.ts";
import { type Bar, barChart } from "#dashboard/kit/parts/bar-chart.ts";
import { nonceField } from "#dashboard/kit/parts/field.ts";
import { emptyList } from "#dashboard/kit/parts/list.ts";
import { largeSum, textOfMoney } from "#dashboard/kit/parts/money.ts";
import { doneNote, refusedNote } from "#dashboard/kit/parts/note.ts";
import { mark, orderRow } from "#dashboard/kit/parts/order-words.ts";
import { dateOf, hourOf, hourOfDay, longDayOf, weekdayOf } from "#dashboard/kit/parts/times.ts";
import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { dayStartMs } from "#kernel/time.ts";
import { type Html, html } from "#platform/html/html.ts";
import { type OrderAnswer, orderWire } from "#sales/orders/schema.ts";

import { alertsPart } from "./alerts-part.ts";
import { waitingList } from "./waiting-list.ts";

const GO_LIVE = "/settings/go-live";

// The takings of today, against the same weekday a week before by this time.

/** The hours that are drawn at least: most shops are open then. */
const FIRST_HOUR = 8;
const LAST_HOUR = 18;

/** A label each so many hours. */
const LABEL_EACH = 3;

interface Hour {
  /** The hour of the day in the shop's time zone, 0 to 23. */
  readonly hour: number;
  /** Minor units, at least 0. */
  readonly taken: number;
  /** The same a week before. */
  readonly before: number;
}

/** An hour, or the part of it within a span. */
type Point = WireSeries["currencies"][number]["series"][number];

interface Takings {
  readonly taken: number;
  readonly placed: number;
  readonly paid: number;
  /** A week before, until this time of the day. */
  readonly before: number;
  readonly hours: readonly Hour[];
}

/** The sum of today and its hours. There is no chart of a day and a week without money. */
async function takingsOf(visit: Visit): Promise<Html | null> {
  if (!visit.may("analytics:read")) return null;
  const { taken, placed, paid, before, hours } = await readTakings(visit);
  const { currency } = visit.store;
  const { zone, now } = visit.when;
  const weekday = weekdayOf(now, zone);
  const isEmpty = hours.every((hour) => hour.taken === 0 && hour.before === 0);
  return html`<section class="takings" aria-label="${en.home.taken}">
    ${largeSum(taken, currency)}
    <p>
      ${!isEmpty && html`${changeOf(taken, before, weekday)} <span class="soft">·</span>`}
      <span class="soft">${en.home.ordersPaid(placed, paid)}</span>
    </p>
    ${
      !isEmpty &&
      barChart(hours.map(barOf), {
        title: en.home.chartUntil(textOfMoney(taken, currency), hourOf(now, zone)),
        columns: [en.home.hour, en.home.today, en.home.last(weekday)],
        now: hours.findIndex(({ hour }) => hour === hourOfDay(now, zone)),
        print: (amountMinor) => digitsOf(amountMinor, currency),
      })
    }
  </section>`;
}

function barOf({ hour, taken, before }: Hour): Bar {
  const name = `${hour}:00`;
  return { name, label: hour % LABEL_EACH === 0 ? name : null, amount: taken, before };
}

/** The change in percent, or why there is none. */
function changeOf(taken: number, before: number, weekday: string): Html {
  if (before <= 0) return html`${en.home.nothingLast(weekday)}`;
  const percent = Math.round(((taken - before) / before) * 100);
  if (percent === 0) return html`${en.home.sameAsLast(weekday)}`;
  const isRise = percent > 0;
  return html`<span class="${isRise ? "rise" : "fall"}"
      >${isRise ? en.home.more(percent) : en.home.less(-percent)}</span
    >
    ${en.home.onLast(weekday)}`;
}

async function readTakings(visit: Visit): Promise<Takings> {
  const { zone, now } = visit.when;
  // It is not as many hours ago if the clocks changed since.
  const then = Temporal.Instant.fromEpochMilliseconds(now)
    .toZonedDateTimeISO(zone)
    .subtract({ weeks: 1 });
  const weekAgo = then.epochMilliseconds;
  // A week ago by this time, with the whole quarter of the hour, which is the least that the interface tells apart.
  const byNow = new Date(weekAgo - (weekAgo % SLOT_MS) + SLOT_MS).toISOString();
  const midnight = then.toPlainDate().add({ days: 1 }).toString();
  const today = await pointsOf(visit, { from: dateOf(now, zone) });
  const before = await pointsOf(visit, { from: dateOf(weekAgo, zone), to: byNow });
  const isOver = Date.parse(byNow) >= dayStartMs(midnight, zone);
  const after = isOver ? [] : await pointsOf(visit, { from: byNow, to: midnight });
  return {
    taken: sumOf(today, "total_minor"),
    placed: sumOf(today, "placed"),
    paid: sumOf(today, "orders"),
    before: sumOf(before, "total_minor"),
    hours: hoursOf(visit, today, [...before, ...after]),
  };
}

/** The hours of a span in the shop's currency; none if nothing happened in it. */
async function pointsOf(
  visit: Visit,
  span: Readonly<Record<string, string>>,
): Promise<readonly Point[]> {
  const { currency } = visit.store;
  const sales = await visit.ask({ schema: seriesSchema }, "GET /v2/analytics/series", {
    query: { ...span, currency, interval: "hour" },
  });
  return sales.currencies.find((block) => block.currency === currency)?.series ?? [];
}

function sumOf(points: readonly Point[], name: "placed" | "orders" | "total_minor"): number {
  return points.reduce((sum, point) => sum + point[name], 0);
}

function hoursOf({ when }: Visit, today: readonly Point[], then: readonly Point[]): Hour[] {
  const byHour = (points: readonly Point[]) => {
    const sums = Array.from({ length: 24 }, () => 0);
    for (const { start, total_minor: total } of points) {
      const hour = hourOfDay(start, when.zone);
      sums[hour] = (sums[hour] ?? 0) + total;
    }
    // An hour of refunds alone is below zero, which a bar does not show.
    return sums.map((sum) => Math.max(0, sum));
  };
  const [taken, before] = [byHour(today), byHour(then)];
  const all = taken.map((sum, hour) => ({ hour, taken: sum, before: before[hour] ?? 0 }));
  const busy = all.filter((one) => one.taken > 0 || one.before > 0).map(({ hour }) => hour);
  const shown = [FIRST_HOUR, LAST_HOUR, hourOfDay(when.now, when.zone), ...busy];
  return all.slice(Math.min(...shown), Math.max(...shown) + 1);
}

// The first steps of a shop: the rows of the checklist about the shop, until all are done.

type CheckRow = Static<(typeof checklistWire)["schema"]>["checks"][number];

const words = en.home.steps;

/** The steps, for who may take them all; null when they are done. */
async function firstSteps(visit: Visit): Promise<Html | null> {
  if (visit.visitor.person.role !== "owner") return null;
  const query = { area: "shop" };
  const { checks } = await visit.ask(checklistWire, "GET /v2/checklist", { query });
  const left = checks.filter(({ state }) => state !== "ok").length;
  if (left === 0) return null;
  return html`<section>
    <div class="day">
      <h2>${words.title}</h2>
      <span>${words.left(left)}</span>
    </div>
    <ol class="steps">
      ${checks.map((row) => stepOf(visit, row))}
    </ol>
    ${
      visit.mode === "live" &&
      html`<p class="small soft">
        ${words.server} <a href="${visit.href(GO_LIVE)}">${en.checks.title}</a>
      </p>`
    }
  </section>`;
}

function stepOf(visit: Visit, row: CheckRow): Html {
  const title = html`<strong>${en.checks.names[row.check] ?? row.check}</strong>`;
  if (row.state !== "ok") return openStep(visit, row, title);
  return html`<li class="done">
    ${mark("done", words.done)}
    <div>${title}</div>
  </li>`;
}

/** A step that is left. A test shop is tried out with samples. */
function openStep(visit: Visit, { check, do: remedy, href }: CheckRow, title: Html): Html {
  const isSeeded = check === "first_order" && visit.mode === "test";
  return html`<li>
    ${mark("", words.open)}
    <div>
      ${isSeeded ? title : html`<a href="${href}">${title}</a>`}
      <p class="soft">${isSeeded ? words.orderWhatTest : remedy}</p>
    </div>
    ${isSeeded && seedForm(visit)}
  </li>`;
}

function seedForm(visit: Visit): Html {
  return html`<form method="post" action="${visit.href("/seed")}">
    ${nonceField()}
    <button>${words.seed}</button>
  </form>`;
}

const LATEST = "6";

export const homePage: Page = {
  path: "",
  scopes: ["store:read"],
  show: async (visit) => {
    const orders = await latestOf(visit);
    const steps = await firstSteps(visit);
    return {
      title: en.nav.home,
      follows: "order",
      body: html`<div class="heading"><h1>${longDayOf(visit.now, visit.when)}</h1></div>
        ${doneNote(visit)} ${refusedNote(visit.submitted)} ${await alertsPart(visit)}
        ${orders.length === 0 ? (steps ?? noOrders) : html`${await dayOf(visit)} ${latest(visit, orders)} ${steps}`}`,
    };
  },
  forms: { seed: { route: "POST /v2/test/seed", doneMessage: "seeded" } },
};

/** The words for a person in an empty shop who does not set it up. */
const noOrders = emptyList(en.orders.empty.all, en.home.noOrdersWhat);

async function latestOf(visit: Visit): Promise<readonly OrderAnswer[]> {
  if (!visit.may("orders:read")) return [];
  const { data } = await visit.list(orderWire, "GET /v2/orders", { query: { limit: LATEST } });
  return data;
}

/** The takings, and what waits beside them where there is room. */
async function dayOf(visit: Visit): Promise<Html> {
  return html`<div class="halves">
    <div class="stack">${await takingsOf(visit)}</div>
    ${visit.waiting !== null && (await waitingList(visit, visit.waiting))}
  </div>`;
}

function latest(visit: Visit, orders: readonly OrderAnswer[]): Html {
  const rows = orders.map((order) => orderRow(visit, order, { isUnderDay: false }));
  return html`<section>
    <div class="day">
      <h2>${en.home.latest}</h2>
      <a class="small" href="${visit.href("/orders?show=all")}">${en.home.allOrders}</a>
    </div>
    <ol class="rows orders">
      ${rows}
    </ol>
  </section>`;
}
