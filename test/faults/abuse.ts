// Strangers with publishable keys do the worst that is allowed: one from one address and one phone while the merchant
// works, crowds beside visitors, guesses of codes for thirty days, and orders of all stock. Prints what others notice.

import { readFileSync } from "node:fs";

import { Budgets } from "#platform/http/limits/budgets.ts";

import { openRunningDuka, runDuka, type RunningDuka } from "../support/running-duka.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { type Crowd, crowd, throughStorefront } from "./abuse-crowd.ts";
import { guess } from "./abuse-guesses.ts";
import { holdStock } from "./abuse-stock.ts";
import { openToAll } from "./abuse-visitors.ts";
import { Chance, type Fault, type FaultOptions, type FaultReport, openExtent } from "./fault.ts";
import { check } from "./shop-under-test.ts";

const CONNECTIONS = 16;
/** Requests of the merchant alone, to compare with. */
const QUIET_ROUNDS = 40;
const STOCK = 10_000;
const UNITS_PER_ORDER = 20;
const ORDERS_PER_ADDRESS = 20;
const PROMPTS_PER_PHONE = 5;
const stranger = { "X-Forwarded-For": "203.0.113.9" };
const STOREFRONT = "10.0.0.5";

/** What visitors notice at most, in what they notice when they are alone. */
const SLOWER_MAX = 3;
const GUESSED_MAX = 1 / 10_000;
/** Twice 12 MB of counts of 50,000 units, if all are networks of a fair budget, with the objects and keys around them. */
const UNITS_MB_MAX = 100;

export const abuse: Fault = {
  name: "abuse",
  what: "strangers with publishable keys do the worst that is allowed",
  short: { rounds: 1_000, minutes: 0.2 },
  long: { rounds: 10_000, minutes: 10 },
  run: async (options) => {
    const { figures, broken, slow } = await abuseShop(options);
    return { figures, broken: [...broken, ...slow] };
  },
};

interface WeighedCrowd extends Crowd {
  /** Of the program, before and after. */
  readonly memoryMb: readonly number[];
}

export interface Abused extends FaultReport {
  /** Sentences about times, which a busy machine breaks as well. */
  readonly slow: readonly string[];
}

/** `rounds` is the number of orders that strangers of one network ask for; the rest is scaled like it. */
export async function abuseShop(options: FaultOptions): Promise<Abused> {
  const { rounds, minutes, progress } = options;
  const isWhole = rounds >= abuse.long.rounds;
  const one = await oneStranger({ ...options, minutes: minutes / 10 });
  progress("one stranger is done");
  const terms = isWhole
    ? { perMinute: 30_000, perSecond: 1_000, quietSeconds: 30 }
    : { perMinute: 3_000, perSecond: 1_200, quietSeconds: 2 };
  const crowds: [networks: number, WeighedCrowd][] = [];
  for (const networks of [2, 1_000]) {
    crowds.push([networks, await crowdOf({ ...terms, networks }, options)]);
    progress(`attackers from ${networks} networks are done`);
  }
  const others = await codesAndStock({ ...options, hours: isWhole ? 720 : 2 });
  const units = memoryOfUnits();
  const slow = crowds.flatMap(([networks, { quietMs, floodedMs }]) =>
    floodedMs < SLOWER_MAX * quietMs
      ? []
      : [`beside ${networks} networks p99 is ${(floodedMs / quietMs).toFixed(1)} times as long`],
  );
  return {
    figures: {
      ...one.figures,
      ...Object.assign({}, ...crowds.map(([networks, found]) => figuresOf(networks, found))),
      ...others.figures,
      "memory of 50,000 units, MB": units,
    },
    slow,
    broken: [
      ...one.broken,
      ...crowds.flatMap(([networks, found]) => brokenIn(networks, found)),
      ...others.broken,
      ...(units <= UNITS_MB_MAX ? [] : [`50,000 units take ${units} MB`]),
    ],
  };
}

