// Validates the cron patterns of scheduled jobs, in UTC.

import { Cron } from "croner";

const FIELDS = 5;

/**
 * Returns the pattern. Throws a RangeError, written to follow "DUKA_X: ", if it matches no time.
 */
export function readPattern(text: string): string {
  const { length } = text.split(/\s+/);
  if (length !== FIELDS) throw new RangeError(`"${text}" has ${length} fields, not five`);
  let next: Date | null;
  try {
    next = new Cron(text, { timezone: "UTC", paused: true }).nextRun();
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace("CronPattern: ", "") : "";
    throw new RangeError(`"${text}" is not a cron pattern: ${reason}`, { cause: error });
  }
  if (next === null) throw new RangeError(`"${text}" never matches`);
  return text;
}
