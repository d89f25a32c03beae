// Lookup: the pending timers, soonest first.

import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import type { Reader } from "#platform/database/database.ts";
import { cursorInvalid } from "#platform/http/contract/refusals.ts";
import {
  findTimersAfter,
  type SeenTimer,
  type TimerRow,
} from "#platform/scheduler/timer-queries.ts";

/** Returns a page of timers. Refuses with `invalid_cursor` if `after` is no position in the list. */
export async function listTimers(db: Reader, { limit, after }: PageRequest) {
  const position = after === null ? null : readPosition(after);
  const page: Page<TimerRow> = toPage(await findTimersAfter(db, position, limit + 1), limit);
  return page;
}

/** The cursor of a timer: its position in the list. */
export function positionOf(timer: {
  readonly due_at: string;
  readonly name: string;
  readonly subject: string;
}): string {
  return `${timer.due_at} ${timer.name} ${timer.subject}`;
}

function readPosition(text: string): SeenTimer {
  const [, instant, name, subject] = /^(\S+) (\S+) (.+)$/s.exec(text) ?? [];
  const dueAt = Date.parse(instant ?? "");
  if (name === undefined || subject === undefined || Number.isNaN(dueAt)) throw cursorInvalid();
  return { dueAt, name, subject };
}
