// A whole Duka for a test: a real server in this process, a real database of its own, and the test's own
// clock. Every answer is validated against the OpenAPI document.

import { afterAll, beforeAll, beforeEach } from "bun:test";

import { type CreateKeyInput, keyCommands } from "#cli/operator/key-commands.ts";
import type { Clock } from "#kernel/time.ts";
import type { OpenShop } from "#open-shops.ts";
import type { Vendor } from "#payments/gateways/vendors.ts";
import type { CallTimes } from "#payments/port/gateway-times.ts";
import type { Gateway } from "#payments/port/gateway.ts";
import { parseConfig } from "#platform/config/config.ts";
import type { Mode, Shop } from "#platform/database/shop.ts";
import { eventsAfter, type LoggedEvent } from "#platform/event-log/event-log.ts";
import { openLog } from "#platform/log/log.ts";
import type { CallOut } from "#platform/net/call-out.ts";
import type { Fired, TimerWork } from "#platform/scheduler/timer-work.ts";
import { type Duka, startDuka } from "#server.ts";
import { updateStore } from "#shop/settings/update-store.ts";

import { type ContractCheck, contractCheck } from "./answer-check.ts";
import { countOpening } from "./openings.ts";
import { databaseSettings } from "./postgres-databases.ts";
import { openScratchFolder, type ScratchFolder } from "./scratch.ts";
import { copyTemplateInto } from "./template-files.ts";

/** The start of every test: a Monday morning. */
export const MORNING_MS = Date.UTC(2026, 0, 5, 8);

/**
 * A clock that the test moves. It replaces the machine's clock: the shop's own clock starts from it, and can
 * be moved ahead of it over HTTP.
 */
export class TestClock implements Clock {
  #now: number;

  constructor(now = MORNING_MS) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

/** An answer of the shop, with typed access to its body. */
export class Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;

  constructor(status: number, headers: Headers, text: string) {
    this.status = status;
    this.headers = headers;
    this.text = text;
    this.body = text === "" ? null : JSON.parse(text);
  }

  /** The value at a JSON Pointer such as `/line_items/0/quantity`; undefined where there is none. */
  at(pointer: string): unknown {
    let found: unknown = this.body;
    for (const key of pointer.split("/").slice(1)) {
      found = typeof found === "object" && found !== null ? Reflect.get(found, key) : undefined;
    }
    return found;
  }

  string(pointer: string): string {
    const found = this.at(pointer);
    if (typeof found !== "string") throw new Error(`No text at ${pointer} of ${this.text}`);
    return found;
  }

  number(pointer: string): number {
    const found = this.at(pointer);
    if (typeof found !== "number") throw new Error(`No number at ${pointer} of ${this.text}`);
    return found;
  }

  list(pointer: string): readonly unknown[] {
    const found = this.at(pointer);
    if (!Array.isArray(found)) throw new Error(`No list at ${pointer} of ${this.text}`);
    return found;
  }

  get id(): string {
    return this.string("/id");
  }

  get code(): string {
    return this.string("/code");
  }

  /** Each fault as `pointer code`, or with the parameter's or header's name instead of a pointer. */
  get faults(): string[] {
    return this.list("/errors").map((_, index) => {
      const at = (name: string) => this.at(`/errors/${index}/${name}`);
      return `${String(at("pointer") ?? at("parameter") ?? at("header"))} ${String(at("code"))}`;
    });
  }
}

export interface RequestOptions {
  /** A key to use instead of the shop's own; null sends none. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestShopOptions {
  /** DUKA_ settings beside the defaults of tests. */
  readonly settings?: Readonly<Record<string, string>>;
  /** A folder that outlives this shop, to start another one on it. */
  readonly folder?: ScratchFolder;
  /** The key of an earlier shop in the folder, which the shop goes on with; a new one if undefined. */
  readonly key?: string;
  /** The time of its clock, where the folder has a shop of another day. */
  readonly now?: number;
  /** By default the shop asks customers for what a new one asks for. */
  readonly asks?: "nothing";
  /** Timers in addition to the shop's own. */
  readonly timers?: readonly TimerWork[];
  /** Replace the simulated gateway, each in its mode. */
  readonly gateways?: readonly Gateway[];
  /** The vendors of gateways, which have credentials by settings or stored ones. */
  readonly vendors?: readonly Vendor[];
  /** Plays the disk of the databases. */
  readonly readDisk?: () => { readonly free: number; readonly total: number };
  /** Receives the lines of the log in place of stderr. */
  readonly writeLog?: (line: string) => void;
  /** Replaces the network for webhooks. */
  readonly callOut?: CallOut;
  /** Replaces how long gateways are waited for. */
  readonly callTimes?: CallTimes;
  /** Set by `sharedShop`: what tests make by name is numbered. */
  readonly isShared?: boolean;
}

