// The fuzz: valid, odd and broken requests made from the OpenAPI document, from many concurrent clients, to
// a shop with data. A failing request is repeated alone and reduced.

import { placesIn, wholeBody } from "../contract/whole-bodies.ts";
import { openRunningDuka, runDuka, type RunningDuka } from "../support/running-duka.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { Chance, type Fault, type FaultOptions, type FaultReport, openExtent } from "./fault.ts";
import { AnswerRules, type FuzzAnswer } from "./fuzz-answers.ts";
import { described, type Operation } from "./fuzz-document.ts";
import { Memory } from "./fuzz-memory.ts";
import { type FuzzRequest, Requests } from "./fuzz-request.ts";

const LANES = 8;
/** An advance of the clock may take 10 seconds; an answer after three times as long counts as hanging. */
const ANSWER_MS_MAX = 30_000;
/** The shop is filled again after this many requests, since some of them empty it. */
const RESTOCK_EVERY = 1_500;
/** At most this many causes are reduced in one run. */
const CAUSES_MAX = 12;
const SHRINKS_MAX = 60;
const SHOWN_LENGTH_MAX = 600;

export const fuzz: Fault = {
  name: "fuzz",
  what: "good, odd and broken requests to every operation of the OpenAPI document",
  short: { rounds: 2_500, minutes: 2 },
  long: { rounds: 100_000, minutes: 45 },
  run,
};

async function run(options: FaultOptions): Promise<FaultReport> {
  using folder = openScratchFolder();
  await using duka = await openRunningDuka({
    folder: folder.path,
    settings: { DUKA_LOG_LEVEL: "error", DUKA_TRUSTED_PROXIES: "127.0.0.1" },
  });
  const fuzzing = new Fuzz(duka, options);
  await fuzzing.run();
  const audited = await runDuka(["check"], { folder: folder.path });
  const { log } = await duka.end("SIGTERM");
  const { figures, broken } = fuzzing.report();
  const unsound = audited.code === 0 ? [] : [`duka check: ${audited.stdout}`];
  const causes = log.split("\n").filter((line) => line.includes('"level"'));
  return {
    figures: { ...figures, "lines in the log": causes.length },
    broken: [...broken, ...unsound, ...causes.slice(0, CAUSES_MAX)],
  };
}

/** Requests after which stored answers change: an emptied shop loses them, an erased customer is redacted. */
const FORGETTING = /^POST \/v2\/test\/reset|^POST .*\/erase$|^DELETE \/v2\/customers/;

const EMPTYING = /^POST \/v2\/test\/reset/;

type Body = (ids: Readonly<Record<string, string>>) => unknown;

const paidBy = (terms: object): [string, Body] => [
  "POST /v2/payments/initialize",
  ({ ord }) => ({ order_id: ord, method: "card", ...terms }),
];

/** One resource of each kind: products, orders, payments in several states. */
const stockOf: readonly (readonly [name: string, body?: Body])[] = [
  ["PUT /v2/store"],
  ["POST /v2/products"],
  ["POST /v2/products"],
  ["POST /v2/customers"],
  ["POST /v2/orders"],
  paidBy({ card_token: "pm_card_visa" }),
  ["POST /v2/orders"],
  paidBy({ card_token: "pm_test_amountShort" }),
  ["POST /v2/orders"],
  paidBy({ method: "mobile_money", phone: "+233551234985" }),
  ["POST /v2/carts", () => ({})],
  ["POST /v2/payments/initialize", () => ({ amount: 5, currency: "USD", method: "gateway" })],
  ["POST /v2/keys"],
  ["POST /v2/webhooks"],
  ["POST /v2/test/seed", () => ({})],
];

/** Whether a key revoked itself, or one that the fuzz made used up its rate. */
function isSpent({ headers }: FuzzRequest, { status }: FuzzAnswer): boolean {
  const isOwn = headers["Authorization"] === undefined;
  return status === 401 || (status === 429 && !isOwn);
}

function keyOf({ headers }: FuzzRequest): string | undefined {
  return headers["Idempotency-Key"];
}

/** A request and what is wrong with its answer. */
interface Finding {
  readonly request: FuzzRequest;
  readonly complaint: string;
}

class Fuzz {
  readonly #duka: RunningDuka;
  readonly #options: FaultOptions;
  readonly #rules: AnswerRules;
  readonly #memory: Memory;
  readonly #statuses = new Map<number, number>();
  readonly #succeeded = new Set<string>();
  /** By operation and complaint: each cause is reported once. */
  readonly #findings = new Map<string, Finding>();
  #sent = 0;
  #restocked = 0;
  /** Counts the requests that change stored answers: begun, and not yet ended. */
  #forgotten = 0;
  #forgetting = 0;
  readonly #underWay = new Set<Promise<void>>();
  /** Nothing else runs while the shop is emptied: concurrent requests would lose their data. */
  #emptying: Promise<void> | null = null;

