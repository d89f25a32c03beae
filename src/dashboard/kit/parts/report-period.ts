// The days that a report is about, and the choices of them.

import type { Visit } from "#dashboard/kit/visit.ts";
import { en } from "#dashboard/words/en.ts";
import { DAY_MS } from "#kernel/time.ts";
import { attribute, type Html, html } from "#platform/html/html.ts";

import { input } from "./field.ts";
import { tabs } from "./list.ts";
import { dateOf, daysAfter } from "./times.ts";

const words = en.reports;
/** More days than these are drawn as months. */
const DAYS_DRAWN_MAX = 92;

/** Whole days of the shop, both included, such as `2026-01-31`. */
export interface ReportPeriod {
  readonly from: string;
  readonly to: string;
}

/** The period of the page's address; the last 30 days by default. Days in the wrong order are put right. */
export function periodOf(visit: Visit): ReportPeriod {
  const usual = choicesOf(visit).month;
  const [from, to] = [visit.query("from") || usual.from, visit.query("to") || usual.to];
  return from <= to ? { from, to } : { from: to, to: from };
}

/** The period as the interface takes it, whose end is exclusive. */
export function queryOf({ from, to }: ReportPeriod): Readonly<Record<string, string>> {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS;
  return { from, to: daysAfter(to, 1), interval: days > DAYS_DRAWN_MAX ? "month" : "day" };
}

/** The address of the report of a period, without the page's path. */
export function addressOf({ from, to }: ReportPeriod, currency?: string): string {
  const query = new URLSearchParams({ from, to, ...(currency === undefined ? {} : { currency }) });
  return `?${query.toString()}`;
}

/** The usual periods, and a form for any other. */
export function periodChoice(visit: Visit, period: ReportPeriod): Html {
  const isHere = (one: ReportPeriod) => one.from === period.from && one.to === period.to;
  const choices = Object.entries(choicesOf(visit)).map(([name, one]) => ({ name, one }));
  const isOther = !choices.some(({ one }) => isHere(one));
  const day = (name: "from" | "to") =>
    input(null, { name, label: words[name], value: period[name], type: "date" });
  return html`${tabs(
      words.whichPeriod,
      choices.map(({ name, one }) => ({
        href: `${visit.page}${addressOf(one)}`,
        word: nameOf(name),
        isHere: isHere(one),
      })),
    )}
    <details class="filter" ${attribute("open", isOther)}>
      <summary>${words.otherDays}</summary>
      <form action="${visit.page}" aria-label="${words.otherDays}">
        ${day("from")} ${day("to")}
        <p class="acts"><button>${words.show}</button></p>
      </form>
    </details>`;
}

function nameOf(choice: string): string {
  const found = Object.entries(words.periods).find(([name]) => name === choice);
  return found?.[1] ?? choice;
}

function choicesOf({ when }: Visit): Readonly<Record<keyof typeof words.periods, ReportPeriod>> {
  const today = dateOf(when.now, when.zone);
  const first = `${today.slice(0, 7)}-01`;
  const lastOfMonthBefore = daysAfter(first, -1);
  return {
    week: { from: daysAfter(today, -6), to: today },
    month: { from: daysAfter(today, -29), to: today },
    thisMonth: { from: first, to: today },
    lastMonth: { from: `${lastOfMonthBefore.slice(0, 7)}-01`, to: lastOfMonthBefore },
    year: { from: `${today.slice(0, 4)}-01-01`, to: today },
  };
}
