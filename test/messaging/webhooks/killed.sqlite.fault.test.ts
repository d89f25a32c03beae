// A program that is killed (SIGKILL) while it delivers, repeatedly and at exact points. Receivers in
// the test count: nothing is lost, and only attempts that a kill interrupted are repeated.

import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  expect,
  setDefaultTimeout,
  test,
} from "bun:test";
import { join } from "node:path";

import { type Bundle, bundle } from "../../support/bundled.ts";
import { openReceiver, type Receiver } from "../../support/receivers.ts";
import { openRunningDuka, runDuka, type RunningDuka } from "../../support/running-duka.ts";
import { runs } from "../../support/runs.ts";
import { openScratchFolder, type ScratchFolder } from "../../support/scratch.ts";

/** The number of kills. */
const KILLS = runs(3);
/** The least number of messages per receiver between two kills. */
const ARRIVALS_PER_KILL = 40;
const CLIENTS = 6;
/** Scheduled attempts. */
const ATTEMPTS = 10;
/** The exit code of a process ended by SIGKILL. */
const KILLED = 137;

setDefaultTimeout(60_000 + KILLS * 10_000);

let script: Bundle;
let scratch: ScratchFolder;

beforeAll(async () => {
  script = await bundle(join(import.meta.dir, "serve-until-killed.ts"));
});

afterAll(() => script[Symbol.dispose]());

beforeEach(() => {
  scratch = openScratchFolder();
});

afterEach(() => scratch[Symbol.dispose]());

interface SentEvent {
  readonly id: string;
  readonly sequence: number;
  readonly data: { readonly id: string };
}

interface Delivered {
  readonly event_id: string;
  readonly status: string;
  readonly scheduled_attempts: number;
  readonly attempts: readonly { readonly outcome: string }[];
}

interface Page<T> {
  readonly data: readonly T[];
  readonly has_more: boolean;
  readonly next_cursor?: string | null;
  readonly next_after?: number;
}

type EndPoint = "before the call" | "after the answer" | "never";

/** A program that ends itself at this point, on the same folder each time. */
async function start(point: EndPoint): Promise<RunningDuka> {
  const program = [...script.command, scratch.file("shop"), point];
  return openRunningDuka({ folder: scratch.path, program });
}

/** An endpoint for all events; returns its id. */
async function listenTo(duka: RunningDuka, { url }: Receiver): Promise<string> {
  const body = { url, events: ["*"] };
  const answer = await duka.request("POST", "/v2/webhooks", { body });
  const { id }: { id: string } = JSON.parse(await answer.text());
  return id;
}

async function read<T>(duka: RunningDuka, key: string, path: string): Promise<Page<T>> {
  const answer = await duka.request("GET", path, { key });
  expect(answer.status).toBe(200);
  return JSON.parse(await answer.text());
}

/** All events of the feed. */
async function feedOf(duka: RunningDuka, key: string): Promise<SentEvent[]> {
  const events: SentEvent[] = [];
  for (let after = 0, hasMore = true; hasMore;) {
    const page = await read<SentEvent>(duka, key, `/v2/events?limit=100&after=${after}`);
    events.push(...page.data);
    after = page.next_after ?? 0;
    hasMore = page.has_more;
  }
  return events;
}

/** All deliveries to an endpoint, with every attempt. */
async function deliveriesTo(duka: RunningDuka, key: string, id: string): Promise<Delivered[]> {
  const deliveries: Delivered[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const from: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const path = `/v2/webhooks/${id}/deliveries?limit=100${from}`;
    const page: Page<Delivered> = await read(duka, key, path);
    deliveries.push(...page.data);
    cursor = page.next_cursor ?? null;
  }
  return deliveries;
}

/** Resolves when no delivery is pending or in flight. */
async function settle(duka: RunningDuka, key: string): Promise<void> {
  const terms = { key, body: { seconds: 1 } };
  const advance = async (): Promise<boolean> => {
    const answer = await duka.request("POST", "/v2/test/clock/advance", terms);
    return Object(await answer.json())["settled"] === true;
  };
  while (!(await advance()));
}

