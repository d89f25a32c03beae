// Deliveries as a receiver in a third process sees them: how many in a second, how long after the
// commit, what they cost the orders taken meanwhile, and what a dead endpoint costs the others.

import { type Duka, type Sink, startDuka, startSink } from "./programs.ts";
import {
  ask,
  type Load,
  measure,
  type Measured,
  median,
  prepaidOrders,
  print,
  quantile,
  show,
  stock,
} from "./shop.ts";
import type { Arrival } from "./sink.ts";

export const deliveryParts = ["drain", "delay", "selling", "dead"] as const;
export type DeliveryPart = (typeof deliveryParts)[number];

/** Deliveries of one drain, to all endpoints together, what is sent while it grows included. */
const BACKLOG = 20_000;
/** Events per second that leave everything idle in between. */
const LOW_RATE = 20;
const LOW_SECONDS = 10;
/** Rounds of orders without and with deliveries: many short ones, because the machine drifts. */
const SELLING_ROUNDS = 6;
const SELLING_SECONDS = 2;
/** A shop has fifty endpoints at most: so many beside the dead one. */
const HEALTHY = 49;
/** The delivery of a backlog takes no longer, milliseconds. */
const DRAIN_MS_MAX = 60_000;

/** What every part works with. */
interface Bench {
  readonly duka: Duka;
  readonly sink: Sink;
  readonly orders: Load;
  /** Orders per second without any endpoint. */
  readonly peak: number;
}

/** Measures these parts on a shop of its own. */
export async function measureDeliveries(
  folder: string,
  parts: readonly DeliveryPart[],
): Promise<void> {
  const duka = await startDuka(folder, null);
  const sink = await startSink();
  const orders = { target: "POST /v2/orders", bodies: prepaidOrders(await stock(duka)) };
  console.log("\nPOST /v2/orders, no webhooks: the log that is delivered below");
  let made = 0;
  let peak = 0;
  while (made < BACKLOG) {
    const filled = await measure(duka, orders);
    print("duka", filled);
    made += filled.answers;
    peak = Math.max(peak, filled.perSecond);
  }
  const bench = { duka, sink, orders, peak };
  for (const part of deliveryParts) if (parts.includes(part)) await run[part](bench);
  // Stop the receiver first, because it may leave connections unanswered.
  await sink.stop();
  await duka.stop();
}

const run: Record<DeliveryPart, (bench: Bench) => Promise<void>> = {
  drain: async (bench) => {
    console.log("\nA backlog is delivered while nothing else happens");
    for (const endpoints of [1, 10]) await drain(bench, endpoints);
    await replay(bench);
  },
  delay: async (bench) => {
    console.log(
      `\nFrom the event to the receiver's first byte, the commit included, ${LOW_RATE}/s`,
    );
    await withEndpoints(bench, ["/healthy"], async () => printDelays("", await trickle(bench)));
  },
  selling,
  dead: async (bench) => {
    console.log(`\nFrom the event to the first byte, ${HEALTHY} endpoints, ${LOW_RATE} events/s`);
    const healthy = Array.from({ length: HEALTHY }, (_, index) => `/healthy/${index}`);
    await withEndpoints(bench, healthy, async () => {
      printDelays("none dead", await trickle(bench, HEALTHY));
      await withEndpoints(bench, ["/dead"], async () => {
        printDelays("one dead", await trickle(bench, HEALTHY));
      });
    });
  },
};

/** Takes orders faster than they are delivered to so many endpoints, then delivers what is left. */
async function drain(bench: Bench, endpoints: number): Promise<void> {
  const { duka, sink, orders, peak } = bench;
  const paths = Array.from({ length: endpoints }, (_, index) => `/healthy/${index}`);
  await withEndpoints(bench, paths, async () => {
    const { answers } = await measure(duka, { ...orders, seconds: BACKLOG / endpoints / peak });
    const from = { at: Date.now(), cpu: duka.cpuSeconds() };
    const left = (await arrived(sink, answers * endpoints)).filter(({ at }) => at > from.at);
    printDrain(`fresh, ${endpoints} to tell`, left, duka.cpuSeconds() - from.cpu);
  });
}

