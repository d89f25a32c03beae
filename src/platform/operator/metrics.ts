// Metrics in Prometheus' text format. Invariant: the number of series is bounded, so no label contains text that a caller
// chose, but for the first few names of clients.

import Counter from "prom-client/lib/counter.js";
import Gauge from "prom-client/lib/gauge.js";
import Histogram from "prom-client/lib/histogram.js";
import Registry from "prom-client/lib/registry.js";

import type { AbuseKind } from "#kernel/abuse.ts";
import { isUnavailable } from "#kernel/refusal.ts";
import type { Commit } from "#platform/database/database.ts";
import { type Mode, modes } from "#platform/database/shop.ts";
import { type Router, unlisted } from "#platform/http/router.ts";

import { addProgramGauges } from "./program-gauges.ts";

/** Seconds; from a cached read to a workflow that calls other services. */
const ANSWER_SECONDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 30];
const COMMIT_SECONDS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1];
const DELAY_SECONDS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1];
const GROUP_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const MILLISECOND = 1_000;
/** Clients that are counted by name; those after them are counted together. */
const CLIENTS_MAX = 20;

/**
 * One completed request. The route is the path pattern with parameters in braces, never the
 * requested path.
 */
interface AnsweredRequest {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
}

/** A call of a payment gateway in trouble; both are words of the program. */
interface CalledInTrouble {
  readonly gateway: string;
  readonly trouble: string;
}

/** A notice of a payment gateway that was received; all are words of the program. */
interface ReceivedNotice {
  readonly gateway: string;
  readonly topic: string;
  readonly result: string;
}

/** A gauge that is read on each scrape. */
export interface GaugeTerms {
  readonly name: `duka_${string}`;
  readonly help: string;
  readonly read: (mode: Mode) => Promise<number>;
}

/** The same by who reads the log of events. */
interface ReaderGaugeTerms extends Omit<GaugeTerms, "read"> {
  readonly read: (mode: Mode) => Promise<Readonly<Record<string, number>>>;
}

/** A gauge of what both modes share. */
interface PlaceGaugeTerms extends Omit<GaugeTerms, "read"> {
  readonly read: () => Promise<Readonly<Record<string, number | null>>>;
}

export interface Metrics {
  readonly countAnswer: (answered: AnsweredRequest) => void;
  /** Counts a request with a valid key whose client names itself, such as `js/0.2.0`. */
  readonly countClient: (client: string) => void;
  /** Counts a request with a valid key for an operation that will end. */
  readonly countDeprecated: (operation: string) => void;
  /** Counts a visitor who came from a proxy that does not say whom it forwards. */
  readonly countUnforwarded: () => void;
  readonly countCommit: (mode: Mode, commit: Commit) => void;
  readonly countNotice: (mode: Mode, received: ReceivedNotice) => void;
  readonly countTrouble: (mode: Mode, trouble: CalledInTrouble) => void;
  readonly countRefused: (mode: Mode, kind: AbuseKind) => void;
  /** Counts how late a timer fired. */
  readonly countLoopDelay: (delayMs: number) => void;
  /** The outcome is a word of the program. */
  readonly countMail: (outcome: string) => void;
  /** Adds a gauge for both modes. */
  addGauge(terms: GaugeTerms): void;
  /** Adds a gauge by reader for both modes; a reader without a figure is left out. */
  addReaderGauge(terms: ReaderGaugeTerms): void;
  /** Adds a gauge by place; a place without a figure is left out. */
  addPlaceGauge(terms: PlaceGaugeTerms): void;
  /** The whole scrape. */
  render(): Promise<string>;
  readonly contentType: string;
}

/** Opens an empty registry. It is not global, so that two servers in one process do not mix. */
export function openMetrics(terms: { readonly version: string; readonly engine: string }): Metrics {
  const registry = new Registry();
  const registers = [registry];
  addProgramGauges(registers, terms);
  const answers = new Counter({
    name: "duka_http_requests_total",
    help: "Completed requests.",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "duka_http_request_duration_seconds",
    help: "Time from receiving a request to its response.",
    labelNames: ["method", "route"],
    buckets: ANSWER_SECONDS,
    registers,
  });
  const refused = new Counter({
    name: "duka_refused_total",
    help: "What the limits against abuse refused, and orders that strangers' share of the stock had no room for.",
    labelNames: ["mode", "kind"],
    registers,
  });
  const { troubles, notices, mails } = addOutside(registers);
  const visits = addCallers(registers);
  return {
    contentType: registry.contentType,
    countAnswer: ({ method, route, status, durationMs }) => {
      answers.inc({ method, route, status });
      durations.observe({ method, route }, durationMs / MILLISECOND);
    },
    ...visits,
    ...addTurns(registers),
    countNotice: (mode, { gateway, topic, result }) =>
      notices.inc({ mode, gateway, topic, result }),
    countRefused: (mode, kind) => refused.inc({ mode, kind }),
    countMail: (outcome) => mails.inc({ outcome }),
    countTrouble: (mode, { gateway, trouble }) => troubles.inc({ mode, gateway, trouble }),
    addGauge: (gauge) => addGauge(registers, gauge),
    addReaderGauge: (gauge) => addReaderGauge(registers, gauge),
    addPlaceGauge: (gauge) => addPlaceGauge(registers, gauge),
    render: () => registry.metrics(),
  };
}

