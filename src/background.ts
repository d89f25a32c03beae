// Background work of both shops: timers, webhook deliveries, analytics and scheduled jobs. If
// several programs share a database, the leader of each mode does its work; another program takes
// over when the leader is gone.

import { PUSH_TIMER, SEND_TIMER } from "#alerts/alert.ts";
import type { SendingTerms } from "#alerts/alerts-shop.ts";
import { alertPace, AuditFollower } from "#alerts/follow-audit.ts";
import { followNews } from "#alerts/follow-news.ts";
import { sendDueAlert } from "#alerts/send-alert.ts";
import { openSummaries, SUMMARY_TIMER } from "#alerts/summary.ts";
import { projectEvents, projectionPace } from "#analytics/projection/project-events.ts";
import { booksPace, projectBookings } from "#books/project-bookings.ts";
import {
  foldNamesJob,
  indexProductsJob,
  repairMediaJob,
  sweepFilesJob,
} from "#catalog/routes/jobs.ts";
import { pruneSessionsJob } from "#customers/sessions/jobs.ts";
import { emailPace, followLog } from "#emails/sending/decide-emails.ts";
import { emailTimers } from "#emails/sending/jobs.ts";
import { pruneImportsJob } from "#imports/kept/jobs.ts";
import { realClock } from "#kernel/time.ts";
import { pruneDeliveriesJob, webhookTimers } from "#messaging/webhooks/endpoints/jobs.ts";
import { Courier } from "#messaging/webhooks/worker/courier.ts";
import { skewWarning } from "#messaging/webhooks/worker/skew-warning.ts";
import { findUnnoticedJob, paymentTimers, pruneNoticesJob } from "#payments/routes/jobs.ts";
import { backupJobs } from "#platform/backup/job.ts";
import type { Config } from "#platform/config/config.ts";
import { givenPlaces } from "#platform/config/read-media.ts";
import type { Database } from "#platform/database/database.ts";
import type { SchemaMismatch } from "#platform/database/migrations.ts";
import type { Mode } from "#platform/database/shop.ts";
import { pruneAnswersJob } from "#platform/http/calls/prune-answers.ts";
import type { Log } from "#platform/log/log.ts";
import {
  type Leader,
  LeaderElection,
  pausedWhile,
  soleLeader,
} from "#platform/scheduler/leader-election.ts";
import { PacedWork } from "#platform/scheduler/paced-work.ts";
import { type Job, startScheduler } from "#platform/scheduler/scheduler.ts";
import { ClockFollower } from "#platform/scheduler/shop-clock.ts";
import type { TimerWork, TimerWorkflow } from "#platform/scheduler/timer-work.ts";
import { TimerRunner } from "#platform/scheduler/timers.ts";
import { erasureTimers } from "#privacy/erase-customer.ts";
import { fillShownJob, pruneCartsJob, recoveryTimers } from "#sales/routes/jobs.ts";
import { lineIndexPace, LineIndexWriter } from "#sales/rows/line-index.ts";
import { followEmails } from "#sandbox/clock/email-follower.ts";
import { simulatedPush } from "#sandbox/simulated-gateway/simulated.ts";
import { withSandbox } from "#sandbox/with-sandbox.ts";
import { dropNetworksJob } from "#shop/audit/jobs.ts";
import { dropMarksJob } from "#shop/marks/jobs.ts";

import { alsoForget } from "./also-forget.ts";
import { followGateways } from "./open-gateways.ts";
import type { OpenedShops, OpenShop, Shops } from "./open-shops.ts";
import { rebuildSearchJob } from "./rebuild-search.ts";

/** The kinds of timers that the shop sets. */
const timers: readonly TimerWork<OpenShop>[] = [
  ...recoveryTimers,
  ...paymentTimers,
  ...emailTimers,
  ...webhookTimers,
  ...erasureTimers(alsoForget),
  simulatedPush,
];

export interface BackgroundTerms {
  readonly config: Config;
  readonly log: Log;
  /** Kinds of timers besides the shop's own. */
  readonly timers: readonly TimerWork<OpenShop>[];
  /** Jobs besides the shop's own. */
  readonly jobs: readonly Job[];
  /** Called when a newer program has changed the shared database so that this one cannot go on. */
  readonly onReplaced: (reason: SchemaMismatch) => void;
  /** The dashboard's own address, once the server listens. */
  readonly dashboardUrl: () => string;
  /** Called with how far the clock of a receiver of live webhooks is from this machine's, milliseconds. */
  readonly onSkew: (skewMs: number) => void;
}