function figuresOf(networks: number, found: WeighedCrowd): Record<string, number | string> {
  const beside = `beside ${networks} networks`;
  return {
    [`requests of ${networks} networks`]: `${found.asked}, ${found.refused} refused${found.isTooSlow ? " (too slow)" : ""}`,
    [`visits ${beside}`]: `${found.visits}, ${found.visitsRefused} refused`,
    [`p99 alone, and ${beside}, ms`]: `${found.quietMs.toFixed(1)}, ${found.floodedMs.toFixed(1)}`,
    [`memory before and after ${networks} networks, MB`]: found.memoryMb.join(", "),
  };
}

function brokenIn(networks: number, { refused, visitsRefused, isTooSlow }: Crowd): string[] {
  return [
    ...(visitsRefused === 0 ? [] : [`${visitsRefused} visits were refused beside ${networks}`]),
    // Attackers who are never refused would test nothing.
    ...(refused > 0 || isTooSlow ? [] : [`${networks} networks met no limit`]),
  ];
}

/** A shop of its own, whose windows are empty. */
async function crowdOf(
  terms: Omit<Parameters<typeof crowd>[1], "chance">,
  { seed }: FaultOptions,
): Promise<WeighedCrowd> {
  using folder = openScratchFolder();
  const settings = {
    ...proxied,
    DUKA_STOREFRONT_REQUESTS_PER_MINUTE: String(terms.perMinute),
  };
  await using duka = await openRunningDuka({ folder: folder.path, settings });
  const before = memoryOf(duka);
  const found = await crowd(duka, { ...terms, chance: new Chance(seed) });
  return { ...found, memoryMb: [before, memoryOf(duka)] };
}

/** A live shop that has only mail set up, beside a test shop whose codes are read. */
async function codesAndStock({
  rounds,
  minutes,
  seed,
  hours,
  progress,
}: FaultOptions & { readonly hours: number }) {
  using folder = openScratchFolder();
  const settings = {
    ...proxied,
    DUKA_STOREFRONT_SERVERS: STOREFRONT,
    DUKA_SMTP_URL: "smtp://127.0.0.1:9",
    DUKA_MAIL_FROM: "orders@shop.example",
  };
  const terms = { folder: folder.path, settings };
  await using duka = await openRunningDuka(terms);
  const secondsMax = minutes * 60;
  const guesses = await guess(duka, { folder: folder.path, hours, secondsMax });
  progress(`${guesses.hours} hours of guesses are done`);
  const made = await runDuka(["keys", "create", "--mode", "live", "--name", "Till"], terms);
  const key = /live_sk_\w+/.exec(made.stdout)?.[0] ?? "";
  const stock = await holdStock(duka, { key, orders: rounds, chance: new Chance(seed) });
  progress(`${rounds} orders of one network are done`);
  const other = await throughStorefront(duka, STOREFRONT);
  const isServed = other.every((status) => status < 300);
  return {
    figures: {
      "hours of guesses": guesses.hours,
      "guesses that were compared": guesses.compared,
      "digits of the last code": guesses.digits,
      "chance in 30 days": `1 in ${Math.round(1 / guesses.chance)}`,
      "orders of one /48": `${stock.orders}, ${stock.placed} placed`,
      "units that strangers hold": `${stock.heldUnits}, ${stock.heldOfScarce} of what is scarce`,
    },
    broken: [
      ...stock.broken,
      ...(guesses.chance <= GUESSED_MAX ? [] : [`a code is guessed with ${guesses.chance}`]),
      ...(guesses.owner.every((status) => status === 201)
        ? []
        : [`the owner's right code was answered ${guesses.owner.join(", ")}`]),
      ...(isServed ? [] : [`another visitor of a storefront was answered ${other.join(", ")}`]),
      ...(await check(terms)),
    ],
  };
}