/** Creates a customer under one idempotency key; null if the program died meanwhile. */
async function addCustomer(duka: RunningDuka, key: string, name: string): Promise<string | null> {
  try {
    const answer = await fetch(`${duka.url}/v2/customers`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${key}`,
        "Content-Type": "application/json",
        "Idempotency-Key": name,
      },
      body: JSON.stringify({ email: `${name}@example.com` }),
    });
    const made: { id: string } = JSON.parse(await answer.text());
    return answer.status === 201 ? made.id : null;
  } catch {
    return null;
  }
}

/** Clients that create customers until the test ends, across restarts. */
class Crowd {
  /** The ids of the customers whose creation was confirmed. */
  readonly acknowledged: string[] = [];
  readonly #clients: readonly Promise<void>[];
  readonly #key: string;
  #open: Promise<RunningDuka>;
  #isOver = false;

  constructor(duka: RunningDuka) {
    this.#key = duka.key;
    this.#open = Promise.resolve(duka);
    this.#clients = Array.from({ length: CLIENTS }, (_, index) => this.#come(index));
  }

  /** Switches the clients to the next program. */
  follow(next: Promise<RunningDuka>): void {
    this.#open = next;
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
  }

  async #come(client: number): Promise<void> {
    for (let nth = 1; !this.#isOver; nth += 1) await this.#enter(`client-${client}-${nth}`);
  }

  /** Retries unanswered requests unchanged. */
  async #enter(name: string): Promise<void> {
    for (let id: string | null = null; id === null;) {
      const duka = await this.#open;
      id = await addCustomer(duka, this.#key, name);
      if (id !== null) this.acknowledged.push(id);
    }
  }
}

/** A receiver that records in which run of the program each message arrived. */
class Count implements AsyncDisposable {
  readonly receiver: Receiver;
  readonly #lives: number[] = [];
  life = 0;

  constructor() {
    // Some are slow, so that every kill interrupts an attempt.
    this.receiver = openReceiver({
      answer: async (_, nth) => {
        this.#lives.push(this.life);
        await Bun.sleep(nth % 8);
        return new Response(null, { status: 204 });
      },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.receiver[Symbol.asyncDispose]();
  }

  /** The runs in which each event arrived, by its id. */
  get arrivals(): Map<string, number[]> {
    const arrivals = new Map<string, number[]>();
    this.receiver.received.forEach(({ headers }, index) => {
      const id = headers.get("webhook-id") ?? "";
      arrivals.set(id, [...(arrivals.get(id) ?? []), this.#lives[index] ?? -1]);
    });
    return arrivals;
  }

  /** The distinct sequences of the events that arrived, in order. */
  get sequences(): number[] {
    const sequences = this.receiver.received.map(({ body }): number => JSON.parse(body).sequence);
    return [...new Set(sequences)].toSorted((one, other) => one - other);
  }
}

/** Kills the program during its deliveries and restarts it; returns the one that runs. */
async function killAgainAndAgain(
  first: RunningDuka,
  crowd: Crowd,
  counts: readonly Count[],
): Promise<RunningDuka> {
  let running = first;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    await Promise.all(counts.map(({ receiver }) => receiver.next(ARRIVALS_PER_KILL)));
    const next = Promise.withResolvers<RunningDuka>();
    crowd.follow(next.promise);
    await running.end("SIGKILL");
    for (const count of counts) count.life = kill;
    running = await openRunningDuka({ folder: scratch.path });
    next.resolve(running);
  }
  return running;
}

function unknownOf({ attempts }: Delivered): number {
  return attempts.filter(({ outcome }) => outcome === "unknown").length;
}

test("however often it is killed, everything arrives, and only interrupted attempts are repeated", async () => {
  await using one = new Count();
  await using other = new Count();
  const counts = [one, other];
  await using first = await openRunningDuka({ folder: scratch.path });
  const { key } = first;
  const ids = [await listenTo(first, one.receiver), await listenTo(first, other.receiver)];
  const crowd = new Crowd(first);

  await using last = await killAgainAndAgain(first, crowd, counts);
  await crowd.end();
  await settle(last, key);

  const feed = await feedOf(last, key);
  const announced = new Set(feed.map(({ data }) => data.id));
  expect(crowd.acknowledged.length).toBeGreaterThan((KILLS * ARRIVALS_PER_KILL) / 2);
  expect(crowd.acknowledged.filter((id) => !announced.has(id))).toEqual([]);
  const all = feed.map(({ sequence }) => sequence);
  expect(all).toEqual(feed.map((_, index) => index + 1));
  expect(counts.map(({ sequences }) => sequences)).toEqual([all, all]);
  const lists = await Promise.all(ids.map((id) => deliveriesTo(last, key, id)));
  const found = lists.flatMap((list, index) =>
    list.map((delivery) => ({
      delivery,
      lives: counts[index]?.arrivals.get(delivery.event_id) ?? [],
      unknown: unknownOf(delivery),
    })),
  );
  expect(found).toHaveLength(feed.length * 2);
  expect(found.filter(({ delivery }) => delivery.status !== "succeeded")).toEqual([]);
  expect(found.filter(({ lives, unknown }) => lives.length > 1 + unknown)).toEqual([]);
  expect(found.filter(({ lives }) => new Set(lives).size !== lives.length)).toEqual([]);
  expect(found.filter(({ unknown }) => unknown > 0).length).toBeGreaterThanOrEqual(KILLS);
  await last.end("SIGTERM");
  expect(await runDuka(["check"], { folder: scratch.path })).toMatchObject({ code: 0 });
});

test("killed before a receiver answered, it records an unknown outcome and sends again", async () => {
  const held = Promise.withResolvers<Response>();
  await using receiver = openReceiver({
    answer: (_, nth) => (nth === 1 ? held.promise : new Response(null, { status: 204 })),
  });
  await using first = await start("never");
  const { key } = first;
  const id = await listenTo(first, receiver);
  await addCustomer(first, key, "ada");
  const [before] = await receiver.next();
  await first.end("SIGKILL");

  await using second = await start("never");
  const [after] = await receiver.next();
  await settle(second, key);

  expect(after?.headers.get("webhook-id")).toBe(before?.headers.get("webhook-id") ?? "none");
  expect(after?.body).toBe(before?.body ?? "");
  expect(await deliveriesTo(second, key, id)).toMatchObject([
    {
      status: "succeeded",
      scheduled_attempts: 2,
      attempts: [
        { number: 1, outcome: "unknown", response_status: null, duration_ms: null },
        { number: 2, outcome: "succeeded", response_status: 204 },
      ],
    },
  ]);
});

test.each<[point: EndPoint, arrivals: number]>([
  ["before the call", 1],
  ["after the answer", 2],
])("killed %s and started again, an event has arrived %d times", async (point, arrivals) => {
  await using receiver = openReceiver();
  await using first = await start(point);
  const { key } = first;
  const id = await listenTo(first, receiver);
  await addCustomer(first, key, "ada");
  expect((await first.ended()).code).toBe(KILLED);

  await using second = await start("never");
  await settle(second, key);

  const arrived = receiver.received.map(({ headers }) => headers.get("webhook-id"));
  expect(arrived).toHaveLength(arrivals);
  const outcomes = [{ outcome: "unknown" }, { outcome: "succeeded" }];
  expect(await deliveriesTo(second, key, id)).toMatchObject([
    { event_id: arrived[0], status: "succeeded", attempts: outcomes },
  ]);
  expect(new Set(arrived).size).toBe(1);
});

test("an event that crashes the program each time is exhausted after ten attempts", async () => {
  await using receiver = openReceiver();
  await using first = await start("before the call");
  const { key } = first;
  const id = await listenTo(first, receiver);
  await addCustomer(first, key, "ada");
  await first.ended();
  await endAtEveryStart(ATTEMPTS - 1);

  await using last = await start("never");
  await settle(last, key);

  expect(receiver.received).toEqual([]);
  expect(await deliveriesTo(last, key, id)).toMatchObject([
    {
      status: "exhausted",
      scheduled_attempts: ATTEMPTS,
      attempts: Array.from({ length: ATTEMPTS }, () => ({ outcome: "unknown" })),
    },
  ]);
});

/** Starts the program this many times; each start ends with its first call. */
async function endAtEveryStart(times: number): Promise<void> {
  for (let nth = 1; nth <= times; nth += 1) {
    const program = [...script.command, scratch.file("shop"), "before the call"];
    const { code } = await runDuka([], { folder: scratch.path, program });
    expect(code).toBe(KILLED);
  }
}