  constructor(duka: RunningDuka, options: FaultOptions) {
    this.#duka = duka;
    this.#options = options;
    this.#rules = new AnswerRules(duka.key);
    this.#memory = new Memory(new Chance(options.seed));
  }

  async run(): Promise<void> {
    const { seed, progress } = this.#options;
    const extent = openExtent(this.#options);
    // Protects the key and the resources that the fuzz itself needs.
    this.#memory.forbid((await this.#ask(plain("GET", "/v2/keys"))).text);
    await this.#restock();
    const lanes = Array.from({ length: LANES }, async (_, lane) => {
      const requests = new Requests(new Chance(seed * LANES + lane), this.#memory);
      while (!extent.isUsedUp(this.#sent)) {
        this.#sent += 1;
        if (this.#sent % RESTOCK_EVERY === 0) await this.#inPrivate(() => this.#restock());
        if (this.#sent % 5_000 === 0)
          progress(`${this.#sent} requests, ${this.#findings.size} findings`);
        await this.#inTurn(requests.next());
      }
    });
    await Promise.all(lanes);
    for (const [cause, finding] of [...this.#findings].slice(0, CAUSES_MAX)) {
      this.#findings.set(cause, await this.#smaller(finding));
    }
  }

  report(): FaultReport {
    const count = (first: number) =>
      [...this.#statuses].reduce(
        (sum, [status, n]) => ((status / 100) >> 0 === first ? sum + n : sum),
        0,
      );
    const statuses = [...this.#statuses].toSorted(([one], [other]) => one - other);
    return {
      figures: {
        seed: this.#options.seed,
        requests: this.#sent,
        succeeded: count(2),
        refused: count(4),
        unavailable: count(5),
        statuses: statuses.map(([status, n]) => `${status}: ${n}`).join(", "),
        "operations that succeeded": `${this.#succeeded.size} of ${described.length}`,
        "that never did": described
          .map(({ name }) => name)
          .filter((name) => !this.#succeeded.has(name))
          .join(", "),
      },
      broken: [...this.#findings.values()].map(
        ({ request, complaint }) =>
          `seed ${this.#options.seed}: ${cut(complaint)}\n${shown(request)}`,
      ),
    };
  }

  /** Runs beside others, except requests that empty the shop, which run alone. */
  async #inTurn(request: FuzzRequest): Promise<void> {
    if (EMPTYING.test(nameOf(request))) return this.#inPrivate(() => this.#try(request));
    while (this.#emptying !== null) await this.#emptying;
    const trying = this.#try(request).finally(() => this.#underWay.delete(trying));
    this.#underWay.add(trying);
    return trying;
  }

  async #inPrivate(work: () => Promise<void>): Promise<void> {
    while (this.#emptying !== null) await this.#emptying;
    this.#emptying = Promise.all(this.#underWay).then(work);
    await this.#emptying;
    this.#emptying = null;
  }

  async #try(request: FuzzRequest): Promise<void> {
    const complaint = await this.#complaint(request);
    if (complaint === null) return;
    const cause = `${request.method} ${request.operation.path} ${complaint.replaceAll(/[0-9]+|_\w{26}/g, "").slice(0, 160)}`;
    if (!this.#findings.has(cause)) this.#findings.set(cause, { request, complaint });
  }

  async #complaint(request: FuzzRequest): Promise<string | null> {
    const forgotten = this.#forgotten;
    let answer: FuzzAnswer;
    try {
      answer = await this.#answer(request);
    } catch (error) {
      return `no answer: ${String(error)}`;
    }
    const { status, text } = answer;
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    if (status < 300) {
      this.#memory.learn(text);
      if (request.method === request.operation.method) this.#succeeded.add(request.operation.name);
    }
    const complaint = this.#rules.complaint(request, answer);
    if (complaint !== null) return `${complaint}: ${text}`;
    return this.#hasForgotten(forgotten) ? null : this.#difference(request, answer);
  }

  async #answer(request: FuzzRequest): Promise<FuzzAnswer> {
    const forgets = FORGETTING.test(nameOf(request)) ? 1 : 0;
    this.#forgetting += forgets;
    try {
      return await this.#ask(request);
    } finally {
      this.#forgetting -= forgets;
      this.#forgotten += forgets;
    }
  }

  /** Whether an answer stored by then may have changed since. */
  #hasForgotten(before: number): boolean {
    return this.#forgotten !== before || this.#forgetting > 0;
  }

  /** A repeated request with the same key returns the same answer. */
  async #difference(request: FuzzRequest, first: FuzzAnswer): Promise<string | null> {
    const isWrite = request.method !== "GET" && request.method !== "HEAD";
    const isKept = isWrite && first.status < 300 && keyOf(request) !== undefined;
    if (!isKept) return null;
    const forgotten = this.#forgotten;
    const again = await this.#ask(request);
    if (again.text === first.text && again.status === first.status) return null;
    if (this.#hasForgotten(forgotten) || isSpent(request, again)) return null;
    return `the same key is answered ${again.status} ${again.text} after ${first.status} ${first.text}`;
  }

  async #ask({ method, path, headers, body }: FuzzRequest): Promise<FuzzAnswer> {
    const response = await fetch(`${this.#duka.url}${path}`, {
      method,
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
      headers: { Authorization: `Bearer ${this.#duka.key}`, ...headers },
      ...(body === null ? {} : { body }),
    });
    const { status } = response;
    return { status, headers: response.headers, text: await response.text() };
  }

  /** Creates one resource of each kind for the next requests. */
  async #restock(): Promise<void> {
    this.#restocked += 1;
    const n = this.#restocked * 1_000_000;
    for (const [at, [name, given]] of stockOf.entries()) {
      const [method = "", path = ""] = name.split(" ");
      const ids = this.#memory.latest();
      const body = given?.(ids) ?? wholeBody(name, { ids, n: n + at });
      this.#memory.learn((await this.#ask(plain(method, path, body))).text);
    }
    for (const list of ["inventory", "events", "payments", "orders"]) {
      this.#memory.learn((await this.#ask(plain("GET", `/v2/${list}`))).text);
    }
  }

  /** The request without everything that is not needed for the wrong answer. */
  async #smaller(finding: Finding): Promise<Finding> {
    let smallest = finding;
    let isAlone = false;
    let left = SHRINKS_MAX;
    const candidates = [finding.request];
    for (let one = candidates.shift(); one !== undefined && left > 0; one = candidates.shift()) {
      left -= 1;
      const complaint = await this.#complaint(one);
      if (complaint === null) continue;
      isAlone = true;
      smallest = { request: one, complaint };
      candidates.splice(0, candidates.length, ...smallerThan(one));
    }
    const how = isAlone ? "also alone" : "not again alone";
    return { ...smallest, complaint: `${smallest.complaint} (${how})` };
  }
}

function nameOf({ method, path }: FuzzRequest): string {
  return `${method} ${path}`;
}

/** The request without a header, its query, or a part of its body. */
function smallerThan(request: FuzzRequest): FuzzRequest[] {
  const { headers, path, body } = request;
  const fewer = Object.keys(headers)
    .filter((name) => name !== "Content-Type")
    .map((name) => {
      const { [name]: _, ...rest } = headers;
      return { ...request, headers: rest };
    });
  const bare = path.includes("?") ? [{ ...request, path: path.split("?")[0] ?? "" }] : [];
  return [...fewer, ...bare, ...smallerBodies(body).map((one) => ({ ...request, body: one }))];
}

function smallerBodies(body: FuzzRequest["body"]): string[] {
  if (typeof body !== "string") return [];
  try {
    const value: unknown = JSON.parse(body);
    return placesIn(value).map((place) => JSON.stringify(without(value, place)));
  } catch {
    // It is no JSON: no part can be removed without changing its meaning.
    return [];
  }
}

/** A copy of a value without one place. */
function without(value: unknown, [key = "", ...rest]: readonly string[]): unknown {
  const copy: Record<string, unknown> = { ...Object(value) };
  if (rest.length === 0) Reflect.deleteProperty(copy, key);
  else copy[key] = without(copy[key], rest);
  return Array.isArray(value) ? Object.values(copy) : copy;
}

function plain(method: string, path: string, body?: unknown): FuzzRequest {
  const operation: Operation = {
    name: `${method} ${path}`,
    method,
    path,
    scopes: [],
    isPublic: false,
    parameters: [],
    body: null,
  };
  return {
    operation,
    method,
    path,
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  };
}

/** The request as a curl command. */
function shown({ method, path, headers, body }: FuzzRequest): string {
  const given = Object.entries(headers).map(([name, value]) => `    ${name}: ${value}\n`);
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return `    ${method} ${cut(path)}\n${cut(given.join(""))}    ${cut(text)}`;
}

function cut(text: string): string {
  return text.length <= SHOWN_LENGTH_MAX ? text : `${text.slice(0, SHOWN_LENGTH_MAX)}…`;
}