/** Megabytes of as many units as are remembered, each in a network of a fair budget. */
function memoryOfUnits(): number {
  const budgets = new Budgets();
  Bun.gc(true);
  const before = process.memoryUsage().rss;
  const budget = { name: "all", unit: "all", limit: 10, perMs: 60_000, fair: true } as const;
  for (let nth = 0; nth < 60_000; nth += 1) {
    budgets.take([{ budget, unit: "live", network: `2001:db8:${nth.toString(16)}::/48` }], 0);
  }
  Bun.gc(true);
  if (budgets.size > 50_000) throw new Error(`${budgets.size} units are remembered.`);
  return Math.round((process.memoryUsage().rss - before) / 1_000_000);
}

const proxied = {
  DUKA_LOG_LEVEL: "error",
  DUKA_TRUSTED_PROXIES: "127.0.0.1",
  // The merchant of this run asks without pause.
  DUKA_RATE_LIMIT_PER_MINUTE: "0",
};

async function oneStranger({ seed, progress, ...extent }: FaultOptions): Promise<FaultReport> {
  using folder = openScratchFolder();
  const settings = proxied;
  await using duka = await openRunningDuka({ folder: folder.path, settings });
  const abused = await AbusedShop.open(duka, new Chance(seed));
  for (let nth = 0; nth < QUIET_ROUNDS; nth += 1) await abused.work();
  const quiet = abused.slowest();
  progress(`the merchant alone: p99 ${quiet} ms`);
  const used = openExtent(extent);
  const strangers = Array.from({ length: CONNECTIONS }, async () => {
    while (!used.isUsedUp(abused.sent)) await abused.abuse();
  });
  const merchant = async () => {
    while (!used.isUsedUp(abused.sent)) await abused.work();
  };
  await Promise.all([...strangers, merchant()]);
  const figures = {
    seed,
    "requests of the stranger": abused.sent,
    ...Object.fromEntries(abused.statuses),
    "merchant's p99 alone, ms": quiet,
    "merchant's p99 during the abuse, ms": abused.slowest(),
    "memory, MB": memoryOf(duka),
  };
  const broken = [...(await abused.broken()), ...(await check({ folder: folder.path, settings }))];
  return { figures: { ...figures, "units that the stranger holds": abused.heldUnits }, broken };
}