type Working = { start(): void; stop(withinMs: number): Promise<void> };

export interface Background {
  /** Both shops; the clock of the test shop can be moved, which fires the timers due on the way. */
  readonly shops: Shops;
  readonly runners: Readonly<Record<Mode, TimerRunner<OpenShop>>>;
  readonly couriers: Readonly<Record<Mode, Courier>>;
  /** Starts the work of every mode that this program leads, now or later. */
  start(): void;
  /**
   * Ends running work within this many milliseconds; unfinished work is done after the next start.
   */
  stop(withinMs: number): Promise<void>;
}

/** Prepares the background of both shops; nothing runs before `start`. */
export function openBackground(opened: OpenedShops, terms: BackgroundTerms): Background {
  const { config, log } = terms;
  const leaders = {
    test: leaderOf(opened.test.database, terms),
    live: leaderOf(opened.live.database, terms),
  };
  const follower = config.modes.includes("test") ? followerOf(opened, log, () => wakeTest()) : null;
  // While the clock is moved, the mover itself fires the timers on the way.
  const timerLeaders = {
    live: leaders.live,
    test: follower === null ? leaders.test : pausedWhile(leaders.test, () => follower.isMoving),
  };
  const runners = timerRunners(opened, timerLeaders, terms);
  const couriers = couriersOf(opened, leaders, terms);
  const wakeTest = () => {
    runners.test.wake();
    couriers.test.wake();
  };
  const working: Working[] = config.modes.flatMap((mode): Working[] => [
    ...followGateways(opened, mode, log),
    runners[mode],
    couriers[mode],
    ...readersOf(opened[mode], leaders[mode], { log, people: opened.live.database }),
  ]);
  const elections = config.modes
    .map((mode) => leaders[mode])
    .filter((leader) => leader instanceof LeaderElection);
  let schedule: Disposable | null = null;
  return {
    shops: { test: movable(opened, { runners, couriers, log }), live: opened.live },
    runners,
    couriers,
    start() {
      schedule = startScheduler({
        jobs: [...regularWork(config, opened, log), ...terms.jobs],
        leader: leaders.live,
        onFault: (job, error) => log.error("A job failed.", { job, error }),
      });
      for (const one of working) one.start();
      for (const election of elections) election.start();
      follower?.start();
    },
    async stop(withinMs) {
      schedule?.[Symbol.dispose]();
      await follower?.stop();
      await Promise.all(working.map((one) => one.stop(withinMs)));
      await Promise.all(elections.map((election) => election.stop()));
    },
  };
}

function movable(
  { test, movableClock: clock }: OpenedShops,
  { runners, couriers, log }: Pick<Background, "runners" | "couriers"> & { readonly log: Log },
): OpenShop {
  const followers = [couriers.test, followEmails(test)];
  return withSandbox(test, { clock, runner: runners.test, followers, log });
}

function leaderOf(
  database: Database,
  { log, onReplaced }: Pick<BackgroundTerms, "log" | "onReplaced">,
): Leader {
  if (!database.isShared) return soleLeader;
  return new LeaderElection({
    database,
    onReplaced,
    onFault: (error) => log.error("The leader election cannot reach the database.", { error }),
  });
}

/** Only a shared test shop needs a follower: another program may move its clock. */
function followerOf({ test, movableClock: clock }: OpenedShops, log: Log, onMoved: () => void) {
  if (!test.database.isShared) return null;
  return new ClockFollower({
    database: test.database,
    clock,
    onMoved,
    onFault: (error) => log.error("The test shop's clock could not be read.", { error }),
  });
}

function regularWork(config: Config, { test, live }: Shops, log: Log): Job[] {
  const databases = [test.database, live.database];
  const answers = {
    databases,
    clock: realClock,
    keptMs: config.http.idempotencyMs,
  };
  const { dataDirectory, secretKey, backup } = config;
  const areCopied = backup.copies !== null;
  const plan = { ...backup, areCopied, dataDirectory, secretKey, places: givenPlaces(config), log };
  const shops = [test, live];
  const pruning = [
    pruneDeliveriesJob(shops),
    pruneNoticesJob(shops),
    findUnnoticedJob(shops),
    pruneCartsJob(shops),
    fillShownJob(shops),
    pruneSessionsJob(shops),
    pruneImportsJob(shops),
    foldNamesJob(shops),
    indexProductsJob(shops),
    rebuildSearchJob(shops, log),
    repairMediaJob(shops),
    sweepFilesJob(shops),
    dropNetworksJob(databases, realClock),
    dropMarksJob(shops),
  ];
  return [pruneAnswersJob(answers), ...pruning, ...backupJobs(plan)];
}

