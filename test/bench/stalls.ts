// For how long one question holds all others up: each question of a large shop is asked once, and each pair of filters
// of orders, while `/livez` is asked every 20 ms. The index of lines and the sums of analytics are emptied first, as they
// are after an upgrade. At the end the program is stopped for a while, as a laptop that is closed, and has to go on.

import { Database as SqliteFile } from "bun:sqlite";

import { takeShop } from "./built-shop.ts";
import { type Duka, startDuka } from "./programs.ts";
import { questions, type ShopFacts, SUMMARY } from "./questions.ts";
import { factsOf } from "./scale.ts";
import { ask } from "./shop.ts";

export const STALL_ORDERS = 1_000_000;
const LOOK_MS = 20;
/** What no question may pass. */
const HOLD_MS_MAX = 50;
const STOP_MS = 30_000;
/** Each reader of the log moves within this after the program goes on. */
const MOVE_MS_MAX = 10_000;
const TITLE_CELLS = 72;
const SHOWN = 20;

interface Terms {
  readonly orders: number;
  readonly rebuild: boolean;
}

/** For how long others waited beside a question, and the question itself, milliseconds. */
interface Held {
  readonly title: string;
  readonly ms: number;
  readonly tookMs: number;
}

/** Prints the questions that held the thread for the longest. Throws once all is printed if a bound does not hold. */
export async function measureStalls(scratch: string, terms: Terms): Promise<void> {
  const { folder, key } = await takeShop(scratch, terms);
  const database = `${folder}/test.sqlite`;
  empty(database);
  const facts = factsOf(database, terms.orders);
  const duka = await startDuka(folder, key);
  const held: Held[] = [];
  for (const [title, path] of asked(facts)) {
    const watch = watchLivez(duka);
    const from = performance.now();
    await answered(duka, path);
    const tookMs = performance.now() - from;
    held.push({ title, ms: await watch.worst(), tookMs });
  }
  held.sort((one, other) => other.ms - one.ms);
  console.log(`\n${held.length} questions, the worst /livez beside each, ms, and the answer's own`);
  for (const { title, ms, tookMs } of held.slice(0, SHOWN)) {
    const note = ms > HOLD_MS_MAX ? "  TOO LONG" : "";
    console.log(
      `  ${title.padEnd(TITLE_CELLS)}${ms.toFixed(0).padStart(8)}${tookMs.toFixed(0).padStart(8)}${note}`,
    );
  }
  const still = await measureStop(duka);
  console.log(`memory of no file after it: ${megabytes(duka.memory().anonymous)}`);
  await duka.stop();
  requireBounds(held, still);
}