/** Megabytes that the program holds. */
function memoryOf({ id }: RunningDuka): number {
  const status = readFileSync(`/proc/${id}/status`, "utf8");
  return Math.round(Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1_000);
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

class AbusedShop {
  readonly statuses = new Map<string, number>();
  sent = 0;
  heldUnits = 0;
  readonly #duka: RunningDuka;
  readonly #chance: Chance;
  readonly #key: string;
  readonly #variantId: string;
  /** Orders that were acknowledged, the stranger's and the merchant's. */
  readonly #orders: string[] = [];
  #ofMerchant = 0;
  #prompts = 0;
  #latest = "";
  #timesMs: number[] = [];

  private constructor(
    duka: RunningDuka,
    chance: Chance,
    { key, variantId }: { readonly key: string; readonly variantId: string },
  ) {
    this.#duka = duka;
    this.#chance = chance;
    this.#key = key;
    this.#variantId = variantId;
  }

  static async open(duka: RunningDuka, chance: Chance): Promise<AbusedShop> {
    const merchant = async (method: string, path: string, body: object) =>
      (await duka.request(method, path, { key: duka.key, body })).text();
    await merchant("PUT", "/v2/store", { enforce_limits: true, ...openToAll });
    const goods = { name: "Mug", price: 12.5, stock: STOCK };
    const product: { variants: { id: string }[] } = JSON.parse(
      await merchant("POST", "/v2/products", goods),
    );
    const terms = { name: "Page", kind: "publishable" };
    const made: { key: string } = JSON.parse(await merchant("POST", "/v2/keys", terms));
    return new AbusedShop(duka, chance, {
      key: made.key,
      variantId: product.variants[0]?.id ?? "",
    });
  }

  /** One order of the merchant, timed. */
  async work(): Promise<void> {
    const line_items = [{ variant_id: this.#variantId, quantity: 1 }];
    const beganAt = performance.now();
    const body = { line_items, payment_method: "cash" };
    const answer = await this.#duka.request("POST", "/v2/orders", { key: this.#duka.key, body });
    const text = await answer.text();
    this.#timesMs.push(performance.now() - beganAt);
    if (answer.status !== 201) throw new Error(`The merchant is locked out: ${text}`);
    this.#ofMerchant += 1;
    this.#orders.push(idIn(text));
  }

  /** The 99th percentile of the merchant's answers since the last call, whole milliseconds. */
  slowest(): number {
    const sorted = this.#timesMs.toSorted((one, other) => one - other);
    this.#timesMs = [];
    return Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? 0);
  }

  /** One request of the stranger. */
  async abuse(): Promise<void> {
    const { status } = await this.#chance.one([
      () => this.#order(),
      () => this.#order(),
      () => this.#prompt(),
      () => this.#send("POST", "/v2/orders", { notes: "x".repeat(70_000) }),
      () => this.#send("POST", "/v2/carts", { line_items: this.#lines(1) }),
      () => this.#send("GET", "/v2/products?limit=100"),
    ])();
    const name = `answered ${status}`;
    this.statuses.set(name, (this.statuses.get(name) ?? 0) + 1);
    this.sent += 1;
  }

  /** Each bound that did not hold, and each acknowledged order that is gone. */
  async broken(): Promise<string[]> {
    const read = async (path: string) =>
      (await this.#duka.request("GET", path, { key: this.#duka.key })).text();
    const level: { reserved: number } = JSON.parse(await read(`/v2/inventory/${this.#variantId}`));
    this.heldUnits = level.reserved - this.#ofMerchant;
    const unitsMax = ORDERS_PER_ADDRESS * UNITS_PER_ORDER;
    const kept = await Promise.all(this.#orders.map((id) => read(`/v2/orders/${id}`)));
    const lost = kept.filter((text, index) => idIn(text) !== this.#orders[index]).length;
    return [
      ...(lost === 0 ? [] : [`${lost} acknowledged orders are gone`]),
      ...(this.heldUnits <= unitsMax ? [] : [`the stranger holds ${this.heldUnits} units`]),
      ...(this.#prompts <= PROMPTS_PER_PHONE ? [] : [`one phone had ${this.#prompts} prompts`]),
    ];
  }

  async #order(): Promise<Answer> {
    const body = {
      line_items: this.#lines(this.#chance.one([1, UNITS_PER_ORDER, UNITS_PER_ORDER + 1])),
      customer: { email: `${this.#chance.below(1_000)}@example.com` },
      payment_method: "cash_on_delivery",
    };
    const answer = await this.#send("POST", "/v2/orders", body);
    if (answer.status !== 201) return answer;
    this.#latest = idIn(answer.text);
    this.#orders.push(this.#latest);
    return answer;
  }

  async #prompt(): Promise<Answer> {
    const body = { order_id: this.#latest, method: "mobile_money", phone: "+233551234987" };
    const answer = await this.#send("POST", "/v2/payments/initialize", body);
    if (answer.status === 201) this.#prompts += 1;
    return answer;
  }

  #lines(quantity: number) {
    return [{ variant_id: this.#variantId, quantity }];
  }

  async #send(method: string, path: string, body?: object): Promise<Answer> {
    const terms = { key: this.#key, headers: stranger, ...(body === undefined ? {} : { body }) };
    const answer = await this.#duka.request(method, path, terms);
    return { status: answer.status, text: await answer.text() };
  }
}

function idIn(text: string): string {
  const found: { id?: string } = JSON.parse(text);
  return found.id ?? "";
}
