// Days and hours as people read them, in the shop's time zone.

import { DAY_MS, dayStartMs } from "#kernel/time.ts";

const LOCALE = "en-GB";
const ISO_DAY = /^\d{4}-\d\d-\d\d$/;

interface Formats {
  readonly hour: Intl.DateTimeFormat;
  readonly day: Intl.DateTimeFormat;
  readonly dayWithYear: Intl.DateTimeFormat;
  readonly date: Intl.DateTimeFormat;
  readonly short: Intl.DateTimeFormat;
  readonly shortWithYear: Intl.DateTimeFormat;
  readonly month: Intl.DateTimeFormat;
  readonly weekday: Intl.DateTimeFormat;
}

/** Making a formatter costs more than a page, so each is kept. */
const known = new Map<string, Formats>();

function formatsOf(timeZone: string): Formats {
  const kept = known.get(timeZone);
  if (kept !== undefined) return kept;
  const day = { weekday: "long", day: "numeric", month: "long", timeZone } as const;
  const short = { day: "numeric", month: "short", timeZone } as const;
  const made = {
    hour: new Intl.DateTimeFormat(LOCALE, { hour: "2-digit", minute: "2-digit", timeZone }),
    day: new Intl.DateTimeFormat(LOCALE, day),
    dayWithYear: new Intl.DateTimeFormat(LOCALE, { ...day, year: "numeric" }),
    // ISO 8601, by which days are compared and named in addresses.
    date: new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeZone }),
    short: new Intl.DateTimeFormat(LOCALE, short),
    shortWithYear: new Intl.DateTimeFormat(LOCALE, { ...short, year: "numeric" }),
    month: new Intl.DateTimeFormat(LOCALE, { month: "short", year: "numeric", timeZone }),
    weekday: new Intl.DateTimeFormat(LOCALE, { weekday: "long", timeZone }),
  };
  known.set(timeZone, made);
  return made;
}

/** When it is: the zone of the shop, and now. */
export interface Now {
  readonly zone: string;
  readonly now: number;
}

/** The ISO day so many days later. A text that is no day of four-digit years stays as it is, for the interface to refuse. */
export function daysAfter(day: string, days: number): string {
  const at = ISO_DAY.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(at)) return day;
  const later = new Date(at + days * DAY_MS).toISOString().slice(0, 10);
  return ISO_DAY.test(later) ? later : day;
}

/** `14:05`. */
export function hourOf(at: string | number, zone: string): string {
  return formatsOf(zone).hour.format(new Date(at));
}

/** The hour of the day, 0 to 23. */
export function hourOfDay(at: string | number, zone: string): number {
  return Number(hourOf(at, zone).slice(0, 2));
}

/** `2026-11-23`. */
export function dateOf(at: string | number, zone: string): string {
  return formatsOf(zone).date.format(new Date(at));
}

export function weekdayOf(at: string | number, zone: string): string {
  return formatsOf(zone).weekday.format(new Date(at));
}

/** `Monday 23 November`, with the year if it is another one. */
export function longDayOf(at: string | number, when: Now): string {
  const { day, dayWithYear } = formatsOf(when.zone);
  return (isThisYear(at, when) ? day : dayWithYear).format(new Date(at)).replace(",", "");
}

/** `23 Nov`, with the year if it is another one. */
export function shortDayOf(at: string | number, when: Now): string {
  const { short, shortWithYear } = formatsOf(when.zone);
  return (isThisYear(at, when) ? short : shortWithYear).format(new Date(at));
}

/** `23 Nov`, of any year. */
export function dayAndMonthOf(at: string | number, zone: string): string {
  return formatsOf(zone).short.format(new Date(at));
}

/** `Nov 2026`. */
export function monthOf(at: string | number, zone: string): string {
  return formatsOf(zone).month.format(new Date(at));
}

function isThisYear(at: string | number, { zone, now }: Now): boolean {
  return dateOf(at, zone).slice(0, 4) === dateOf(now, zone).slice(0, 4);
}

/** `Today`, `Yesterday`, or the long day. */
export function dayOf(at: string | number, when: Now): string {
  const date = dateOf(at, when.zone);
  if (date === dateOf(when.now, when.zone)) return "Today";
  // Not a day of hours ago: where clocks change, a day has one more or less.
  const today = dayStartMs(dateOf(when.now, when.zone), when.zone);
  if (date === dateOf(today - 1, when.zone)) return "Yesterday";
  return longDayOf(at, when);
}

/** How long ago within the last hour, else the hour. */
export function agoOf(at: string | number, { zone, now }: Now): string {
  const minutes = Math.floor((now - new Date(at).getTime()) / 60_000);
  if (minutes < 1) return "now";
  return minutes < 60 ? `${minutes} min` : hourOf(at, zone);
}

/** The hour of today, else the day: `14:05`, `23 Nov`. */
export function nearOf(at: string | number, when: Now): string {
  const isToday = dateOf(at, when.zone) === dateOf(when.now, when.zone);
  return isToday ? hourOf(at, when.zone) : shortDayOf(at, when);
}

/** The day and the hour: `Today, 14:05`. */
export function momentOf(at: string | number, when: Now): string {
  return `${dayOf(at, when)}, ${hourOf(at, when.zone)}`;
}

/** `yesterday, 09:40` within a sentence; the name of a weekday keeps its capital. */
export function inSentence(moment: string): string {
  return moment.replace(/^(?:Today|Yesterday)/, (word) => word.toLowerCase());
}

/** How long ago or the hour of today, else `Yesterday` or `20 Nov`: where no day stands above. */
export function agoOrDayOf(at: string | number, when: Now): string {
  const day = dayOf(at, when);
  if (day === "Today") return agoOf(at, when);
  return day === "Yesterday" ? day : dayAndMonthOf(at, when.zone);
}
