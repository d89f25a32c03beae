// The worker: creates deliveries from the log, claims due ones, calls receivers and saves outcomes.
// Invariant: its whole state is in the database, so after a crash the next start continues.

import { randomShare } from "#kernel/random.ts";
import { monotonicMs, nextTurn } from "#kernel/time.ts";
import { cancelPending } from "#messaging/webhooks/deliveries/cancel-pending.ts";
import { claimDue, type Demand } from "#messaging/webhooks/deliveries/claims.ts";
import type { Delivery, EndedClaim } from "#messaging/webhooks/deliveries/delivery.ts";
import { listReplays } from "#messaging/webhooks/deliveries/replay-queries.ts";
import { continueReplay } from "#messaging/webhooks/deliveries/replays.ts";
import { findAllHealth, listAllEndpoints } from "#messaging/webhooks/endpoints/queries.ts";
import { lastSequence } from "#platform/event-log/event-log.ts";
import { type Leader, soleLeader } from "#platform/scheduler/leader-election.ts";
import { throttled } from "#platform/scheduler/poll-loop.ts";
import type { Fired } from "#platform/scheduler/timer-work.ts";

import { type EndpointQueue, EndpointQueues, type Moment } from "./endpoint-queues.ts";
import { fanOut } from "./fan-out.ts";
import { LeaseToken } from "./lease-token.ts";
import {
  deliveredElsewhere,
  findWorkLeft,
  listPendingEndpoints,
  type PendingEndpoint,
} from "./lookups.ts";
import type { CourierTerms, MessagingShop } from "./messaging-shop.ts";
import { OutcomeWriter } from "./outcome-writer.ts";
import { recordOutcomes } from "./outcomes.ts";
import { sendClaimed } from "./send-claimed.ts";

/** A condition that one caller waits for and others signal. */
class Wakeup {
  #count = 0;
  #onSignal: () => void = () => {};

  /** The number of signals so far. */
  get count(): number {
    return this.#count;
  }

  /** Wakes the waiting caller. */
  signal(): void {
    this.#count += 1;
    this.#onSignal();
  }

  /** Resolves at the next signal or after the timeout, milliseconds. */
  next(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const alarm = setTimeout(resolve, withinMs);
      this.#onSignal = () => {
        clearTimeout(alarm);
        resolve();
      };
    });
  }
}

/** The longest sleep, milliseconds: the shop's clock may move without an event. */
const SLEEP_MS_MAX = 60_000;
/** The pause after a failure, milliseconds. */
const RETRY_MS = 1_000;

export class Courier {
  readonly name = "webhooks";
  readonly #terms: CourierTerms;
  readonly #shop: MessagingShop;
  readonly #outcomes: OutcomeWriter;
  readonly #queues = new EndpointQueues();
  readonly #leader: Leader;
  readonly #lease = new LeaseToken();
  readonly #wakeup = new Wakeup();
  readonly #inFlight = new Set<Promise<void>>();
  readonly #abort = new AbortController();
  /** The attempts since `settle` was called; null if it is not running. */
  #fired: Fired[] | null = null;
  #state: "new" | "running" | "stopped" = "new";
  #unsubscribe: readonly (() => void)[] = [];
  #alarm: NodeJS.Timeout | undefined;
  #polling: Promise<void> | null = null;
  #isWoken = false;
  /** The last sequence that the fan-out has reached. */
  #fannedOut = -1;

