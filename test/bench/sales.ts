// Duka beside the fixed program, and beside another checkout where one is named: the same goods and the same
// load, in turn. What counts is the ratio.

import { Database as SqliteFile } from "bun:sqlite";
import { join } from "node:path";

import { type Program, startBare, startDuka, timeOfStart } from "./programs.ts";
import {
  type Load,
  measure,
  type Measured,
  median,
  plainOrders,
  prepaidOrders,
  quietCpu,
  ROUNDS,
  SECONDS,
  show,
  type Stock,
  stock,
} from "./shop.ts";
import { megabytes } from "./stalls.ts";
import { writeSupply } from "./supply.ts";

const STARTS = 5;
/** In which what a load left behind is given back. */
const PAUSE_MS = 30_000;
/** Long enough for the hot code of all programs to be compiled. */
const WARM_SECONDS = 3;
const ORDERS = "POST /v2/orders";
const COLUMNS = ["per s", "p50 ms", "p99 ms", "CPU us", "quiet", "writes", "KB", "frames"];
const LEGEND = `
  CPU us  user and system time of the process per answer
  quiet   the same in the quiet windows: 15th percentile of windows of 100 ms
  writes  write calls of the process per answer (syscw of proc(5)): those of the database, no sockets
  KB      what these calls wrote per answer (wchar)
  frames  pages appended to the log per answer, by calls and bytes: SQLite writes a frame with two calls, of
          24 and 4,096 bytes, and a page back into the file with one`;
const PAGE_BYTES = 4096;
const FRAME_HEAD_BYTES = 24;

/** The load for a program that sells these goods. */
type LoadOf = (goods: Stock) => Load;

/** The rounds of one load, by program. */
type Rounds = ReadonlyMap<Seller, readonly Measured[]>;

/** A program under load: it counts the orders that it acknowledged. */
class Seller {
  readonly name: string;
  readonly #program: Program;
  readonly #database: string;
  readonly #goods: Stock;
  #acknowledged = 0;

  constructor(program: Program, database: string, goods: Stock) {
    this.name = program.name;
    this.#program = program;
    this.#database = database;
    this.#goods = goods;
  }

