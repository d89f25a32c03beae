// A large shop beside a small one: the same goods, people and requests, and many times the orders. Both
// are asked in turn, round by round, so that what else the machine does hits both alike.

import { Database as SqliteFile } from "bun:sqlite";
import { statSync } from "node:fs";

import { hasSummary, takeShop } from "./built-shop.ts";
import { type Duka, startDuka, timeOfStart } from "./programs.ts";
import { type Question, questions, type ShopFacts, summaryQuestion } from "./questions.ts";
import { ask, CONNECTIONS, measure, type Measured, median, show } from "./shop.ts";

/** Orders of the shop that the large one is held against. */
export const SMALL = 1000;
/** Short and many, because the machine drifts. */
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 5);
/** Of one round of single requests, one after the other. */
const READ_SECONDS = 0.3;
const WARM_SECONDS = 0.1;
/** Until a server that just started runs as fast as it will, with every kind of request. */
const FIRST_SECONDS = 3;
/** Of one round of orders; there are twice as many, because what they wait for is the disk. */
const ORDER_SECONDS = Number(process.env["BENCH_SECONDS"] ?? 1);
const ORDER_ROUNDS = 2 * ROUNDS;
/** Different orders, buyers and wares that a measure asks for in turn. */
const VARIED = 200;
const BODIES = 2000;
/** What a large shop may take of what a small one takes. */
const RATIO_MAX = 1.3;
const RESIDENT_BYTES_MAX = 200_000_000;
const MEGABYTE = 1_000_000;
/** Enough of everything, that no order of a measurement is refused. */
const UNITS_ON_HAND = 1_000_000;
const BATCH_ROWS = 250;
const TITLE_CELLS = 48;

interface Side {
  readonly duka: Duka;
  readonly facts: ShopFacts;
}

interface Sides {
  readonly small: Side;
  readonly large: Side;
}

/** One round of the same load on both. */
interface Round {
  readonly small: Measured;
  readonly large: Measured;
}

/** Measures both shops and prints how the large one compares. */
export async function measureScale(
  scratch: string,
  { orders, rebuild }: { readonly orders: number; readonly rebuild: boolean },
): Promise<void> {
  const small = await openShop(scratch, { orders: SMALL, rebuild });
  const large = await openShop(scratch, { orders, rebuild });
  const sides = { small, large };
  const asked = (await hasSummary(large.duka)) ? [...questions, summaryQuestion] : questions;
  for (const side of [small, large]) await warmUp(side, asked);
  console.log(
    `\nSingle requests, one after the other: ${ROUNDS} rounds of ${READ_SECONDS} s, in turn; ` +
      "medians of them, and ratios of the quietest\n" +
      `${"".padEnd(TITLE_CELLS)}${heading(small)}${heading(large)}    time   CPU`,
  );
  for (const question of asked) await compareReads(question, sides);
  await compareOrders(sides);
  for (const side of [small, large]) await closeShop(side);
}

async function openShop(
  scratch: string,
  terms: { readonly orders: number; readonly rebuild: boolean },
): Promise<Side> {
  const { folder, key, buildSeconds } = await takeShop(scratch, terms);
  const startMs = await timeOfStart(folder);
  const duka = await startDuka(folder, key);
  const facts = factsOf(duka.database, terms.orders);
  console.log(
    `${told(terms.orders)} orders: ${megabytes(statSync(duka.database).size)}, built in ${buildSeconds} s, ` +
      `start to first 200: ${startMs.toFixed(0)} ms, ${megabytes(duka.memory().now)} resident`,
  );
  return { duka, facts };
}

/** Memory is told after everything: what a server has taken it keeps. */
async function closeShop({ duka, facts }: Side): Promise<void> {
  const { now, most } = duka.memory();
  const note = most > RESIDENT_BYTES_MAX ? "  TOO MUCH" : "";
  console.log(
    `memory, ${told(facts.orders)} orders: ${megabytes(now)} resident in the end, ` +
      `${megabytes(most)} at most${note}`,
  );
  await duka.stop();
}

/** What requests of a built shop are made of. */
export function factsOf(database: string, orders: number): ShopFacts {
  using opened = new SqliteFile(database, { readonly: true });
  const ids = (table: string) =>
    opened
      .query<{ id: string }, []>(`SELECT id FROM ${table}`)
      .all()
      .map(({ id }) => id);
  const regular = opened
    .query<ShopFacts["regular"], []>(
      "SELECT id, email FROM customers ORDER BY orders_count DESC LIMIT 1",
    )
    .get();
  // Room for a whole page below the oldest of them.
  const step = (orders * 0.9) / VARIED;
  const near = opened.query<ShopFacts["sample"][number], [number]>(
    `SELECT id, number, external_id, created_at FROM orders
     WHERE number > ? AND external_id IS NOT NULL ORDER BY number LIMIT 1`,
  );
  const places = Array.from({ length: VARIED }, (_, index) => 1000 + orders * 0.05 + index * step);
  return {
    orders,
    variantIds: ids("variants"),
    customerIds: ids("customers"),
    productId: ids("products")[0] ?? "",
    regular: regular ?? { id: "", email: "" },
    sample: places.flatMap((place) => near.get(Math.floor(place)) ?? []),
  };
}

async function warmUp({ duka, facts }: Side, asked: readonly Question[]): Promise<void> {
  const targets = asked.flatMap((question) =>
    question
      .paths(facts)
      .slice(0, 10)
      .map((path) => `GET ${path}`),
  );
  await measure(duka, {
    target: "all",
    targets,
    bodies: [],
    connections: 4,
    seconds: FIRST_SECONDS,
  });
}