  constructor(terms: CourierTerms) {
    this.#terms = terms;
    this.#shop = terms.shop;
    this.#leader = terms.leader ?? soleLeader;
    const { database, clock } = terms.shop;
    const recording = { share: terms.share ?? randomShare, startedAt: clock.now() };
    this.#outcomes = new OutcomeWriter({
      record: async (ended) => {
        await database.write((tx) => recordOutcomes(tx, ended, recording));
        this.#lease.close(ended.map(({ delivery }) => delivery));
      },
      onRecorded: () => this.wake(),
      onFault: terms.onFault,
    });
  }

  /** Starts delivering, whenever this program is the leader. */
  start(): void {
    if (this.#state !== "new") throw new Error("A courier is started once.");
    this.#state = "running";
    this.#unsubscribe = [
      throttled(this.#shop.database, () => this.wake()),
      this.#leader.onGained((isTaken) => {
        if (isTaken) this.#lease.renew();
        this.wake();
      }),
    ];
    this.wake();
    this.#wakeup.signal();
  }

  /** Polls at once for work. */
  wake(): void {
    if (this.#state !== "running") return;
    if (!this.#leader.isLeader()) return this.#release(this.#queues.drain());
    this.#isWoken = true;
    this.#polling ??= this.#poll();
  }

  /** Forgets what it knew of deliveries, because the rows of the shop were replaced. What is in flight ends. */
  forget(): void {
    this.#queues.drain();
    this.#lease.renew();
    this.#fannedOut = -1;
  }

  /** Sends nothing more. Attempts in flight are aborted after `withinMs`. */
  async stop(withinMs: number): Promise<void> {
    this.#state = "stopped";
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    clearTimeout(this.#alarm);
    await this.#polling;
    this.#release(this.#queues.drain());
    const timer = setTimeout(() => this.#abort.abort(), withinMs);
    await Promise.all(this.#inFlight);
    clearTimeout(timer);
    await this.#outcomes.close();
    this.#wakeup.signal();
  }

  /**
   * Resolves when nothing is in flight or due, here or at the program that delivers, or soon after
   * `isOver` became true; before the start it waits for that. Returns the attempts that this program made meanwhile.
   */
  async settle(isOver: () => boolean = () => false): Promise<readonly Fired[]> {
    const fired: Fired[] = [];
    this.#fired = fired;
    while (this.#state !== "stopped" && !isOver()) {
      await nextTurn();
      if (this.#state === "new") {
        await this.#wakeup.next(RETRY_MS);
        continue;
      }
      if (!this.#leader.isLeader()) {
        const isEnough = () => this.#state !== "running" || this.#mayWork() || isOver();
        await deliveredElsewhere(this.#shop, isEnough);
        if (!this.#leader.isLeader()) break;
      }
      this.wake();
      await this.#polling;
      const count = this.#wakeup.count;
      if (await this.#isSettled()) break;
      if (this.#wakeup.count === count) await this.#wakeup.next(RETRY_MS);
    }
    this.#fired = null;
    return fired;
  }

  /** When the next delivery is to be sent, on the shop's clock; null if none is pending, or while it does not run. */
  async nextDueAt(): Promise<number | null> {
    if (this.#state !== "running") return null;
    const next = this.#leader.isLeader()
      ? await this.#nextSendableAt()
      : (await findWorkLeft(this.#shop.database.read, this.#shop.clock.now())).nextAt;
    return Number.isFinite(next) ? next : null;
  }

  async #nextSendableAt(): Promise<number> {
    const moment = this.#moment();
    const { enabled } = await this.#pendingEndpoints();
    return Math.min(...enabled.map((one) => this.#queues.sendableAt(one, moment)));
  }

  async #isSettled(): Promise<boolean> {
    if (this.#isWoken || this.#outcomes.length > 0 || this.#queues.claimed > 0) return false;
    const dueAt = await this.nextDueAt();
    return dueAt === null || dueAt > this.#shop.clock.now();
  }

  /** The pacing clock is monotonic time plus the offset of the shop's clock. */
  #moment(): Moment {
    return { now: this.#shop.clock.now(), paceMs: monotonicMs() + this.#terms.offsetMs() };
  }

  #mayWork(): boolean {
    return this.#state === "running" && this.#leader.isLeader();
  }

  async #poll(): Promise<void> {
    let sleepMs = RETRY_MS;
    try {
      while (this.#isWoken && this.#mayWork()) {
        await nextTurn();
        this.#isWoken = false;
        await this.#makeDeliveries();
        const left = await this.#claimDue();
        this.#sendClaimed();
        sleepMs = this.#nextPollMs(left);
      }
    } catch (error) {
      this.#terms.onFault(error);
      // No immediate retry: the poll after the pause sees all work.
      this.#isWoken = false;
    }
    this.#polling = null;
    this.#wakeup.signal();
    if (this.#isWoken) this.wake();
    else this.#sleep(sleepMs);
  }

  /** The end of an attempt polls too, so due deliveries beyond the capacity need no timer. */
  #nextPollMs(pending: readonly PendingEndpoint[]): number {
    const moment = this.#moment();
    const next = Math.min(...pending.map((one) => this.#queues.claimableAt(one, moment)));
    return next - moment.now;
  }

  #sleep(milliseconds: number): void {
    clearTimeout(this.#alarm);
    if (this.#state !== "running") return;
    const sleepMs = Math.min(Math.max(milliseconds, 1), SLEEP_MS_MAX);
    this.#alarm = setTimeout(() => this.wake(), sleepMs);
    this.#alarm.unref();
  }

  async #makeDeliveries(): Promise<void> {
    const { database } = this.#shop;
    await this.#lease.recover(database);
    // The first endpoint starts after the newest event, and the replay of the last one ended with it.
    if ((await listAllEndpoints(database.read)).length === 0) return;
    const last = await lastSequence(database.read);
    if (last !== this.#fannedOut) {
      if (await database.write((tx) => fanOut(tx))) this.#isWoken = true;
      else this.#fannedOut = last;
    }
    for (const { endpointId } of await listReplays(database.read)) {
      if (await database.write((tx) => continueReplay(tx, endpointId))) this.#isWoken = true;
    }
  }

  /** The endpoints with pending deliveries. Every enabled endpoint has a queue afterwards. */
  async #pendingEndpoints(): ReturnType<typeof listPendingEndpoints> {
    const { read } = this.#shop.database;
    const all = await listAllEndpoints(read);
    const enabled = all.filter(({ status }) => status === "enabled");
    await this.#queues.open(enabled, () => findAllHealth(read));
    return listPendingEndpoints(read, all);
  }

  /** Claims what fits the queues; polls again if it claimed. Returns the enabled endpoints. */
  async #claimDue(): Promise<readonly PendingEndpoint[]> {
    const { database } = this.#shop;
    const { enabled, disabled } = await this.#pendingEndpoints();
    // Deliveries that disabling left over or that became pending after it.
    for (const { endpoint } of disabled) {
      if (await database.write((tx) => cancelPending(tx, endpoint.id))) this.#isWoken = true;
    }
    const demands = this.#queues.demands(enabled, this.#moment(), this.#outcomes.length);
    if (demands.length === 0) return enabled;
    const claimed = await this.#claim(demands);
    // Attempts that ended during the commit may have reduced the capacity.
    const { paceMs } = this.#moment();
    this.#release(
      claimed.filter((one) => this.#queues.get(one.endpointId)?.add(one, paceMs) !== true),
    );
    if (claimed.length > 0) this.#isWoken = true;
    return enabled;
  }

  async #claim(demands: readonly Demand[]): Promise<Delivery[]> {
    const claim = this.#lease.current;
    try {
      const claimed = await this.#shop.database.write(async (tx) =>
        (await this.#leader.lock(tx)) ? claimDue(tx, claim, demands) : [],
      );
      this.#lease.open(claimed);
      return claimed;
    } catch (error) {
      // The commit may have succeeded; a new token makes its claims recoverable.
      this.#lease.renew();
      throw error;
    }
  }

  /** Sends from all queues in turn until the capacity is used. */
  #sendClaimed(): void {
    if (!this.#leader.isLeader()) this.#release(this.#queues.drain());
    while (this.#mayWork()) {
      const next = this.#queues.next(this.#moment().paceMs);
      if (next === null) return;
      const sending: Promise<void> = this.#send(next.queue, next.delivery).finally(() => {
        this.#inFlight.delete(sending);
        this.#sendClaimed();
      });
      this.#inFlight.add(sending);
    }
  }

  async #send(queue: EndpointQueue, delivery: Delivery): Promise<void> {
    const ended = await this.#attempt(delivery);
    const outcome = typeof ended === "string" ? null : ended.outcome;
    this.#release(queue.finish(outcome, this.#moment().paceMs));
    // The outcome of an aborted attempt is unknown: the claim stays, and the next start recovers it.
    if (this.#abort.signal.aborted && outcome?.failure === "timeout") return;
    this.#outcomes.add({ delivery, ended });
    if (typeof ended === "string") return;
    this.#fired?.push({ at: ended.startedAt, name: "webhooks.attempt", subject: delivery.id });
    if (ended.outcome.skewMs !== null) this.#terms.onSkew?.(ended.outcome.skewMs);
  }

  async #attempt(delivery: Delivery): Promise<EndedClaim["ended"]> {
    try {
      return await sendClaimed(this.#shop, delivery, this.#abort.signal);
    } catch (error) {
      this.#terms.onFault(error);
      return "unknown";
    }
  }

  #release(claimed: readonly Delivery[]): void {
    this.#outcomes.add(...claimed.map((delivery) => ({ delivery, ended: "released" as const })));
  }
}
