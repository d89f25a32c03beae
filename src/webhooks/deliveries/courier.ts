// Sends what is to be delivered: reads the log into deliveries, claims what is due, calls receivers
// and writes down what came of it. Invariant: nothing of it lives in memory alone; whatever is lost
// with the program is found in the store by the next one.

import { newRequestId } from "#kernel/id.ts";
import { randomShare } from "#kernel/random.ts";
import { monotonicMs } from "#kernel/time.ts";
import type { Fired } from "#platform/scheduler/timers.ts";
import { lastSequence } from "#platform/store/event-log.ts";
import type { Messenger } from "#webhooks/messenger.ts";
import { findAllHealth, listAllEndpoints } from "#webhooks/queries.ts";
import type { Endpoint } from "#webhooks/webhook.ts";

import { cancelPending } from "./cancel-pending.ts";
import { claimDue, type ClaimedDelivery, type Demand } from "./claim-due.ts";
import type { Outcome } from "./delivery.ts";
import { fanOut } from "./fan-out.ts";
import { goOnWithReplay } from "./go-on-with-replay.ts";
import { Journal } from "./journal.ts";
import type { Lane } from "./lane.ts";
import { Lanes } from "./lanes.ts";
import { findNextDueAt } from "./queries.ts";
import { recordOutcomes } from "./record-outcomes.ts";
import { recoverClaims } from "./recover-claims.ts";
import { listReplays } from "./replay-queries.ts";
import { sendClaimed } from "./send-claimed.ts";

/** Attempts under way at a time, to all endpoints together. */
const IN_FLIGHT_MAX = 64;
/** Claimed and not yet on record: bounds what a crash leaves open, and memory. */
const CLAIMED_MAX = 256;
/** The longest sleep, milliseconds: what another clock made due is seen by then. */
const SLEEP_MS_MAX = 60_000;
/** After something failed, milliseconds. */
const RETRY_MS = 1_000;

export interface CourierTerms {
  readonly shop: Messenger;
  /** How far the shop's clock was moved, milliseconds: pauses end with it. */
  readonly offsetMs: () => number;
  readonly onFault: (error: unknown) => void;
  /** Told how far a receiver's clock is from ours, milliseconds, by each answer that says it. */
  readonly onSkew?: (skewMs: number) => void;
  /** From 0 to 1: how the waits are spread. */
  readonly share?: () => number;
}

export class Courier {
  readonly #terms: CourierTerms;
  readonly #shop: Messenger;
  readonly #journal: Journal;
  readonly #lanes = new Lanes();
  /** Which start of the program this is. */
  readonly #claim = newRequestId();
  readonly #inFlight = new Set<Promise<void>>();
  readonly #cut = new AbortController();
  /** What is attempted while somebody waits for it. */
  #fired: Fired[] | null = null;
  #state: "new" | "running" | "stopped" = "new";
  #unsubscribe: () => void = () => {};
  #alarm: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;
  #isCalled = false;
  #isRecovered = false;
  #fannedOut = -1;
  #changes = 0;
  #onChange: () => void = () => {};

