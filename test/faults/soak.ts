// The soak: a process under a mixed, steady load, measured from outside. Its memory, its open files and its
// write-ahead log must be level in a long run.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { openReceiver } from "../support/receivers.ts";
import { openRunningDuka, runDuka, type RunningDuka } from "../support/running-duka.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { Chance, type Fault, type FaultOptions, type FaultReport, openExtent } from "./fault.ts";

const CLIENTS = 4;
/** The pause between two requests of a client, as in a busy shop. */
const PAUSE_MS = 12;
const SAMPLES = 150;
const SAMPLE_MS_MIN = 200;
const SAMPLE_MS_MAX = 5_000;
/** Memory settles after a start; its growth means nothing before that. */
const MEMORY_MINUTES_MIN = 5;
const MEMORY_GROWTH_MAX = 1.1;
/** Reader and writer each cache this much of the database once it is large enough. */
const PAGES_BYTES_MAX = 2 * 64 * 1_048_576;
/** Connections come and go by a few at any time. */
const FILES_GROWTH_MAX = 6;
/** Far above the size of a checkpoint, far below what would fill a disk. */
const WAL_BYTES_MAX = 64 * 1_048_576;
const MIB = 1_048_576;

export const soak: Fault = {
  name: "soak",
  what: "a steady mixed load; memory, open files and the write-ahead log stay level",
  short: { rounds: 1_000_000, minutes: 0.2 },
  long: { rounds: 10_000_000, minutes: 30 },
  run,
};

interface Sample {
  readonly memoryBytes: number;
  readonly files: number;
  readonly walBytes: number;
  readonly databaseBytes: number;
}

async function run(options: FaultOptions): Promise<FaultReport> {
  using folder = openScratchFolder();
  await using receiver = openReceiver();
  const settings = { DUKA_DATA_DIR: folder.path, DUKA_LOG_LEVEL: "error" };
  await using duka = await openRunningDuka({ folder: folder.path, settings });
  const load = await Load.open(duka, { receiverUrl: receiver.url, seed: options.seed });
  const extent = openExtent(options);
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!extent.isUsedUp(load.requests)) {
      await load.step();
      await Bun.sleep(PAUSE_MS);
    }
  });
  const samples: Sample[] = [];
  const everyMs = Math.min(
    Math.max((options.minutes * 60_000) / SAMPLES, SAMPLE_MS_MIN),
    SAMPLE_MS_MAX,
  );
  while (!extent.isUsedUp(load.requests)) {
    await Bun.sleep(everyMs);
    samples.push(sampleOf(duka.id, folder.path));
    if (samples.length % 10 === 0) options.progress(printed(samples.slice(-1)));
  }
  await Promise.all(clients);
  const { code, log } = await duka.end("SIGTERM");
  const audited = await runDuka(["check"], { folder: folder.path, settings });
  return {
    figures: {
      requests: load.requests,
      deliveries: receiver.received.length,
      ...figuresOf(samples),
    },
    broken: [
      ...load.faults,
      ...growth(samples, options.minutes >= MEMORY_MINUTES_MIN),
      ...(code === 0 ? [] : [`it ended with ${code}: ${log}`]),
      ...(audited.code === 0 ? [] : [audited.stdout]),
    ],
  };
}

function sampleOf(id: number, folder: string): Sample {
  const status = readFileSync(`/proc/${id}/status`, "utf8");
  const [database, wal] = ["test.sqlite", "test.sqlite-wal"].map((name) =>
    statSync(join(folder, name), { throwIfNoEntry: false }),
  );
  return {
    memoryBytes: Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024,
    files: readdirSync(`/proc/${id}/fd`).length,
    walBytes: wal?.size ?? 0,
    databaseBytes: database?.size ?? 0,
  };
}

/** Compares the second and the last third of the run, which do not contain the start. */
function thirds(samples: readonly Sample[]): readonly [Sample[], Sample[]] {
  const length = Math.floor(samples.length / 3);
  return [samples.slice(length, 2 * length), samples.slice(2 * length)];
}

function figuresOf(samples: readonly Sample[]): FaultReport["figures"] {
  const [middle, last] = thirds(samples);
  return {
    samples: samples.length,
    "at first": printed(samples.slice(0, 1)),
    "middle third": printed(middle),
    "last third": printed(last),
    "at most": `${mib(Math.max(...samples.map(({ walBytes }) => walBytes)))} of log`,
    "in the end": `${mib(samples.at(-1)?.databaseBytes ?? 0)} of database`,
  };
}

function printed(samples: readonly Sample[]): string {
  const memory = mean(samples.map(({ memoryBytes }) => memoryBytes));
  const files = mean(samples.map((one) => one.files));
  const wal = mean(samples.map(({ walBytes }) => walBytes));
  return `${mib(memory)} of memory, ${files.toFixed(1)} files, ${mib(wal)} of log`;
}

