// Schedules as data: a name, a pattern and what to run. croner only wakes; whatever must not be
// lost or done twice is claimed in the store by the job itself.

import { Cron } from "croner";

import { alone, type Leader } from "./leader-election.ts";

/** One piece of regular work. */
export interface Job {
  readonly name: string;
  /** When, in UTC: minute hour day month weekday. */
  readonly pattern: string;
  run(): Promise<void>;
}

export interface SchedulerOptions {
  readonly jobs: readonly Job[];
  readonly onFault: (name: string, error: unknown) => void;
  /** Whose it is to do it; ours where nothing is said. */
  readonly leader?: Leader;
}

/**
 * Runs the jobs until disposed, wherever it is ours to do so; a run that is late is never doubled, one
 * that fails is told.
 */
export function startScheduler({ jobs, onFault, leader = alone }: SchedulerOptions): Disposable {
  const crons = jobs.map(
    (job) =>
      new Cron(
        job.pattern,
        {
          timezone: "UTC",
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