/** Measures what others wait for: commits, and turns of the event loop. */
function addTurns(registers: Registry[]): Pick<Metrics, "countCommit" | "countLoopDelay"> {
  const commits = new Histogram({
    name: "duka_commit_duration_seconds",
    help: "Time from the beginning of a transaction to its durable commit.",
    labelNames: ["mode"],
    buckets: COMMIT_SECONDS,
    registers,
  });
  const groups = new Histogram({
    name: "duka_commit_group_size",
    help: "Stories that shared one commit.",
    labelNames: ["mode"],
    buckets: GROUP_SIZES,
    registers,
  });
  const delays = new Histogram({
    name: "duka_loop_delay_seconds",
    help: "How late a timer of 20 ms fired: for so long nothing was answered.",
    buckets: DELAY_SECONDS,
    registers,
  });
  return {
    countCommit: (mode, { size, durationMs }) => {
      groups.observe({ mode }, size);
      commits.observe({ mode }, durationMs / MILLISECOND);
    },
    countLoopDelay: (delayMs) => delays.observe(delayMs / MILLISECOND),
  };
}

/** Counts how callers come. */
function addCallers(
  registers: Registry[],
): Pick<Metrics, "countClient" | "countDeprecated" | "countUnforwarded"> {
  const deprecated = new Counter({
    name: "duka_deprecated_requests_total",
    help: "Requests for operations that will end, by the id of the operation.",
    labelNames: ["operation"],
    registers,
  });
  const clients = new Counter({
    name: "duka_client_requests_total",
    help: "Requests of clients that name themselves, by client and version.",
    labelNames: ["client"],
    registers,
  });
  const unforwarded = new Counter({
    name: "duka_proxy_headers_missing_total",
    help: "Requests of visitors from this machine or a trusted proxy without X-Forwarded-For: all count as one address.",
    registers,
  });
  const named = new Set<string>();
  return {
    countClient: (client) => {
      if (named.size < CLIENTS_MAX) named.add(client);
      clients.inc({ client: named.has(client) ? client : "other" });
    },
    countDeprecated: (operation) => deprecated.inc({ operation }),
    countUnforwarded: () => unforwarded.inc(),
  };
}

/** Counts the calls to programs that the shop talks to. */
function addOutside(registers: Registry[]) {
  const troubles = new Counter({
    name: "duka_gateway_troubles_total",
    help: "Calls of payment gateways that were misconfigured, rate limited, or answered by surprise.",
    labelNames: ["mode", "gateway", "trouble"],
    registers,
  });
  const notices = new Counter({
    name: "duka_gateway_notices_total",
    help: "Notices of payment gateways: taken, ignored (of another shop or topic), or rejected (not signed).",
    labelNames: ["mode", "gateway", "topic", "result"],
    registers,
  });
  const mails = new Counter({
    name: "duka_emails_total",
    help: "Attempts to hand an email of live mode to the mail server: accepted, refused for good, or to be tried later.",
    labelNames: ["outcome"],
    registers,
  });
  return { troubles, notices, mails };
}

function addGauge(registers: Registry[], { read, ...terms }: GaugeTerms): void {
  addRows(registers, ["mode"], {
    ...terms,
    read: () => ofModes(async (mode) => [[{ mode }, await read(mode)]]),
  });
}

function addReaderGauge(registers: Registry[], { read, ...terms }: ReaderGaugeTerms): void {
  addRows(registers, ["mode", "reader"], {
    ...terms,
    read: () =>
      ofModes(async (mode) =>
        Object.entries(await read(mode)).map(([reader, figure]) => [{ mode, reader }, figure]),
      ),
  });
}

function addPlaceGauge(registers: Registry[], { read, ...terms }: PlaceGaugeTerms): void {
  addRows(registers, ["place"], {
    ...terms,
    read: async () => Object.entries(await read()).map(([place, figure]) => [{ place }, figure]),
  });
}

/** A figure with its labels; one that is null is left out. */
type Row<Label extends string> = readonly [Readonly<Record<Label, string>>, number | null];

interface RowGaugeTerms<Label extends string> extends Omit<GaugeTerms, "read"> {
  readonly read: () => Promise<readonly Row<Label>[]>;
}

function addRows<Label extends string>(
  registers: Registry[],
  labelNames: Label[],
  { name, help, read }: RowGaugeTerms<Label>,
): void {
  const gauge: Gauge<Label> = new Gauge({
    name,
    help,
    labelNames,
    registers,
    collect: async () => {
      const rows = await read();
      // At once, so that a scrape beside this one finds all figures.
      gauge.reset();
      for (const [labels, figure] of rows) if (figure !== null) gauge.set(labels, figure);
    },
  });
}

/** Reads the figures of both modes; those of a mode are left out while its database is away. */
async function ofModes<Label extends string>(
  read: (mode: Mode) => Promise<Row<Label>[]>,
): Promise<Row<Label>[]> {
  const found = await Promise.all(modes.map((mode) => unlessAway(() => read(mode))));
  return found.flatMap((rows) => rows ?? []);
}

/** Reads a figure; null while the database is away: other gauges tell that, and are scraped then, too. */
async function unlessAway<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    return null;
  }
}

/**
 * Adds `/metrics`. To others than the operator it responds 404, like an unknown path, because the figures reveal how
 * much a shop sells.
 */
export function mountMetrics(
  app: Router,
  { metrics, isOperator }: { metrics: Metrics; isOperator: (request: Request) => boolean },
): void {
  app.all(
    "/metrics",
    async ({ request }) => {
      if (!isOperator(request)) return new Response(null, { status: 404 });
      if (request.method !== "GET" && request.method !== "HEAD") {
        return new Response(null, { status: 405, headers: { Allow: "GET, HEAD" } });
      }
      return new Response(await metrics.render(), {
        headers: { "Content-Type": metrics.contentType },
      });
    },
    unlisted,
  );
}