  constructor(terms: CourierTerms) {
    this.#terms = terms;
    this.#shop = terms.shop;
    const { store } = terms.shop;
    const share = terms.share ?? randomShare;
    this.#journal = new Journal({
      record: (ended) => store.write((tx) => recordOutcomes(tx, ended, share)),
      onRecorded: () => this.wake(),
      onFault: terms.onFault,
    });
  }

  /** From now on what happens is delivered. */
  start(): void {
    if (this.#state !== "new") throw new Error("A courier is started once.");
    this.#state = "running";
    this.#unsubscribe = this.#shop.store.onAnnounced(() => this.wake());
    this.wake();
  }

  /** Looks at once whether there is something to do. */
  wake(): void {
    if (this.#state !== "running") return;
    this.#isCalled = true;
    this.#looking ??= this.#look();
  }

  /** Nothing more is sent; what is under way has this long to end, milliseconds, then is cut. */
  async stop(withinMs: number): Promise<void> {
    this.#state = "stopped";
    this.#unsubscribe();
    clearTimeout(this.#alarm);
    await this.#looking;
    this.#release(this.#lanes.drain());
    const cut = setTimeout(() => this.#cut.abort(), withinMs);
    await Promise.all(this.#inFlight);
    clearTimeout(cut);
    await this.#journal.close();
    this.#changed();
  }

  /** Resolves when nothing is under way and nothing is due; tells what was attempted meanwhile. */
  async settle(): Promise<readonly Fired[]> {
    const fired: Fired[] = [];
    this.#fired = fired;
    while (this.#state === "running") {
      this.wake();
      await this.#looking;
      const seen = this.#changes;
      if (await this.#isSettled()) break;
      if (this.#changes === seen) await this.#change();
    }
    this.#fired = null;
    return fired;
  }

  /** The shop's time at which something is to be sent next; null where nothing is. */
  async nextDueAt(): Promise<number | null> {
    const now = this.#shop.clock.now();
    const paceMs = this.#paceMs();
    const times: number[] = [];
    for (const { id } of await this.#listening()) {
      const dueAt = await findNextDueAt(this.#shop.store.read, id);
      if (dueAt === null) continue;
      const quietMs = (this.#lanes.to(id)?.quietUntil ?? 0) - paceMs;
      times.push(quietMs > 0 ? Math.max(dueAt, now + Math.ceil(quietMs)) : dueAt);
    }
    return times.length === 0 ? null : Math.min(...times);
  }

  async #isSettled(): Promise<boolean> {
    if (this.#isCalled || this.#isBusy()) return false;
    const dueAt = await this.nextDueAt();
    return dueAt === null || dueAt > this.#shop.clock.now();
  }

  #isBusy(): boolean {
    return this.#inFlight.size > 0 || this.#journal.length > 0 || !this.#lanes.areIdle;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      const alarm = setTimeout(resolve, RETRY_MS);
      this.#onChange = () => {
        clearTimeout(alarm);
        resolve();
      };
    });
  }

  #changed(): void {
    this.#changes += 1;
    this.#onChange();
  }

  /** Monotonic, and ahead by as much as the shop's clock was moved. */
  #paceMs(): number {
    return monotonicMs() + this.#terms.offsetMs();
  }

  async #look(): Promise<void> {
    let sleepMs = RETRY_MS;
    try {
      while (this.#isCalled && this.#state === "running") {
        this.#isCalled = false;
        await this.#makeDeliveries();
        await this.#claimDue();
        this.#sendClaimed();
      }
      sleepMs = ((await this.nextDueAt()) ?? Infinity) - this.#shop.clock.now();
    } catch (error) {
      this.#terms.onFault(error);
    }
    this.#looking = null;
    this.#changed();
    if (this.#isCalled) this.wake();
    else this.#sleep(sleepMs);
  }

  /** What is due and finds no place is looked for when an attempt has ended. */
  #sleep(milliseconds: number): void {
    clearTimeout(this.#alarm);
    if (this.#state !== "running" || (milliseconds <= 0 && this.#isBusy())) return;
    const sleepMs = Math.min(Math.max(milliseconds, 1), SLEEP_MS_MAX);
    this.#alarm = setTimeout(() => this.wake(), sleepMs);
    this.#alarm.unref();
  }

  async #makeDeliveries(): Promise<void> {
    const { store } = this.#shop;
    while (!this.#isRecovered) {
      this.#isRecovered = !(await store.write((tx) => recoverClaims(tx, this.#claim)));
    }
    const last = await lastSequence(store.read);
    if (last !== this.#fannedOut) {
      if (await store.write((tx) => fanOut(tx))) this.#isCalled = true;
      else this.#fannedOut = last;
    }
    for (const replay of await listReplays(store.read)) {
      if (await store.write((tx) => goOnWithReplay(tx, replay))) this.#isCalled = true;
    }
  }

  async #listening(): Promise<Endpoint[]> {
    const all = await listAllEndpoints(this.#shop.store.read);
    return all.filter(({ status }) => status === "enabled");
  }

  async #claimDue(): Promise<void> {
    const { store } = this.#shop;
    const { demands, ended } = await this.#demands();
    for (const id of ended) {
      if (await store.write((tx) => cancelPending(tx, id))) this.#isCalled = true;
    }
    if (demands.length === 0) return;
    const claimed = await store.write((tx) => claimDue(tx, this.#claim, demands));
    for (const one of claimed) this.#lanes.to(one.delivery.endpointId)?.add(one);
    if (claimed.length > 0) this.#isCalled = true;
  }

  /** How much each endpoint can take of what is due, and for which disabled ones something waits. */
  async #demands(): Promise<{ demands: Demand[]; ended: Endpoint["id"][] }> {
    const { store, clock } = this.#shop;
    const endpoints = await listAllEndpoints(store.read);
    if (this.#lanes.lacks(endpoints)) this.#lanes.open(endpoints, await findAllHealth(store.read));
    const paceMs = this.#paceMs();
    let left = CLAIMED_MAX - this.#inFlight.size - this.#journal.length;
    const demands: Demand[] = [];
    const ended: Endpoint["id"][] = [];
    for (const endpoint of this.#lanes.inTurn(endpoints)) {
      const dueAt = await findNextDueAt(store.read, endpoint.id);
      if (dueAt === null) continue;
      if (endpoint.status === "disabled") {
        ended.push(endpoint.id);
        continue;
      }
      const rows = Math.min(this.#lanes.to(endpoint.id)?.room(paceMs) ?? 0, left);
      if (rows <= 0 || dueAt > clock.now()) continue;
      demands.push({ endpoint, rows });
      left -= rows;
    }
    return { demands, ended };
  }

  /** Fills the free places, one of each lane in turn. */
  #sendClaimed(): void {
    while (this.#state === "running" && this.#inFlight.size < IN_FLIGHT_MAX) {
      const next = this.#lanes.next(this.#paceMs());
      if (next === null) return;
      const sending: Promise<void> = this.#send(next.lane, next.claimed).finally(() => {
        this.#inFlight.delete(sending);
        this.#sendClaimed();
      });
      this.#inFlight.add(sending);
    }
  }

  async #send(lane: Lane, { delivery, event }: ClaimedDelivery): Promise<void> {
    const startedAt = this.#shop.clock.now();
    let outcome: Outcome | "dropped" | null = null;
    try {
      outcome = await sendClaimed(this.#shop, { delivery, event }, this.#cut.signal);
    } catch (error) {
      this.#terms.onFault(error);
    }
    this.#release(lane.finish(outcome ?? "dropped", this.#paceMs()));
    // Nobody knows what arrived of an attempt that was cut, or that a fault of ours ended: its claim
    // stays, and the next start says so.
    if (outcome === null || this.#cut.signal.aborted) return;
    this.#fired?.push({ at: startedAt, name: "webhooks.attempt", subject: delivery.id });
    this.#journal.add({ delivery, startedAt, outcome });
    if (outcome !== "dropped" && outcome.skewMs !== null) this.#terms.onSkew?.(outcome.skewMs);
  }

  #release(claimed: readonly ClaimedDelivery[]): void {
    const startedAt = this.#shop.clock.now();
    this.#journal.add(
      ...claimed.map(({ delivery }) => ({ delivery, startedAt, outcome: "released" as const })),
    );
  }
}
