// Lookup: what is to happen, soonest first.

import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import type { Reader } from "#platform/database/database.ts";
import { cursorInvalid } from "#platform/http/contract/refusals.ts";
import {
  findTimersAfter,
  type SeenTimer,
  type TimerRow,
} from "#platform/scheduler/timer-queries.ts";

/** A page of the timers that are set. Refuses with `invalid_cursor` where `after` is no place. */
export async function listTimers(db: Reader, { limit, after }: PageRequest) {
  const place = after === null ? null : readPlace(after);
  const page: Page<TimerRow> = toPage(await findTimersAfter(db, place, limit + 1), limit);
  return page;
}

/** Where a timer stands in the list, as its cursor remembers it. */
export function placeOf(timer: {
  readonly due_at: string;
  readonly name: string;
  readonly subject: string;
}): string {
  return `${timer.due_at} ${timer.name} ${timer.subject}`;
}

function readPlace(text: string): SeenTimer {
  const [, instant, name, subject] = /^(\S+) (\S+) (.+)$/s.exec(text) ?? [];
  const dueAt = Date.parse(instant ?? "");
  if (name === undefined || subject === undefined || Number.isNaN(dueAt)) throw cursorInvalid();
  return { dueAt, name, subject };
}
