// The fault `failover`: the PostgreSQL of several programs is killed under load and its synchronous standby
// promoted; then the leader among the programs is killed too. Nothing acknowledged is lost or doubled, and
// another program continues the background work.

import { startPostgres, startStandby, type TestPostgres } from "../support/postgres-server.ts";
import { openReceiver } from "../support/receivers.ts";
import { openRunningDuka, type RunningDuka } from "../support/running-duka.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { Crowd } from "./crowd.ts";
import { Chance, type Fault, type FaultOptions, type FaultReport, openExtent } from "./fault.ts";
import { Heralds, ordersOf } from "./heralds.ts";
import { Ledger, missing } from "./ledger.ts";
import type { Shelves } from "./seen-shop.ts";
import {
  audit,
  awaitLeases,
  fillShelves,
  isLockedByDeadProgram,
  settle,
} from "./shop-under-test.ts";

const PROGRAMS = 3;
const CLIENTS_EACH = 8;
/** Acknowledgements per program before something is killed. */
const DEEDS_MIN = 40;
const DEEDS_MORE_MAX = 60;
/** The time until the loss of the primary is noticed, milliseconds. */
const NOTICED_MS = 200;
/** The limit of every wait, milliseconds. */
const PATIENCE_MS = 60_000;

export const failover: Fault = {
  name: "failover",
  what: `the PostgreSQL of ${PROGRAMS} programs is killed, its standby promoted, a program killed`,
  short: { rounds: 1, minutes: 2 },
  long: { rounds: 20, minutes: 40 },
  run,
};

/** Seconds, each since the kill that caused it. */
interface Times {
  readonly promoted: number[];
  readonly served: number[];
  readonly takenOver: number[];
}

async function run(options: FaultOptions): Promise<FaultReport> {
  const chance = new Chance(options.seed);
  const extent = openExtent(options);
  const times: Times = { promoted: [], served: [], takenOver: [] };
  const ledgers: Ledger[] = [];
  const broken: string[] = [];
  while (!extent.isUsedUp(ledgers.length) && broken.length === 0) {
    await using drill = await openDrill(chance);
    ledgers.push(drill.ledger);
    await drill.loseServer(times);
    await drill.loseProgram(times);
    broken.push(...(await drill.end()));
    options.progress(`${ledgers.length} failovers, ${drill.ledger.acknowledged.size} deeds`);
  }
  const sum = (of: (ledger: Ledger) => number) =>
    ledgers.reduce((total, ledger) => total + of(ledger), 0);
  return {
    figures: {
      failovers: times.promoted.length,
      "programs killed": times.takenOver.length,
      acknowledged: sum((ledger) => ledger.acknowledged.size),
      "answers lost and retried": sum((ledger) => ledger.lost),
      "refused with Retry-After": sum((ledger) => ledger.refused),
      "already done when retried": sum((ledger) => ledger.replayed),
      "promoted after": printed(times.promoted),
      "first acknowledgement of each program after": printed(times.served),
      "leader replaced after": printed(times.takenOver),
    },
    broken,
  };
}

function printed(seconds: readonly number[]): string {
  const sorted = seconds.toSorted((one, other) => one - other).map((one) => one.toFixed(2));
  if (sorted.length <= PROGRAMS) return `${sorted.join(", ")} s`;
  return `${sorted[0]} to ${sorted.at(-1)} s, median ${sorted[Math.floor(sorted.length / 2)]} s`;
}

interface DrillParts {
  readonly primary: TestPostgres;
  readonly standby: TestPostgres;
  readonly settings: Readonly<Record<string, string>>;
  readonly folder: string;
  /** The first program is the leader, since it started first. */
  readonly dukas: readonly [RunningDuka, ...RunningDuka[]];
  readonly heralds: Heralds;
  readonly shelves: Shelves;
  readonly opened: AsyncDisposableStack;
}

/** A pair of servers, the programs of one shop on it, and their clients, which begin at once. */
async function openDrill(chance: Chance): Promise<Drill> {
  await using opening = new AsyncDisposableStack();
  const scratch = opening.use(openScratchFolder());
  const primary = opening.use(await startPostgres({ durable: true }));
  const standby = opening.use(await startStandby(primary, { synchronous: true }));
  const heralds = new Heralds();
  const receiver = opening.use(openReceiver({ answer: (request) => heralds.hear(request) }));
  const settings = {
    DUKA_DATABASE_URL: `postgres://duka@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/duka`,
    DUKA_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
  };
  const open = async (nth: number) =>
    opening.use(
      await openRunningDuka({
        folder: scratch.path,
        settings: { ...settings, DUKA_DATA_DIR: scratch.file(`data-${nth}`) },
      }),
    );
  const first = await open(0);
  const others = Array.from({ length: PROGRAMS - 1 }, (_, index) => open(index + 1));
  const dukas = [first, ...(await Promise.all(others))] as const;
  const body = { url: receiver.url, events: ["order.placed"] };
  await first.request("POST", "/v2/webhooks", { body });
  const shelves = await fillShelves(first, first.key);
  const folder = scratch.path;
  const parts = { primary, standby, settings, folder, dukas, heralds, shelves };
  return new Drill({ ...parts, opened: opening.move() }, chance);
}