function timerRunners(
  { test, live }: Shops,
  leaders: Readonly<Record<Mode, Leader>>,
  { log, timers: others, dashboardUrl }: BackgroundTerms,
): Readonly<Record<Mode, TimerRunner<OpenShop>>> {
  const onFault = (timer: string, error: unknown) => log.error("A timer failed.", { timer, error });
  const all = [...timers, ...alertTimers({ people: live.database, dashboardUrl }), ...others];
  return {
    test: new TimerRunner({ shop: test, timers: all, leader: leaders.test, onFault }),
    live: new TimerRunner({ shop: live, timers: all, leader: leaders.live, onFault }),
  };
}

/** Alerts that are sent at once to browsers: a push service that hangs holds up few others. */
const PUSH_WIDTH = 8;

/** Sends alerts beside the other work, as emails are sent, and opens the day's summary. */
function alertTimers(terms: SendingTerms): TimerWorkflow<OpenShop>[] {
  const sending = (name: string, width: number): TimerWorkflow<OpenShop> => ({
    name,
    queueOf: (_shop, about) => Promise.resolve({ name, width, about }),
    runWith: (shop, subject) => sendDueAlert(shop, terms, subject),
  });
  return [
    sending(SEND_TIMER, 1),
    sending(PUSH_TIMER, PUSH_WIDTH),
    { name: SUMMARY_TIMER, runWith: (shop) => openSummaries(shop, terms.people) },
  ];
}

/** The readers that follow the log a little at a time; nothing that they write is waited for. */
function readersOf(
  shop: OpenShop,
  leader: Leader,
  { log, people }: { readonly log: Log; readonly people: Database },
): PacedWork[] {
  const { database } = shop;
  const lineIndex = new LineIndexWriter(database);
  return [
    new PacedWork({
      database,
      leader,
      pace: projectionPace,
      step: () => database.write(projectEvents),
      onFault: (error) => log.error("The analytics projection failed.", { error }),
    }),
    new PacedWork({
      database,
      leader,
      pace: booksPace,
      step: () => database.write(projectBookings),
      onFault: (error) => log.error("The books could not be written.", { error }),
    }),
    new PacedWork({
      database,
      leader,
      pace: lineIndexPace,
      step: () => lineIndex.step(),
      onFault: (error) => log.error("The products of orders could not be listed.", { error }),
    }),
    alertsOf(shop, leader, { log, people }),
    newsOf(shop, leader, { log, people }),
    ...(shop.mail === null ? [] : [emailsOf(shop, leader, log)]),
  ];
}

function newsOf(
  shop: OpenShop,
  leader: Leader,
  { log, people }: { readonly log: Log; readonly people: Database },
): PacedWork {
  return new PacedWork({
    database: shop.database,
    leader,
    pace: alertPace,
    step: () => followNews(shop, people),
    onFault: (error) => log.error("The alerts of events could not be made.", { error }),
  });
}

function alertsOf(
  { database, mail }: OpenShop,
  leader: Leader,
  { log, people }: { readonly log: Log; readonly people: Database },
): PacedWork {
  const follower = new AuditFollower({ database, people, canSend: mail !== null });
  return new PacedWork({
    database,
    leader,
    pace: alertPace,
    step: () => follower.step(),
    onFault: (error) => log.error("The alerts of acts could not be made.", { error }),
  });
}

function emailsOf(shop: OpenShop, leader: Leader, log: Log): PacedWork {
  return new PacedWork({
    database: shop.database,
    leader,
    pace: emailPace,
    step: () => followLog(shop),
    onFault: (error) => log.error("The emails of events could not be made.", { error }),
  });
}

function couriersOf(
  { test, live, movableClock }: OpenedShops,
  leaders: Readonly<Record<Mode, Leader>>,
  { log, onSkew }: BackgroundTerms,
): Readonly<Record<Mode, Courier>> {
  const onFault = (error: unknown) => log.error("A pass of the webhook courier failed.", { error });
  const warn = skewWarning(log);
  const tell = (skewMs: number) => {
    warn(skewMs);
    onSkew(skewMs);
  };
  const offsetMs = () => movableClock.offsetMs;
  return {
    test: new Courier({ onFault, onSkew: warn, shop: test, leader: leaders.test, offsetMs }),
    live: new Courier({
      onFault,
      onSkew: tell,
      shop: live,
      leader: leaders.live,
      offsetMs: () => 0,
    }),
  };
}
