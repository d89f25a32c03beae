// Sends what is to be delivered: reads the log into deliveries, claims what is due, calls receivers
// and writes down what came of it. Invariant: nothing of it lives in memory alone; whatever is lost
// with the program is found in the store by the next one.

import { randomShare } from "#kernel/random.ts";
import { monotonicMs } from "#kernel/time.ts";
import { cancelPending } from "#messaging/webhooks/deliveries/cancel-pending.ts";
import { claimDue, type Demand } from "#messaging/webhooks/deliveries/claims.ts";
import type { Delivery, EndedClaim } from "#messaging/webhooks/deliveries/delivery.ts";
import { listReplays } from "#messaging/webhooks/deliveries/replay-queries.ts";
import { goOnWithReplay } from "#messaging/webhooks/deliveries/replays.ts";
import { findAllHealth, listAllEndpoints } from "#messaging/webhooks/endpoints/queries.ts";
import { lastSequence } from "#platform/event-log/event-log.ts";
import { alone, type Leader } from "#platform/scheduler/leader-election.ts";
import { throttled } from "#platform/scheduler/throttled.ts";
import type { Fired } from "#platform/scheduler/timers.ts";

import { deliveredElsewhere } from "./delivered-elsewhere.ts";
import { type EndpointQueue, EndpointQueues, type Moment } from "./endpoint-queues.ts";
import { fanOut } from "./fan-out.ts";
import { LeaseToken } from "./lease-token.ts";
import { findWorkLeft, listWaiting, type Waiting } from "./lookups.ts";
import type { MessagingShop } from "./messaging-shop.ts";
import { OutcomeWriter } from "./outcome-writer.ts";
import { recordOutcomes } from "./outcomes.ts";
import { sendClaimed } from "./send-claimed.ts";
import { Wakeup } from "./wakeup.ts";

/** Milliseconds: the longest sleep, by when what another clock made due is seen; after a failure. */
const SLEEP_MS_MAX = 60_000;
const RETRY_MS = 1_000;
export interface CourierTerms {
  readonly shop: MessagingShop;
  /** How far the shop's clock was moved, milliseconds: pauses end with it. */
  readonly offsetMs: () => number;
  readonly onFault: (error: unknown) => void;
  /** Told how far a receiver's clock is from ours, milliseconds, by each answer that says it. */
  readonly onSkew?: (skewMs: number) => void;
  /** From 0 to 1: how the waits are spread. */
  readonly share?: () => number;
  /** Whose it is to deliver; ours where nothing is said. */
  readonly leader?: Leader;
}

export class Courier {
  readonly #terms: CourierTerms;
  readonly #shop: MessagingShop;
  readonly #journal: OutcomeWriter;
  readonly #lanes = new EndpointQueues();
  readonly #leader: Leader;
  readonly #claims = new LeaseToken();
  readonly #changes = new Wakeup();
  readonly #inFlight = new Set<Promise<void>>();
  readonly #cut = new AbortController();
  /** What is attempted while somebody waits for it. */
  #fired: Fired[] | null = null;
  #state: "new" | "running" | "stopped" = "new";
  #unsubscribe: readonly (() => void)[] = [];
  #alarm: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;
  #isCalled = false;
  #fannedOut = -1;

