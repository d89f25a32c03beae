// What goes on in the shops without being asked: timers, deliveries, figures and regular work. Where
// several programs share the shops, one of them does it for each mode, and another when that one is gone.

import { Projector } from "#analytics/projection/projector.ts";
import { realClock } from "#kernel/time.ts";
import { pruneDeliveriesJob, webhookTimers } from "#messaging/webhooks/endpoints/jobs.ts";
import { Courier } from "#messaging/webhooks/worker/courier.ts";
import { skewWarning } from "#messaging/webhooks/worker/skew-warning.ts";
import { paymentTimers, pruneNoticesJob } from "#payments/payments/jobs.ts";
import { backupJob } from "#platform/backup/job.ts";
import type { Config } from "#platform/config/config.ts";
import type { Mode, Store } from "#platform/database/store.ts";
import { pruneAnswersJob } from "#platform/http/idempotency/prune-answers.ts";
import type { Log } from "#platform/log/log.ts";
import { ClockFollower } from "#platform/scheduler/clock-follower.ts";
import { alone, Leadership, pausedWhile, type Watch } from "#platform/scheduler/leadership.ts";
import { type Job, startScheduler } from "#platform/scheduler/scheduler.ts";
import { TimerRunner, type TimerWork } from "#platform/scheduler/timers.ts";
import { cartTimers } from "#sales/carts/jobs.ts";
import { orderTimers } from "#sales/orders/jobs.ts";
import { simulatedPush } from "#sandbox/simulated-gateway/simulated.ts";

import { modes, type OpenedShops, type Shops } from "./open-shops.ts";

/** What may happen later in the shop. */
const timers: readonly TimerWork[] = [
  ...cartTimers,
  ...orderTimers,
  ...paymentTimers,
  ...webhookTimers,
  simulatedPush,
];

export interface BackgroundTerms {
  readonly config: Config;
  readonly log: Log;
  /** What may happen later, beside what the shop itself has. */
  readonly timers: readonly TimerWork[];
}

type Working = { start(): void; stop(withinMs: number): Promise<void> };

export interface Background {
  readonly runners: Readonly<Record<Mode, TimerRunner>>;
  readonly couriers: Readonly<Record<Mode, Courier>>;
  /** From now on it goes on, wherever it is ours. */
  start(): void;
  /** Ends what is under way, within milliseconds, and leaves the rest to whoever comes next. */
  stop(withinMs: number): Promise<void>;
}

/** The background of both shops, which does nothing before it is started. */
export function openBackground(opened: OpenedShops, terms: BackgroundTerms): Background {
  const { config, log } = terms;
  const watches = { test: watchOf(opened.test.store, log), live: watchOf(opened.live.store, log) };
  const follower = followerOf(opened, log, () => wakeTest());
  // Whoever moves the clock lets everything happen that is due on the way.
  const timerWatches = {
    live: watches.live,
    test: follower === null ? watches.test : pausedWhile(watches.test, () => follower.isMoving),
  };
  const runners = timerRunners(opened, timerWatches, terms);
  const couriers = couriersOf(opened, watches, log);
  const wakeTest = () => {
    runners.test.wake();
    couriers.test.wake();
  };
  const onFault = (error: unknown) => log.error("Counting events failed.", { error });
  const working: Working[] = modes.flatMap((mode) => [
    runners[mode],
    couriers[mode],
    new Projector({ shop: opened[mode], watch: watches[mode], onFault }),
  ]);
  const leaderships = Object.values(watches).filter((watch) => watch instanceof Leadership);
  let schedule: Disposable | null = null;
  return {
    runners,
    couriers,
    start() {
      schedule = startScheduler({
        jobs: regularWork(config, opened, log),
        watch: watches.live,
        onFault: (job, error) => log.error("A job failed.", { job, error }),
      });
      for (const one of working) one.start();
      for (const leadership of leaderships) leadership.start();
      follower?.start();
    },
    async stop(withinMs) {
      schedule?.[Symbol.dispose]();
      await follower?.stop();
      await Promise.all(working.map((one) => one.stop(withinMs)));
      await Promise.all(leaderships.map((leadership) => leadership.stop()));
    },
  };
}

function watchOf(store: Store, log: Log): Watch {
  if (!store.isShared) return alone;
  return new Leadership({
    store,
    onFault: (error) => log.error("Nobody knows whose the background is.", { error }),
  });
}

/** Where several programs share the test shop, each of them may move its clock. */
function followerOf({ test, movableClock: clock }: OpenedShops, log: Log, onMoved: () => void) {
  if (!test.store.isShared) return null;
  return new ClockFollower({
    store: test.store,
    clock,
    onMoved,
    onFault: (error) => log.error("The test shop's clock could not be read.", { error }),
  });
}

function regularWork(config: Config, { test, live }: Shops, log: Log): Job[] {
  const answers = {
    stores: [test.store, live.store],
    clock: realClock,
    keptMs: config.http.idempotencyMs,
  };
  const { schedule, ...kept } = config.backup;
  const plan = { ...kept, dataDirectory: config.dataDirectory, log };
  const backups = schedule === null ? [] : [backupJob({ ...plan, schedule })];
  const shops = [test, live];
  return [pruneAnswersJob(answers), pruneDeliveriesJob(shops), pruneNoticesJob(shops), ...backups];
}

function timerRunners(
  { test, live }: Shops,
  watches: Readonly<Record<Mode, Watch>>,
  { log, timers: others }: BackgroundTerms,
): Readonly<Record<Mode, TimerRunner>> {
  const onFault = (timer: string, error: unknown) => log.error("A timer failed.", { timer, error });
  const all = [...timers, ...others];
  return {
    test: new TimerRunner({ shop: test, timers: all, watch: watches.test, onFault }),
    live: new TimerRunner({ shop: live, timers: all, watch: watches.live, onFault }),
  };
}

function couriersOf(
  { test, live, movableClock }: OpenedShops,
  watches: Readonly<Record<Mode, Watch>>,
  log: Log,
): Readonly<Record<Mode, Courier>> {
  const onFault = (error: unknown) => log.error("Delivering webhooks failed.", { error });
  const both = { onFault, onSkew: skewWarning(log) };
  const offsetMs = () => movableClock.offsetMs;
  return {
    test: new Courier({ ...both, shop: test, watch: watches.test, offsetMs }),
    live: new Courier({ ...both, shop: live, watch: watches.live, offsetMs: () => 0 }),
  };
}
