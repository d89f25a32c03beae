// When regular work comes, as an operator writes it: a pattern of cron, in UTC.

import { Cron } from "croner";

const FIELDS = 5;

/** The pattern itself. Throws a RangeError that continues "DUKA_X: …" where it names no time. */
export function readPattern(text: string): string {
  if (text.split(/\s+/).length !== FIELDS) throw new RangeError(`"${text}" is not five fields`);
  let next: Date | null;
  try {
    next = new Cron(text, { timezone: "UTC", paused: true }).nextRun();
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace("CronPattern: ", "") : "";
    throw new RangeError(`"${text}" cannot be understood: ${reason}`, { cause: error });
  }
  if (next === null) throw new RangeError(`"${text}" never comes`);
  return text;
}
