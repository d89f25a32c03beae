// The machine's clock jumps, as a clock does that is set by hand or by a network: by an hour or a day, in
// both directions, while timers and deliveries wait. Each of them happens once, and none too early.

import type { TimerStory } from "#platform/scheduler/timer-work.ts";
import { setTimer } from "#platform/scheduler/timers.ts";

import { openReceiver, type Receiver } from "../support/receivers.ts";
import { openScratchFolder, type ScratchFolder } from "../support/scratch.ts";
import { MORNING_MS, openTestShop, type TestShop } from "../support/shop.ts";
import { jumpAtStarts } from "./clock-starts.ts";
import { Chance, type Fault, type FaultOptions, type FaultReport, openExtent } from "./fault.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const jumpsMs = [HOUR_MS, -HOUR_MS, DAY_MS, -DAY_MS] as const;

const STEPS = 24;
/** Longer than all waits of a delivery that fails at most twice, and than any timer here. */
const DAYS_AFTERWARDS = 8;
const FAILURES_MAX = 2;

export const clockJumps: Fault = {
  name: "clock-jumps",
  what: "the clock jumps by an hour and a day, both ways, while timers and deliveries wait; and at starts",
  short: { rounds: 6, minutes: 1 },
  long: { rounds: 300, minutes: 15 },
  run: async (options) => {
    const jumps = await jumpWhileWaiting(options);
    const { starts, broken } = await jumpAtStarts(Math.ceil(options.rounds / ROUNDS_PER_START));
    return {
      figures: { ...jumps.figures, starts },
      broken: [...jumps.broken, ...broken],
    };
  },
};

/** Starts of a program take longer than rounds within one. */
const ROUNDS_PER_START = 15;

interface Counts {
  timers: number;
  deliveries: number;
  jumps: number;
}

/** Jumps within one program. */
export async function jumpWhileWaiting({
  seed,
  progress,
  ...extent
}: FaultOptions): Promise<FaultReport> {
  const chance = new Chance(seed);
  const used = openExtent(extent);
  const counts: Counts = { timers: 0, deliveries: 0, jumps: 0 };
  const broken: string[] = [];
  let rounds = 0;
  for (; !used.isUsedUp(rounds); rounds += 1) {
    await using round = await Round.open(chance, counts);
    broken.push(...(await round.run()).map((sentence) => `round ${rounds}: ${sentence}`));
    if (rounds % 10 === 9) progress(`${rounds + 1} rounds, ${broken.length} broken`);
  }
  return { figures: { seed, rounds, ...counts }, broken };
}

/** Logs when it ran. */
const ring: TimerStory = {
  name: "ring",
  run: (tx, subject) => tx.emit({ name: "rang", subject, data: tx.now }),
};

class Round implements AsyncDisposable {
  readonly #chance: Chance;
  readonly #counts: Counts;
  readonly #folder: ScratchFolder;
  readonly #receiver: Receiver;
  /** How often each event is refused before it is accepted. */
  readonly #refusals = new Map<string, number>();
  readonly #taken: string[] = [];
  /** The time of each timer, by its subject. */
  readonly #dueAt = new Map<string, number>();
  /** Timers whose time the clock has reached since they were set. */
  readonly #reached = new Set<string>();
  readonly #tooSoon = new Set<string>();
  readonly #ids: string[] = [];
  #shop: TestShop;

  private constructor(
    chance: Chance,
    counts: Counts,
    { folder, shop }: { readonly folder: ScratchFolder; readonly shop: TestShop },
  ) {
    this.#chance = chance;
    this.#counts = counts;
    this.#folder = folder;
    this.#shop = shop;
    this.#receiver = openReceiver({ answer: (request) => this.#answer(request.headers) });
  }