/** Throws an error that names the questions that held others up for too long, and the readers that did not move. */
export function requireBounds(held: readonly Held[], still: Iterable<string>): void {
  const broken = [
    ...held
      .filter(({ ms }) => ms > HOLD_MS_MAX)
      .map(({ title, ms }) => `${title}: /livez took ${ms.toFixed(0)} ms of ${HOLD_MS_MAX}`),
    ...[...still].map((reader) => `${reader} did not move in ${MOVE_MS_MAX / 1000} s`),
  ];
  if (broken.length > 0) throw new Error(`stalls: ${broken.join("; ")}`);
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(0)} MB`;
}

function empty(database: string): void {
  using opened = new SqliteFile(database);
  const tables = opened.query<{ name: string }, []>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND (name = 'order_line_terms' OR name GLOB 'analytics_*')",
  );
  for (const { name } of tables.all()) opened.run(`DELETE FROM ${name}`);
  opened.run(
    "UPDATE log_cursors SET sequence = 0 WHERE consumer IN ('order_line_terms', 'analytics')",
  );
}

/** Each question by itself, then each pair of filters. */
function asked(of: ShopFacts): (readonly [title: string, path: string])[] {
  const single = questions.flatMap((one) =>
    one
      .paths(of)
      .slice(0, 1)
      .map((path) => [one.title, path] as const),
  );
  const own = filtersOf(of);
  const lone = own.map((one) => [one, `/v2/orders?${one}`] as const);
  const pairs = own.flatMap((one, index) =>
    own
      .slice(index + 1)
      .filter((other) => other.split("=")[0] !== one.split("=")[0])
      .map((other) => [`${one}&${other}`, `/v2/orders?${one}&${other}`] as const),
  );
  return [...single, ...lone, ...pairs, [SUMMARY, SUMMARY]];
}

/** One common value of each filter of orders, and one that no order has. */
function filtersOf({ regular, productId, sample }: ShopFacts): string[] {
  const middle = new Date(sample[Math.floor(sample.length / 2)]?.created_at ?? 0).toISOString();
  return [
    "status=open",
    "status=cancelled",
    "payment_status=paid",
    "payment_status=overpaid",
    "fulfillment_status=fulfilled",
    "fulfillment_status=unfulfilled",
    "payment_method=card",
    "payment_method=cash",
    "channel=phone",
    "channel=nowhere",
    "to_pack=true",
    "to_pack=false",
    `customer_id=${regular.id}`,
    `product_id=${productId}`,
    "sku=NONE",
    `created_at[lt]=${middle}`,
    `paid_at[gte]=${middle}`,
    `updated_at[lt]=${middle}`,
    "q=mug",
  ];
}

/** Asks once, whether the page is short or not; a summary may ask to wait. */
async function answered(duka: Duka, path: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${duka.port}${path}`, {
    headers: { Authorization: `Bearer ${duka.key}` },
  });
  await answer.text();
  if (!answer.ok && answer.status !== 503) throw new Error(`${path}: ${answer.status}`);
}

/** Asks `/livez` every 20 ms, one connection each time it is due, until its worst answer is asked for. */
function watchLivez(duka: Duka) {
  const pending: Promise<void>[] = [];
  let worst = 0;
  const look = async () => {
    const from = performance.now();
    await fetch(`http://127.0.0.1:${duka.port}/livez`);
    worst = Math.max(worst, performance.now() - from);
  };
  pending.push(look());
  const timer = setInterval(() => void pending.push(look()), LOOK_MS);
  return {
    worst: async () => {
      clearInterval(timer);
      await Promise.all(pending);
      return worst;
    },
  };
}

/** Prints how long after a stop each reader of the log moves again. Returns those that do not. */
async function measureStop(duka: Duka): Promise<ReadonlySet<string>> {
  const made = await ask(duka, ["POST", "/v2/products"], { name: "Mat", price: 12.5, stock: 99 });
  const line = { variant_id: /var_\w+/.exec(made)?.[0], quantity: 1 };
  for (const pid of duka.pids) process.kill(pid, "SIGSTOP");
  await Bun.sleep(STOP_MS);
  const before = await readersOf(duka, () => {
    for (const pid of duka.pids) process.kill(pid, "SIGCONT");
  });
  const from = performance.now();
  await ask(duka, ["POST", "/v2/orders"], { line_items: [line], paid: { method: "cash" } });
  const waiting = new Set(before.keys());
  while (waiting.size > 0 && performance.now() - from < MOVE_MS_MAX) {
    const now = await readersOf(duka);
    for (const reader of waiting) {
      if ((now.get(reader) ?? 0) > (before.get(reader) ?? 0)) continue;
      waiting.delete(reader);
      console.log(
        `  ${reader} moves ${((performance.now() - from) / 1000).toFixed(1)} s after SIGCONT`,
      );
    }
    await Bun.sleep(LOOK_MS);
  }
  for (const reader of waiting) console.log(`  ${reader} DOES NOT MOVE`);
  return waiting;
}

/** How far each reader of the test shop's log is behind. */
async function readersOf(duka: Duka, first?: () => void): Promise<Map<string, number>> {
  first?.();
  const text = await (await fetch(`http://127.0.0.1:${duka.port}/metrics`)).text();
  const lines = text.matchAll(/^duka_log_reader_behind\{mode="test",reader="(\w+)"\} (\d+)$/gm);
  return new Map([...lines].map(([, reader = "", behind]) => [reader, Number(behind)]));
}