export interface Announced {
  readonly event: string;
  readonly data: unknown;
}

export class TestShop implements AsyncDisposable {
  readonly clock: TestClock;
  readonly duka: Duka;
  readonly folder: ScratchFolder;
  /** A test key with every scope. */
  readonly key: string;
  readonly #check: ContractCheck;
  readonly #ownsFolder: boolean;
  readonly #isShared: boolean;
  #numbers = 0;
  #lastRead: number;

  constructor(
    parts: Pick<TestShop, "clock" | "duka" | "folder" | "key">,
    options: { ownsFolder: boolean; isShared: boolean; lastRead: number },
  ) {
    this.clock = parts.clock;
    this.duka = parts.duka;
    this.folder = parts.folder;
    this.key = parts.key;
    this.#check = contractCheck();
    this.#ownsFolder = options.ownsFolder;
    this.#isShared = options.isShared;
    this.#lastRead = options.lastRead;
  }

  get url(): string {
    return this.duka.address;
  }

  get test(): OpenShop {
    return this.duka.shops.test;
  }

  get live(): OpenShop {
    return this.duka.shops.live;
  }

  /** A number that no other goods or customer of this shared shop has; null where the test has the shop to itself. */
  nextNumber(): number | null {
    if (!this.#isShared) return null;
    this.#numbers += 1;
    return this.#numbers;
  }

  get(path: string, options: RequestOptions = {}): Promise<Answered> {
    return this.send("GET", path, options);
  }

  post(path: string, body?: unknown, options: RequestOptions = {}): Promise<Answered> {
    return this.send("POST", path, { ...options, ...written(body) });
  }

  put(path: string, body?: unknown, options: RequestOptions = {}): Promise<Answered> {
    return this.send("PUT", path, { ...options, ...written(body) });
  }

  delete(path: string, options: RequestOptions = {}): Promise<Answered> {
    return this.send("DELETE", path, options);
  }

  /** Sends exactly this body, as JSON unless the headers name another type. */
  async send(
    method: string,
    path: string,
    options: RequestOptions & { readonly text?: string | Uint8Array<ArrayBuffer> | ReadableStream },
  ): Promise<Answered> {
    const key = options.key === undefined ? this.key : options.key;
    const response = await fetch(`${this.url}${path}`, {
      method,
      redirect: "manual",
      ...(options.text === undefined ? {} : { body: options.text }),
      headers: {
        // Bun asks for compression, whose ETags differ by encoding.
        "Accept-Encoding": "identity",
        ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
        ...(options.text === undefined ? {} : { "Content-Type": "application/json" }),
        ...options.headers,
      },
    });
    const text = await response.text();
    const { pathname } = new URL(response.url);
    const { status, headers } = response;
    this.#check.answer({ method, path: pathname, status, headers, text });
    const isJson = headers.get("content-type")?.includes("json") === true;
    return new Answered(status, headers, isJson ? text : "");
  }

  /** The events of the test shop since the last call, oldest first; in a shared shop, since the test began. */
  async announced(): Promise<Announced[]> {
    const fresh = await eventsAfter(this.test.database.read, {
      after: this.#lastRead,
      limit: 1_000_000,
    });
    this.#lastRead = fresh.at(-1)?.sequence ?? this.#lastRead;
    return fresh.map((event) => ({ event: event.name, data: JSON.parse(event.data) }));
  }

  /** The names of these events. */
  async announcedNames(): Promise<string[]> {
    return (await this.announced()).map((one) => one.event);
  }

  /** All events of the test shop. */
  async events(): Promise<LoggedEvent[]> {
    return eventsAfter(this.test.database.read, { after: 0, limit: 1_000_000 });
  }

  /** Runs everything in the test shop whose time has come, and returns what ran. */
  async fireDue(): Promise<Fired[]> {
    return this.duka.timers.test.fireDue();
  }

  /** Does the work before any timer of the test shop fires, however slow the machine is. */
  async beforeTimers<T>(work: () => Promise<T>): Promise<T> {
    return this.duka.timers.test.exclusively(work);
  }

  /** Creates a key; by default a test key with every scope. */
  async createKey(terms: Partial<CreateKeyInput> = {}): Promise<string> {
    return createKey(this.duka, terms);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const events = this.test.closing.aborted ? [] : await this.events();
    await this.duka.stop();
    if (this.#ownsFolder) this.folder[Symbol.dispose]();
    for (const event of events) this.#check.event(event);
  }
}

/** Starts a shop on a free port of the loopback interface, with no rate limit. */
export async function openTestShop(options: TestShopOptions = {}): Promise<TestShop> {
  countOpening();
  const folder = options.folder ?? openScratchFolder();
  copyTemplateInto(folder.path);
  const clock = new TestClock(options.now);
  const config = parseConfig({
    DUKA_HOST: "127.0.0.1",
    DUKA_PORT: "0",
    DUKA_DATA_DIR: folder.path,
    DUKA_RATE_LIMIT_PER_MINUTE: "0",
    DUKA_SHUTDOWN_SECONDS: "5",
    DUKA_LOG_LEVEL: "error",
    ...(await databaseSettings(folder.path)),
    ...options.settings,
  });
  const log = openLog({ level: config.log.level, ...logOf(options) });
  const duka = await startDuka(config, {
    log,
    clockOf: () => clock,
    timers: options.timers ?? [],
    ...gatewaysOf(options),
    ...(options.callOut === undefined ? {} : { callOut: options.callOut }),
    ...(options.readDisk === undefined ? {} : { readDisk: options.readDisk }),
  });
  const key = options.key ?? duka.firstKey ?? (await createKey(duka, {}));
  const before = await eventsAfter(duka.shops.test.database.read, { after: 0, limit: 1_000_000 });
  const shop = new TestShop(
    { clock, duka, folder, key },
    {
      ownsFolder: options.folder === undefined,
      isShared: options.isShared === true,
      lastRead: before.at(-1)?.sequence ?? 0,
    },
  );
  await askLess(duka, options);
  return shop;
}

/** Where the test says so, customers say nothing before an order, in both modes. */
async function askLess({ shops }: Duka, { asks }: TestShopOptions): Promise<void> {
  if (asks !== "nothing") return;
  const checkout = { contact: "none", address: "never", name: false } as const;
  for (const { database } of [shops.test, shops.live]) {
    await database.write((tx) => updateStore(tx, { checkout }, null));
  }
}

/**
 * Opens one shop before the first test of the file, or of the `describe` that calls this, and stops it after the last.
 * Each test makes the customers and goods that it asserts about. A test needs a shop of its own, by `openTestShop`, if
 * it moves time, reads the whole log or a whole list, changes settings or terms that price other sales, stops the
 * shop, or opens two.
 */
export function sharedShop(options: TestShopOptions = {}): TestShop {
  let opened: TestShop | undefined;
  beforeAll(async () => {
    opened = await openTestShop({ ...options, isShared: true });
  });
  beforeEach(async () => {
    await opened?.announced();
  });
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]();
  });
  const place: TestShop = Object.create(TestShop.prototype);
  return new Proxy(place, {
    get: (_, name) => {
      if (opened === undefined) throw new Error("A shared shop opens before the first test.");
      const member: unknown = Reflect.get(opened, name, opened);
      return typeof member === "function" ? member.bind(opened) : member;
    },
  });
}

function logOf({ writeLog: write }: TestShopOptions) {
  return write === undefined ? {} : { write };
}

/** Each mode has the gateways of that mode. */
function gatewaysOf({ gateways, vendors = [], callTimes }: TestShopOptions) {
  const terms = { vendors, ...(callTimes === undefined ? {} : { callTimes }) };
  if (gateways === undefined) return terms;
  return { ...terms, gatewaysOf: ({ mode }: Shop) => gateways.filter((one) => one.mode === mode) };
}

async function createKey(duka: Duka, terms: Partial<CreateKeyInput>): Promise<string> {
  const stores = { test: duka.shops.test.database, live: duka.shops.live.database };
  const mode: Mode = terms.mode ?? "test";
  const made = await keyCommands(stores)["keys.create"]?.({
    name: "A key",
    scopes: ["full"],
    ratePerMinute: null,
    expiresAt: null,
    replaces: null,
    ...terms,
    mode,
  });
  if (typeof made !== "object" || made === null || !("key" in made)) throw new Error("no key");
  return String(made.key);
}

function written(body: unknown): { readonly text?: string } {
  return body === undefined ? {} : { text: JSON.stringify(body) };
}
