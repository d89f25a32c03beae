// A stranger with a publishable key and 16 connections does the worst that is allowed, from one address and
// one phone, while the merchant works. Prints what the merchant notices and what the stranger holds.

import { readFileSync } from "node:fs";

import { openRunningDuka, type RunningDuka } from "../support/running-duka.ts";
import { openScratchFolder } from "../support/scratch.ts";
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

export const abuse: Fault = {
  name: "abuse",
  what: "a stranger with a publishable key and 16 connections does the worst that is allowed",
  short: { rounds: 2_000, minutes: 0.25 },
  long: { rounds: 1_000_000, minutes: 10 },
  run,
};

async function run({ seed, progress, ...extent }: FaultOptions): Promise<FaultReport> {
  using folder = openScratchFolder();
  const settings = {
    DUKA_LOG_LEVEL: "error",
    DUKA_TRUSTED_PROXIES: "127.0.0.1",
    // The merchant of this run asks without pause.
    DUKA_RATE_LIMIT_PER_MINUTE: "0",
  };
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
    await merchant("PUT", "/v2/store", { enforce_limits: true });
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
