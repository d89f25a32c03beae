// Moments of the seeded weeks, relative to the instant of the seed. Invariant: the same moments come in
// the same order at every hour of the day, so that every seeded shop has the same orders.

import { DAY_MS, HOUR_MS, MINUTE_MS } from "#kernel/time.ts";
import { type Announcement, run, type Tx } from "#platform/database/database.ts";

/** The last day of the seeded weeks is at least this long. */
const LAST_DAY_MS_MIN = 6 * HOUR_MS;

/** The last day: it began at midnight UTC and ends now. Epoch milliseconds. */
export interface LastDay {
  readonly midnight: number;
  readonly now: number;
}

/** An instant in epoch milliseconds, once the last day is known. */
export type Moment = (day: LastDay) => number;

/** The last day of the weeks that end now: today, or yesterday in the first hours of a day. */
export function lastDayAt(now: number): LastDay {
  return { midnight: Math.floor((now - LAST_DAY_MS_MIN) / DAY_MS) * DAY_MS, now };
}

/** A time of day in UTC, such as 09:30, so many days before the last one. */
export function before(days: number, time: string): Moment {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return ({ midnight }) => midnight - days * DAY_MS + hours * HOUR_MS + minutes * MINUTE_MS;
}

/** A share of the last day, from 0 to 0.9. */
export function share(part: number): Moment {
  return ({ midnight, now }) => Math.floor(midnight + part * (now - midnight));
}

/** So many minutes ago, at most 30, which is after every share of the last day. */
export function minutesAgo(minutes: number): Moment {
  return ({ now }) => now - minutes * MINUTE_MS;
}

/** The same transaction at an earlier instant: rows, ids and events carry that time. */
export function atInstant(tx: Tx, now: number): Tx {
  return {
    now,
    actor: tx.actor,
    vault: tx.vault,
    [run]: (statement, values) => tx[run](statement, values),
    wake: () => tx.wake(),
    alone: () => tx.alone(),
    scrub: () => tx.scrub(),
    emit: (announcement: Announcement) => tx.emit({ ...announcement, at: now }),
  };
}