  constructor(terms: CourierTerms) {
    this.#terms = terms;
    this.#shop = terms.shop;
    this.#leader = terms.leader ?? alone;
    const { database } = terms.shop;
    const share = terms.share ?? randomShare;
    this.#journal = new OutcomeWriter({
      record: async (ended) => {
        await database.write((tx) => recordOutcomes(tx, ended, share));
        this.#claims.closed(ended.map(({ delivery }) => delivery));
      },
      onRecorded: () => this.wake(),
      onFault: terms.onFault,
    });
  }

  /** From now on what happens is delivered, wherever it is ours to deliver. */
  start(): void {
    if (this.#state !== "new") throw new Error("A courier is started once.");
    this.#state = "running";
    this.#unsubscribe = [
      throttled(this.#shop.database, () => this.wake()),
      this.#leader.onGained((isAnew) => {
        if (isAnew) this.#claims.begin();
        this.wake();
      }),
    ];
    this.wake();
  }

  /** Looks at once whether there is something to do. */
  wake(): void {
    if (this.#state !== "running") return;
    if (!this.#leader.isLeader()) return this.#release(this.#lanes.drain());
    this.#isCalled = true;
    this.#looking ??= this.#look();
  }

  /** Nothing more is sent; what is under way has this long to end, milliseconds, then is cut. */
  async stop(withinMs: number): Promise<void> {
    this.#state = "stopped";
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    clearTimeout(this.#alarm);
    await this.#looking;
    this.#release(this.#lanes.drain());
    const cut = setTimeout(() => this.#cut.abort(), withinMs);
    await Promise.all(this.#inFlight);
    clearTimeout(cut);
    await this.#journal.close();
    this.#changes.tell();
  }

  /**
   * Resolves when nothing is under way and nothing is due, here or where another program delivers;
   * tells what was attempted here meanwhile.
   */
  async settle(): Promise<readonly Fired[]> {
    const fired: Fired[] = [];
    this.#fired = fired;
    while (this.#state === "running") {
      if (!this.#leader.isLeader()) {
        await deliveredElsewhere(this.#shop, () => this.#state !== "running" || this.#mayWork());
        if (!this.#leader.isLeader()) break;
      }
      this.wake();
      await this.#looking;
      const seen = this.#changes.count;
      if (await this.#isSettled()) break;
      if (this.#changes.count === seen) await this.#changes.next(RETRY_MS);
    }
    this.#fired = null;
    return fired;
  }

  /** The shop's time at which something is to be sent next; null where nothing is. */
  async nextDueAt(): Promise<number | null> {
    const next = this.#leader.isLeader()
      ? await this.#nextSendableAt()
      : (await findWorkLeft(this.#shop.database.read, this.#shop.clock.now())).nextAt;
    return Number.isFinite(next) ? next : null;
  }

  async #nextSendableAt(): Promise<number> {
    const moment = this.#moment();
    const { enabled } = await this.#waiting();
    return Math.min(...enabled.map((one) => this.#lanes.sendableAt(one, moment)));
  }

  async #isSettled(): Promise<boolean> {
    if (this.#isCalled || this.#journal.length > 0 || this.#lanes.claimed > 0) return false;
    const dueAt = await this.nextDueAt();
    return dueAt === null || dueAt > this.#shop.clock.now();
  }

  /** The pacing clock is monotonic, and ahead by as much as the shop's clock was moved. */
  #moment(): Moment {
    return { now: this.#shop.clock.now(), paceMs: monotonicMs() + this.#terms.offsetMs() };
  }

  #mayWork(): boolean {
    return this.#state === "running" && this.#leader.isLeader();
  }

  async #look(): Promise<void> {
    let sleepMs = RETRY_MS;
    try {
      while (this.#isCalled && this.#mayWork()) {
        this.#isCalled = false;
        await this.#makeDeliveries();
        const left = await this.#claimDue();
        this.#sendClaimed();
        sleepMs = this.#nextLookMs(left);
      }
    } catch (error) {
      this.#terms.onFault(error);
      // What failed is not tried again at once: the look after the pause sees everything.
      this.#isCalled = false;
    }
    this.#looking = null;
    this.#changes.tell();
    if (this.#isCalled) this.wake();
    else this.#sleep(sleepMs);
  }

  /** What is due and finds no place is looked for when an attempt has ended. */
  #nextLookMs(waiting: readonly Waiting[]): number {
    const moment = this.#moment();
    const next = Math.min(...waiting.map((one) => this.#lanes.claimableAt(one, moment)));
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
    await this.#claims.recover(database);
    const last = await lastSequence(database.read);
    if (last !== this.#fannedOut) {
      if (await database.write((tx) => fanOut(tx))) this.#isCalled = true;
      else this.#fannedOut = last;
    }
    for (const { endpointId } of await listReplays(database.read)) {
      if (await database.write((tx) => goOnWithReplay(tx, endpointId))) this.#isCalled = true;
    }
  }

  /** To whom something is to be sent; whoever may be sent anything has a lane. */
  async #waiting(): ReturnType<typeof listWaiting> {
    const { read } = this.#shop.database;
    const all = await listAllEndpoints(read);
    const listening = all.filter(({ status }) => status === "enabled");
    await this.#lanes.open(listening, () => findAllHealth(read));
    return listWaiting(read, all);
  }

  /** Answers to whom something was to be sent; with what was claimed, it calls for another look. */
  async #claimDue(): Promise<readonly Waiting[]> {
    const { database } = this.#shop;
    const { enabled, disabled } = await this.#waiting();
    // What came to wait for an endpoint after it was disabled.
    for (const { endpoint } of disabled) {
      if (await database.write((tx) => cancelPending(tx, endpoint.id))) this.#isCalled = true;
    }
    const demands = this.#lanes.demands(enabled, this.#moment(), this.#journal.length);
    if (demands.length === 0) return enabled;
    const claimed = await this.#claim(demands);
    // Attempts that ended during the commit may have made lanes narrower.
    const { paceMs } = this.#moment();
    this.#release(
      claimed.filter((one) => this.#lanes.to(one.endpointId)?.add(one, paceMs) !== true),
    );
    if (claimed.length > 0) this.#isCalled = true;
    return enabled;
  }

  async #claim(demands: readonly Demand[]): Promise<Delivery[]> {
    const claim = this.#claims.current;
    try {
      const claimed = await this.#shop.database.write(async (tx) =>
        (await this.#leader.hold(tx)) ? claimDue(tx, claim, demands) : [],
      );
      this.#claims.opened(claimed);
      return claimed;
    } catch (error) {
      // It may have been committed nevertheless: then what was claimed is nobody's.
      this.#claims.begin();
      throw error;
    }
  }

  /** Fills the free places, one of each lane in turn. */
  #sendClaimed(): void {
    if (!this.#leader.isLeader()) this.#release(this.#lanes.drain());
    while (this.#mayWork()) {
      const next = this.#lanes.next(this.#moment().paceMs);
      if (next === null) return;
      const sending: Promise<void> = this.#send(next.lane, next.delivery).finally(() => {
        this.#inFlight.delete(sending);
        this.#sendClaimed();
      });
      this.#inFlight.add(sending);
    }
  }

  async #send(lane: EndpointQueue, delivery: Delivery): Promise<void> {
    const ended = await this.#attempt(delivery);
    const outcome = typeof ended === "string" ? null : ended.outcome;
    this.#release(lane.finish(outcome, this.#moment().paceMs));
    // Nobody knows what arrived of an attempt that was cut: its claim stays, the next start says so.
    if (this.#cut.signal.aborted && outcome?.failure === "timeout") return;
    this.#journal.add({ delivery, ended });
    if (typeof ended === "string") return;
    this.#fired?.push({ at: ended.startedAt, name: "webhooks.attempt", subject: delivery.id });
    if (ended.outcome.skewMs !== null) this.#terms.onSkew?.(ended.outcome.skewMs);
  }

  async #attempt(delivery: Delivery): Promise<EndedClaim["ended"]> {
    try {
      return await sendClaimed(this.#shop, delivery, this.#cut.signal);
    } catch (error) {
      this.#terms.onFault(error);
      return "unknown";
    }
  }

  #release(claimed: readonly Delivery[]): void {
    this.#journal.add(...claimed.map((delivery) => ({ delivery, ended: "released" as const })));
  }
}