class Drill implements AsyncDisposable {
  readonly ledger = new Ledger();
  readonly #parts: DrillParts;
  readonly #chance: Chance;
  /** One crowd per program, in the same order. */
  readonly #crowds: readonly Crowd[];

  /** Sends all clients to the shop. */
  constructor(parts: DrillParts, chance: Chance) {
    this.#parts = parts;
    this.#chance = chance;
    const { ledger } = this;
    const { shelves } = parts;
    const [first] = parts.dukas;
    const terms = { clients: CLIENTS_EACH, chance, ledger, shelves, key: first.key };
    this.#crowds = parts.dukas.map((duka, index) => {
      // A payment that a killed program was working on waits for a minute.
      const cards = duka === first ? { cards: [null] } : {};
      return new Crowd({ ...terms, name: `p${index}`, mayRefuse: mayComeBack, ...cards });
    });
    this.#open(parts.dukas);
  }

  /** Kills the primary under load and promotes its standby; afterwards every program serves again. */
  async loseServer(times: Times): Promise<void> {
    const { primary, standby } = this.#parts;
    await this.#work();
    const since = stopwatch();
    primary.kill();
    await Bun.sleep(NOTICED_MS);
    const served = this.#crowds.map(async (crowd) => {
      await crowd.acknowledgements(1);
      times.served.push(since());
    });
    await standby.promote();
    times.promoted.push(since());
    await inTime(Promise.all(served), "A program did not find the new primary.");
  }

  /** Kills the leader; afterwards another program is the leader. */
  async loseProgram(times: Times): Promise<void> {
    const { dukas, heralds } = this.#parts;
    const [first] = dukas;
    await this.#work();
    const since = stopwatch();
    await first.end("SIGKILL");
    const before = new Set(ordersOf(this.ledger));
    const announced = heralds.next((orderId) => !before.has(orderId));
    this.#open(dukas.slice(1));
    await this.#work();
    // No other client keeps the programs busy while a lease expires.
    for (const crowd of this.#crowds) crowd.close();
    await inTime(announced, "No other program delivers in place of the killed one.");
    times.takenOver.push(since());
    this.#open(dukas.slice(1));
  }

  /** Lets every client end and all work settle. Returns every broken promise. */
  async end(): Promise<string[]> {
    const { ledger } = this;
    const { dukas, heralds, shelves, settings, folder, standby } = this.#parts;
    const [{ key }, survivor] = dukas;
    if (survivor === undefined) throw new Error("There was one program alone.");
    const dispersed = Promise.all(this.#crowds.map((crowd) => crowd.disperse()));
    await inTime(dispersed, "A client was never answered.");
    await awaitLeases(standby.url("duka"));
    await settle(survivor, key);
    const audited = { ledger, shelves, key, folder, settings, isSettled: true };
    const differences = await audit(survivor, audited);
    return [...differences, ...missing(ledger), ...heralds.compare(ledger), ...ledger.broken];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.opened.disposeAsync();
  }

  /** Assigns the crowds to programs. */
  #open(dukas: readonly RunningDuka[]): void {
    for (const [index, crowd] of this.#crowds.entries()) {
      const duka = dukas[index % dukas.length];
      if (duka !== undefined) crowd.open(duka.url);
    }
  }

  async #work(): Promise<void> {
    const deeds = this.#crowds.map((crowd) =>
      crowd.acknowledgements(DEEDS_MIN + this.#chance.below(DEEDS_MORE_MAX)),
    );
    await inTime(Promise.all(deeds), "The shop stands still.");
  }
}

/** Refusals without a primary, and where a program that is gone was working on the same thing. */
function mayComeBack(response: Response, text: string): boolean {
  const isAway = response.status === 503 && text.includes('"code":"storage_unavailable"');
  return isAway || isLockedByDeadProgram(response, text);
}

/** The seconds since then. */
function stopwatch(): () => number {
  const beganAt = performance.now();
  return () => (performance.now() - beganAt) / 1000;
}

async function inTime(awaited: Promise<unknown>, otherwise: string): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(otherwise)), PATIENCE_MS);
  try {
    await Promise.race([awaited, late]);
  } finally {
    clearTimeout(timer);
  }
}