async function compareReads(question: Question, sides: Sides): Promise<void> {
  const loadOf = ({ facts }: Side, seconds: number) => ({
    target: question.title,
    targets: question.paths(facts).map((path) => `GET ${path}`),
    bodies: [],
    connections: 1,
    seconds,
  });
  const sizes: number[] = [];
  for (const side of [sides.small, sides.large]) {
    const [path = ""] = question.paths(side.facts);
    const { data } = JSON.parse(await ask(side.duka, ["GET", path]));
    sizes.push(Array.isArray(data) ? data.length : 0);
    await measure(side.duka, loadOf(side, WARM_SECONDS));
  }
  const rounds = await inTurn(sides, ROUNDS, (side) =>
    measure(side.duka, loadOf(side, READ_SECONDS)),
  );
  // Pages of different lengths are not the same work.
  const note = sizes[0] === sizes[1] ? verdict(rounds) : `  (${sizes.join(" and ")} rows)`;
  console.log(`${question.title.padEnd(TITLE_CELLS)}${describe(rounds)}${note}`);
}

async function compareOrders(sides: Sides): Promise<void> {
  for (const side of [sides.small, sides.large]) await fillShelves(side);
  console.log(
    `\nPOST /v2/orders: ${ORDER_ROUNDS} rounds of ${ORDER_SECONDS} s in turn, ${CONNECTIONS} connections`,
  );
  const loads = new Map(
    [sides.small, sides.large].map((side) => [
      side,
      { target: "POST /v2/orders", bodies: bodiesOf(side.facts), seconds: ORDER_SECONDS },
    ]),
  );
  const rounds = await inTurn(sides, ORDER_ROUNDS, (side) => {
    const load = loads.get(side);
    if (load === undefined) throw new Error("There is no such shop.");
    return measure(side.duka, load);
  });
  const [small, large] = (["small", "large"] as const).map((name) =>
    median(rounds.map((round) => round[name].perSecond)),
  );
  const title = `${small?.toFixed(0)}/s and ${large?.toFixed(0)}/s in the middle`;
  console.log(`${title.padEnd(TITLE_CELLS)}${describe(rounds)}${verdict(rounds)}`);
}

/** The same for both, round by round; who begins changes. */
async function inTurn(
  sides: Sides,
  count: number,
  run: (side: Side) => Promise<Measured>,
): Promise<Round[]> {
  const rounds: Round[] = [];
  for (let round = 0; round < count; round += 1) {
    if (round % 2 === 0) {
      const small = await run(sides.small);
      rounds.push({ small, large: await run(sides.large) });
    } else {
      const large = await run(sides.large);
      rounds.push({ small: await run(sides.small), large });
    }
  }
  return rounds;
}

function describe(rounds: readonly Round[]): string {
  const cell = (name: keyof Round) => {
    const of = rounds.map((round) => round[name]);
    const p50 = median(of.map((one) => one.p50));
    const p99 = median(of.map((one) => one.p99));
    return `${show(p50, 2)}${show(p99, 2)}${show(median(of.map((one) => one.cpuMicroseconds)))}`;
  };
  const ratios = ratiosOf(rounds).map((ratio) => ratio.toFixed(2).padStart(8));
  return `${cell("small")}${cell("large")}${ratios.join("")}`;
}

/** What the large shop takes of what the small one takes in their quietest rounds: time, and CPU. */
function ratiosOf(rounds: readonly Round[]): [time: number, cpu: number] {
  const least = (name: keyof Round, of: (one: Measured) => number) =>
    Math.min(...rounds.map((round) => of(round[name])));
  const ratio = (of: (one: Measured) => number) => least("large", of) / least("small", of);
  return [ratio((one) => one.p50), ratio((one) => one.cpuMicroseconds)];
}

/** One of the two alone may be the machine's noise. */
function verdict(rounds: readonly Round[]): string {
  return Math.min(...ratiosOf(rounds)) > RATIO_MAX ? "  TOO MUCH" : "";
}

/** Goods come in for everything that will be ordered. */
async function fillShelves({ duka, facts }: Side): Promise<void> {
  const ids = wanted(facts);
  for (let from = 0; from < ids.length; from += BATCH_ROWS) {
    const rows = ids
      .slice(from, from + BATCH_ROWS)
      .map((id) => ({ variant_id: id, on_hand: UNITS_ON_HAND }));
    await ask(duka, ["POST", "/v2/inventory/batch"], { rows });
  }
}

/** Every so many of all variants. */
function wanted({ variantIds }: ShopFacts): string[] {
  const step = Math.ceil(variantIds.length / BODIES);
  return variantIds.filter((_, index) => index % step === 0);
}

/** Two lines each, all over the goods and the people. */
function bodiesOf(facts: ShopFacts): string[] {
  const ids = wanted(facts);
  const { customerIds } = facts;
  return Array.from({ length: BODIES }, (_, index) =>
    JSON.stringify({
      customer_id: customerIds[(index * 7919) % customerIds.length],
      line_items: [
        { variant_id: ids[index % ids.length], quantity: 2 },
        { variant_id: ids[(index * 31 + 7) % ids.length], quantity: 1 },
      ],
      payment_method: "mobile_money",
      currency: "USD",
      metadata: { source: "website" },
    }),
  );
}

function heading({ facts }: Side): string {
  return `${told(facts.orders).padStart(10)}: p50, p99 ms, CPU us`.padStart(30);
}

function told(orders: number): string {
  return orders.toLocaleString("en");
}

function megabytes(bytes: number): string {
  return `${(bytes / MEGABYTE).toFixed(0)} MB`;
}
