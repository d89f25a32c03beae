// The shop's clock as a client of the sandbox sees it: how far it may be moved, and the pending timers, soonest first.

import { type Page, type PageRequest, toPage } from "#kernel/page.ts";
import { defineRefusal, validationFailed } from "#kernel/refusal.ts";
import type { Reader } from "#platform/database/database.ts";
import { cursorInvalid } from "#platform/http/contract/refusals.ts";
import {
  findTimersAfter,
  type SeenTimer,
  type TimerRow,
} from "#platform/scheduler/timer-queries.ts";

/** Two years: further than any timer of a shop reaches. */
export const ADVANCE_SECONDS_MAX = 63_072_000;
/** Leaves room for timers set from there: years have four digits on the wire. */
const INSTANT_MAX = Date.UTC(9000, 0, 1);

export const clockBackwards = defineRefusal("clock_backwards", "invalid", {
  title: "The shop's clock can only be moved forward.",
  cause: "The instant is earlier than the current time of the test shop.",
  remedy: "Move the clock forward, or reset the test shop to return to the present.",
});

export const clockMoving = defineRefusal("clock_moving", "conflict", {
  title: "The shop's clock is being moved.",
  cause:
    "An advance of the test shop's clock, or a timer, is still at work after 10 seconds. Nothing was changed.",
  remedy: "Repeat the request after `Retry-After` seconds.",
  example: { headers: { "Retry-After": "1" } },
});

/** Refuses an instant in the past with `clock_backwards`, one too far ahead with `validation_failed`. */
export function requireLater(
  instant: number,
  { now, pointer }: { readonly now: number; readonly pointer: string },
): void {
  if (instant < now) throw clockBackwards();
  if (instant <= INSTANT_MAX) return;
  const detail = "The shop's clock cannot be moved past the year 9000.";
  throw validationFailed({ faults: [{ pointer, code: "too_large", detail }] });
}

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