  static async open(chance: Chance, counts: Counts): Promise<Round> {
    const folder = openScratchFolder();
    const shop = await openTestShop({ folder, timers: [ring] });
    const round = new Round(chance, counts, { folder, shop });
    await shop.post("/v2/webhooks", { url: round.#receiver.url, events: ["customer.created"] });
    return round;
  }

  /** Everything that did not happen exactly once, or happened too early. */
  async run(): Promise<string[]> {
    for (let step = 0; step < STEPS; step += 1) {
      await this.#step();
      await this.#read();
    }
    const latest = Math.max(MORNING_MS, ...this.#dueAt.values());
    this.#shop.clock.advance(Math.max(0, latest - this.#shop.clock.now()));
    for (let day = 0; day < DAYS_AFTERWARDS; day += 1) {
      this.#shop.clock.advance(DAY_MS);
      await this.#settle();
    }
    return [...(await this.#wrongTimers()), ...this.#wrongDeliveries(), ...this.#doubledIds()];
  }

  async #step(): Promise<void> {
    const steps = [
      () => this.#jump(),
      () => this.#jump(),
      () => this.#setTimer(),
      () => this.#announce(),
      () => this.#settle(),
      () => this.#restart(),
    ];
    await this.#chance.one(steps)();
  }

  /** Notes the timers whose time was reached, which stay due when the clock goes back, and those that ran before. */
  async #read(): Promise<void> {
    const now = this.#shop.clock.now();
    for (const [subject, dueAt] of this.#dueAt) if (dueAt <= now) this.#reached.add(subject);
    for (const { name, subject } of await this.#shop.events()) {
      if (name === "rang" && !this.#reached.has(subject)) this.#tooSoon.add(subject);
    }
  }

  async #jump(): Promise<void> {
    this.#counts.jumps += 1;
    this.#shop.clock.advance(this.#chance.one(jumpsMs));
    await this.#read();
    if (this.#chance.happens(0.7)) await this.#settle();
  }

  async #setTimer(): Promise<void> {
    const subject = `timer ${this.#dueAt.size}`;
    const dueAt = this.#shop.clock.now() + Math.round((this.#chance.share() - 0.2) * 2 * DAY_MS);
    this.#dueAt.set(subject, dueAt);
    this.#counts.timers += 1;
    await this.#shop.test.database.write((tx) => setTimer(tx, { name: ring.name, subject, dueAt }));
  }

  async #announce(): Promise<void> {
    const email = `${this.#ids.length}@example.com`;
    const made = await this.#shop.post("/v2/customers", { email });
    this.#ids.push(made.id);
    this.#counts.deliveries += 1;
  }

  /** Runs everything whose time has come. */
  async #settle(): Promise<void> {
    await this.#shop.fireDue();
    await this.#shop.duka.couriers.test.settle();
  }

  /** The next start sees the first morning again. */
  async #restart(): Promise<void> {
    await this.#shop[Symbol.asyncDispose]();
    this.#shop = await openTestShop({ folder: this.#folder, timers: [ring] });
    if (this.#chance.happens(0.5)) this.#shop.clock.advance(this.#chance.one([HOUR_MS, DAY_MS]));
  }

  #answer(headers: Headers): Response {
    const id = headers.get("webhook-id") ?? "";
    const left = this.#refusals.get(id) ?? this.#chance.below(FAILURES_MAX + 1);
    this.#refusals.set(id, left - 1);
    if (left > 0) return new Response(null, { status: 500 });
    this.#taken.push(id);
    return new Response(null, { status: 204 });
  }

  async #wrongTimers(): Promise<string[]> {
    const rang = (await this.#shop.events()).filter(({ name }) => name === "rang");
    const often = [...this.#dueAt.keys()].flatMap((subject) => {
      const times = rang.filter((event) => event.subject === subject).length;
      return times === 1 ? [] : [`${subject} happened ${times} times`];
    });
    return [...often, ...[...this.#tooSoon].map((subject) => `${subject} happened too soon`)];
  }

  #wrongDeliveries(): string[] {
    const events = new Set(this.#taken);
    const lost = this.#ids.length - events.size;
    const doubled = this.#taken.length - events.size;
    return [
      ...(lost === 0 ? [] : [`${lost} of ${this.#ids.length} deliveries were lost`]),
      ...(doubled === 0 ? [] : [`${doubled} deliveries came twice`]),
    ];
  }

  #doubledIds(): string[] {
    const doubled = this.#ids.length - new Set(this.#ids).size;
    return doubled === 0 ? [] : [`${doubled} ids were given twice`];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#shop[Symbol.asyncDispose]();
    await this.#receiver[Symbol.asyncDispose]();
    this.#folder[Symbol.dispose]();
  }
}