/** Tells one endpoint of everything that happened before. */
async function replay(bench: Bench): Promise<void> {
  const { duka, sink } = bench;
  await withEndpoints(bench, ["/healthy"], async ([id]) => {
    const before = duka.cpuSeconds();
    await ask(duka, ["POST", `/v2/webhooks/${id}/replay`], { after: 0, until: BACKLOG });
    printDrain("replayed to 1", await arrived(sink, BACKLOG), duka.cpuSeconds() - before);
  });
}

function printDrain(name: string, arrivals: readonly Arrival[], cpuSeconds: number): void {
  const times = arrivals.map(({ at }) => at);
  const seconds = (quantile(times, 1) - quantile(times, 0)) / 1000;
  console.log(
    `  ${name.padEnd(18)}${show(times.length)} in all${show(times.length / seconds)}/s` +
      `${show((cpuSeconds * 1e6) / times.length)} us CPU`,
  );
}

/** One order after the other, far apart; answers what came of them at so many endpoints. */
async function trickle({ duka, sink, orders }: Bench, endpoints = 1): Promise<Arrival[]> {
  const terms = { rate: LOW_RATE, connections: 1, seconds: LOW_SECONDS };
  const { answers } = await measure(duka, { ...orders, ...terms });
  return arrived(sink, answers * endpoints);
}

/** Takes orders at half the peak rate, in turn without an endpoint and with one. */
async function selling(bench: Bench): Promise<void> {
  const { duka, sink, orders } = bench;
  console.log("\nPOST /v2/orders at half the peak rate, without and with their delivery");
  const load = { ...orders, rate: bench.peak / 2, seconds: SELLING_SECONDS };
  const slowed: { alone: Measured; beside: Measured }[] = [];
  for (let round = 0; round < SELLING_ROUNDS; round += 1) {
    const alone = await measure(duka, load);
    print("alone", alone);
    await withEndpoints(bench, ["/healthy"], async () => {
      const beside = await measure(duka, load);
      print("beside", beside);
      slowed.push({ alone, beside });
      const during = Number(await (await fetch(askUrl(sink))).text());
      const from = performance.now();
      await arrived(sink, beside.answers);
      const late = performance.now() - from;
      console.log(
        `  delivered meanwhile ${show(during / beside.seconds)}/s, the rest in ${late.toFixed(0)} ms`,
      );
    });
  }
  const ratioBy = (of: (one: Measured) => number) =>
    median(slowed.map(({ alone, beside }) => of(beside) / of(alone))).toFixed(2);
  console.log(
    `  ratio ${ratioBy((one) => one.perSecond)} by throughput, ${ratioBy((one) => one.p50)} by p50, ` +
      `${ratioBy((one) => one.p99)} by p99`,
  );
}

/** Runs something while these paths of the sink are told of everything; forgets them afterwards. */
async function withEndpoints(
  { duka, sink }: Bench,
  paths: readonly string[],
  work: (ids: readonly string[]) => Promise<void>,
): Promise<void> {
  const ids: string[] = [];
  for (const path of paths) {
    const url = `http://127.0.0.1:${sink.port}${path}`;
    const made = await ask(duka, ["POST", "/v2/webhooks"], { url, events: ["*"] });
    ids.push(/whk_\w+/.exec(made)?.[0] ?? "");
  }
  await work(ids);
  for (const id of ids) await ask(duka, ["DELETE", `/v2/webhooks/${id}`]);
}

function askUrl({ askPort }: Sink): string {
  return `http://127.0.0.1:${askPort}/`;
}

/** Everything that arrived since the last time, as soon as it is so much. */
async function arrived(sink: Sink, count: number): Promise<Arrival[]> {
  const from = performance.now();
  while (Number(await (await fetch(askUrl(sink))).text()) < count) {
    if (performance.now() - from > DRAIN_MS_MAX) throw new Error("Not everything arrived.");
    await Bun.sleep(10);
  }
  const told: Arrival[] = JSON.parse(await (await fetch(askUrl(sink), { method: "POST" })).text());
  if (told.length !== count) throw new Error(`${told.length} arrived instead of ${count}.`);
  return told;
}

function printDelays(name: string, arrivals: readonly Arrival[]): void {
  const delays = arrivals.map(({ delayMs }) => delayMs);
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) => show(quantile(delays, share), 1));
  console.log(`  ${name.padEnd(10)}${p50} ms p50${p99} ms p99${max} ms at most`);
}