/** What grew although it should be level. */
function growth(samples: readonly Sample[], isMemoryJudged: boolean): string[] {
  const [middle, last] = thirds(samples);
  const most = (of: readonly Sample[]) => Math.max(0, ...of.map(({ files }) => files));
  const memory = [middle, last].map((of) => mean(of.map(({ memoryBytes }) => memoryBytes)));
  const [before = 0, after = 0] = memory;
  const pages = [middle, last].map((of) =>
    Math.min(2 * mean(of.map(({ databaseBytes }) => databaseBytes)), PAGES_BYTES_MAX),
  );
  const morePages = (pages[1] ?? 0) - (pages[0] ?? 0);
  const largest = Math.max(0, ...samples.map(({ walBytes }) => walBytes));
  return [
    ...(most(last) > most(middle) + FILES_GROWTH_MAX
      ? [`open files grew from ${most(middle)} to ${most(last)}`]
      : []),
    ...(largest > WAL_BYTES_MAX ? [`the log ahead of the database came to ${mib(largest)}`] : []),
    ...(isMemoryJudged && after > before * MEMORY_GROWTH_MAX + morePages
      ? [`memory grew from ${mib(before)} to ${mib(after)}`]
      : []),
  ];
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length);
}

function mib(bytes: number): string {
  return `${(bytes / MIB).toFixed(1)} MiB`;
}

/** The load of several clients. */
class Load {
  readonly #duka: RunningDuka;
  readonly #chance: Chance;
  readonly #variants: string[] = [];
  readonly #orders: string[] = [];
  readonly faults: string[] = [];
  requests = 0;

  private constructor(duka: RunningDuka, seed: number) {
    this.#duka = duka;
    this.#chance = new Chance(seed);
  }

  /** A shop with stock and an endpoint for all events. */
  static async open(
    duka: RunningDuka,
    { receiverUrl, seed }: { readonly receiverUrl: string; readonly seed: number },
  ): Promise<Load> {
    const load = new Load(duka, seed);
    for (let made = 0; made < GOODS; made += 1) {
      const body = { name: `Mug ${made}`, sku: `MUG-${made}`, price: 12.5, stock: 100_000_000 };
      const { body: product } = await load.#ask("POST", "/v2/products", body);
      load.#variants.push(String(Object(Object(product).variants)[0].id));
    }
    await load.#ask("POST", "/v2/webhooks", { url: receiverUrl });
    await load.#order();
    return load;
  }

  /** One request of the load. */
  async step(): Promise<void> {
    const order = this.#chance.one(this.#orders);
    const steps: readonly (() => Promise<unknown>)[] = [
      () => this.#order(),
      () => this.#order(),
      () => this.#pay(order),
      () => this.#ask("PUT", `/v2/orders/${order}/fulfill`),
      () => this.#ask("PUT", `/v2/orders/${order}/cancel`),
      () => this.#ask("POST", `/v2/orders/${order}/refunds`, { amount: 1 }),
      () => this.#ask("GET", `/v2/orders/${order}`),
      () => this.#ask("GET", "/v2/orders?limit=20"),
      () => this.#ask("GET", "/v2/products?q=mug"),
      () => this.#ask("GET", "/v2/inventory?low=true"),
      () => this.#ask("GET", "/v2/events?limit=50"),
      () => this.#ask("POST", "/v2/carts", { line_items: [this.#line()] }),
      () => this.#ask("GET", "/v2/orders/ord_nobody"),
      () => this.#ask("POST", "/v2/customers", { email: "nobody" }),
    ];
    await this.#chance.one(steps)();
  }

  async #order(): Promise<void> {
    const body = {
      line_items: [this.#line()],
      customer: { email: `${this.#chance.below(CUSTOMERS)}@example.com` },
      payment_method: "gateway",
    };
    const { status, body: placed } = await this.#ask("POST", "/v2/orders", body);
    if (status !== 201) return;
    this.#orders.push(String(Object(placed).id));
    if (this.#orders.length > ORDERS_KEPT) this.#orders.shift();
  }

  #line(): object {
    return { variant_id: this.#chance.one(this.#variants), quantity: 1 + this.#chance.below(3) };
  }

  async #pay(order: string): Promise<void> {
    const card = this.#chance.one(["pm_card_visa", "pm_card_visa_chargeDeclined"]);
    await this.#ask("POST", "/v2/payments/initialize", {
      order_id: order,
      method: "card",
      card_token: card,
    });
  }

  async #ask(method: string, path: string, body?: unknown) {
    this.requests += 1;
    const answer = await this.#duka.request(method, path, body === undefined ? {} : { body });
    const shown: unknown = await answer.json();
    if (answer.status >= 500) this.faults.push(`${method} ${path}: ${JSON.stringify(shown)}`);
    return { status: answer.status, body: shown };
  }
}

const GOODS = 20;
const CUSTOMERS = 500;
/** The newest orders, which are still in work. */
const ORDERS_KEPT = 200;
