// Runs jobs by cron pattern. A job that must not be lost or run twice claims its work in the
// database.

import { Cron } from "croner";

import { type Leader, soleLeader } from "./leader-election.ts";

/** A scheduled job. */
export interface Job {
  readonly name: string;
  /** In UTC: minute hour day month weekday. */
  readonly pattern: string;
  run(): Promise<void>;
}

interface SchedulerOptions {
  readonly jobs: readonly Job[];
  readonly onFault: (name: string, error: unknown) => void;
  /** Only the leader runs jobs; by default this program is the leader. */
  readonly leader?: Leader;
}

/**
 * Runs the jobs until disposed, while this program leads. A job that is still running is not
 * started again; failures are reported to `onFault`.
 */
export function startScheduler({
  jobs,
  onFault,
  leader = soleLeader,
}: SchedulerOptions): Disposable {
  const crons = jobs.map(
    (job) =>
      new Cron(
        job.pattern,
        {
          // As UTC, without a table of time zones that takes a millisecond to ask.
          utcOffset: 0,
          protect: true,
          unref: true,
          catch: (error: unknown) => onFault(job.name, error),
        },
        async () => {
          if (leader.isLeader()) await job.run();
        },
      ),
  );
  return {
    [Symbol.dispose]: () => {
      for (const cron of crons) cron.stop();
    },
  };
}

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