  async measure(loadOf: LoadOf): Promise<Measured> {
    const load = loadOf(this.#goods);
    const measured = await measure(this.#program, load);
    if (load.target === ORDERS) this.#acknowledged += measured.answers;
    return measured;
  }

  /** Ends the program. Throws where an acknowledged order is not in its database, or another one is. */
  async stop(): Promise<void> {
    await this.#program.stop();
    using opened = new SqliteFile(this.#database, { readonly: true });
    const found = opened.query<{ n: number }, []>("SELECT count(*) AS n FROM orders").get()?.n ?? 0;
    console.log(
      `  ${this.name}: acknowledged ${this.#acknowledged}, found in the database ${found}`,
    );
    if (found !== this.#acknowledged) {
      throw new Error("Acknowledged orders and stored orders differ.");
    }
  }
}

/** Measures orders and products, then how fast Duka starts on what it has sold. */
export async function measureSales(folder: string, checkout: string | null): Promise<void> {
  const files = { database: join(folder, "bare.sqlite"), supply: join(folder, "supply.json") };
  const started = await startDuka(join(folder, "duka"), null);
  const goods = await stock(started);
  await writeSupply(started, files.supply);
  const bare = new Seller(await startBare(files, started.key), files.database, goods);
  const duka = new Seller(started, started.database, goods);
  const others = checkout === null ? [] : [await openBeside(join(folder, "beside"), checkout)];
  const sellers = [bare, ...others, duka];
  const idle = started.memory().anonymous;
  await measureLoads(sellers, duka);
  const loaded = started.memory().anonymous;
  await Bun.sleep(PAUSE_MS);
  const rested = started.memory().anonymous;
  console.log(
    `\nmemory of no file: ${[idle, loaded, rested].map(megabytes).join(", ")} idle, at load, 30 s later`,
  );
  for (const seller of sellers) await seller.stop();
  const starts: number[] = [];
  for (let run = 0; run < STARTS; run += 1) starts.push(await timeOfStart(join(folder, "duka")));
  console.log(`\nstart to first 200: ${starts.map((ms) => ms.toFixed(0)).join(", ")} ms`);
}

/** Starts the Duka of another checkout on a shop of its own with the same goods. */
async function openBeside(folder: string, checkout: string): Promise<Seller> {
  const other = await startDuka(folder, null, { checkout });
  return new Seller({ ...other, name: "beside" }, other.database, await stock(other));
}

/** Puts each load on all programs; Duka's peak sets the rate of the calm one. */
async function measureLoads(sellers: readonly Seller[], duka: Seller): Promise<void> {
  const plain = (goods: Stock): Load => ({ target: ORDERS, bodies: plainOrders(goods) });
  const prepaid = (goods: Stock): Load => ({ target: ORDERS, bodies: prepaidOrders(goods) });
  const list = (): Load => ({ target: "GET /v2/products?limit=20", bodies: [] });
  const seconds = Math.min(SECONDS, WARM_SECONDS);
  for (const seller of sellers) await seller.measure((goods) => ({ ...plain(goods), seconds }));
  console.log(LEGEND);
  const peak = await inTurn("orders of two lines, 20 variants, cash on delivery", sellers, plain);
  const rate = median((peak.get(duka) ?? []).map(({ perSecond }) => perSecond)) / 2;
  const calm = (goods: Stock): Load => ({ ...plain(goods), rate });
  await inTurn("the same at half of Duka's peak", sellers, calm);
  await inTurn("orders of two lines, 200 variants, a customer, prepaid", sellers, prepaid);
  await inTurn("lists of twenty products", sellers, list);
}

/**
 * Puts a load on all programs in turn, so that what else the machine does hits all alike; each round begins
 * with another one, because a program finds disk and caches as the one before left them. Prints each round,
 * then how each program compares with those before it.
 */
async function inTurn(title: string, sellers: readonly Seller[], loadOf: LoadOf): Promise<Rounds> {
  const heads = COLUMNS.map((name) => name.padStart(10)).join("");
  console.log(`\n${title}\n${"".padEnd(8)}${heads}`);
  const rounds = new Map<Seller, Measured[]>(sellers.map((seller) => [seller, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    const next = round % sellers.length;
    for (const seller of [...sellers.slice(next), ...sellers.slice(0, next)]) {
      const measured = await seller.measure(loadOf);
      printRound(seller.name, measured);
      rounds.get(seller)?.push(measured);
    }
  }
  sellers.forEach((one, index) => {
    for (const other of sellers.slice(0, index)) printRatio(rounds, one, other);
  });
  return rounds;
}

function printRound(name: string, one: Measured): void {
  const columns = [
    show(one.perSecond),
    show(one.p50, 1),
    show(one.p99, 1),
    show(one.cpuMicroseconds),
    show(quietCpu([one])),
    show(one.writeCalls, 1),
    show(one.writtenBytes / 1000, 1),
    show(framesOf(one), 1),
  ];
  console.log(`  ${name.padEnd(6)}${columns.join("")}`);
}

/** Solves calls = 2 * frames + pages, bytes = (4096 + 24) * frames + 4096 * pages. */
function framesOf({ writeCalls, writtenBytes }: Measured): number {
  return (PAGE_BYTES * writeCalls - writtenBytes) / (PAGE_BYTES - FRAME_HEAD_BYTES);
}

/** Prints which share of the other's speed a program reaches: of the rounds, the one in the middle. */
function printRatio(rounds: Rounds, one: Seller, other: Seller): void {
  const [measured, base] = [rounds.get(one) ?? [], rounds.get(other) ?? []];
  const ratio = (of: (round: Measured) => number) => {
    const ratios = measured.flatMap((mine, round) => {
      const its = base[round];
      return its === undefined ? [] : [of(mine) / of(its)];
    });
    return median(ratios);
  };
  const [quiet, baseQuiet] = [quietCpu(measured), quietCpu(base)];
  console.log(
    `  ${one.name} of ${other.name}: ${ratio(({ perSecond }) => perSecond).toFixed(2)} by throughput, ` +
      `${(baseQuiet / quiet).toFixed(2)} by CPU in quiet windows (${quiet.toFixed(0)} and ` +
      `${baseQuiet.toFixed(0)} us), ${ratio(({ p99 }) => p99).toFixed(2)} times its p99`,
  );
}
