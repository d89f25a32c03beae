// Days in the filters of a list, made the instants at which they begin or end in the time zone of the
// store. Handlers see instants only; cursors are bound to the filters as they were given.

import { dayStartMs, toIso } from "#kernel/time.ts";

const BOUND = /\[(gte|gt|lte|lt)\]$/;
const DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

/** The bounds that lie behind the day: with them, all of the day is in or out. */
const atItsEnd: ReadonlySet<string | undefined> = new Set(["gt", "lte"]);

/**
 * The query with an instant for each bound that is a day: its first instant for `gte` and `lt`, its
 * last millisecond for `gt` and `lte`. The time zone is asked for only if there is one.
 */
export async function readDays(
  query: Readonly<Record<string, unknown>>,
  timezoneOf: () => Promise<string>,
): Promise<Readonly<Record<string, unknown>>> {
  const days = Object.entries(query).flatMap(([name, day]) => {
    const bound = BOUND.exec(name)?.[1];
    const isDay = bound !== undefined && typeof day === "string" && DAY.test(day);
    return isDay ? [{ name, day, isEnd: atItsEnd.has(bound) }] : [];
  });
  if (days.length === 0) return query;
  const timezone = await timezoneOf();
  const instants = days.map(({ name, day, isEnd }) => {
    const atMs = isEnd ? dayStartMs(day, timezone, 1) - 1 : dayStartMs(day, timezone);
    return [name, toIso(atMs)] as const;
  });
  return { ...query, ...Object.fromEntries(instants) };
}
