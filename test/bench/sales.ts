// Duka beside the fixed program: the same goods, the same load, in turn. What counts is the ratio.

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
  stock,
} from "./shop.ts";
import { writeSupply } from "./supply.ts";

const STARTS = 5;
/** Long enough for the hot code of both to be compiled. */
const WARM_SECONDS = 3;
const ORDERS = "POST /v2/orders";
const LEGEND = `
  CPU us  user and system time of the process per answer
  quiet   the same in the quiet windows: 15th percentile of windows of 100 ms
  writes  write calls of the process per answer (syscw of proc(5)): those of the database, no sockets
  KB      what these calls wrote per answer (wchar)
  frames  pages appended to the log per answer, by calls and bytes: SQLite writes a frame with two calls, of
          24 and 4,096 bytes, and a page back into the file with one`;
const PAGE_BYTES = 4096;
const FRAME_HEAD_BYTES = 24;

interface Both {
  readonly duka: Program;
  readonly bare: Program;
}

/** The rounds of one load. */
type Rounds = Readonly<Record<keyof Both, readonly Measured[]>>;

/** Measures orders and products, then how fast Duka starts on what it has sold. */
export async function measureSales(folder: string): Promise<void> {
  const duka = await startDuka(folder, null);
  const goods = await stock(duka);
  const files = { database: join(folder, "bare.sqlite"), supply: join(folder, "supply.json") };
  await writeSupply(duka, files.supply);
  const bare = await startBare(files, duka.key);
  const both = { duka, bare };
  const plain = { target: ORDERS, bodies: plainOrders(goods) };
  console.log(LEGEND);
  const first = await inTurn(both, { ...plain, seconds: Math.min(SECONDS, WARM_SECONDS) }, 1);
  const peak = await compare("two lines of 20 variants, cash on delivery", both, plain);
  const half = median(peak.duka.map(({ perSecond }) => perSecond)) / 2;
  const calm = await compare("the same at half of Duka's peak", both, { ...plain, rate: half });
  const prepaid = { target: ORDERS, bodies: prepaidOrders(goods) };
  const paid = await compare("two lines of 200 variants, a customer, prepaid", both, prepaid);
  verify("duka", duka.database, [first.duka, peak.duka, calm.duka, paid.duka]);
  verify("bare", files.database, [first.bare, peak.bare, calm.bare, paid.bare]);
  await compare("twenty products", both, { target: "GET /v2/products?limit=20", bodies: [] });
  await duka.stop();
  await bare.stop();
  const starts: number[] = [];
  for (let run = 0; run < STARTS; run += 1) starts.push(await timeOfStart(folder));
  console.log(`\nstart to first 200: ${starts.map((ms) => ms.toFixed(0)).join(", ")} ms`);
}

/** Runs a load on both and prints each round, what it cost, and how Duka compares. */
async function compare(title: string, both: Both, load: Load): Promise<Rounds> {
  console.log(
    `\n${load.target}: ${title}\n${"".padEnd(8)}` +
      ["per s", "p50 ms", "p99 ms", "CPU us", "quiet", "writes", "KB", "frames"]
        .map((name) => name.padStart(10))
        .join(""),
  );
  const rounds = await inTurn(both, load, ROUNDS);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of ["bare", "duka"] as const) {
      const one = rounds[name][round];
      if (one !== undefined) printRound(name, one);
    }
  }
  const cpu = quietCpu(rounds.bare) / quietCpu(rounds.duka);
  const mean = ratio(rounds, (one) => 1 / one.cpuMicroseconds);
  const throughput = load.rate === undefined ? ratio(rounds, (one) => one.perSecond) : null;
  console.log(
    `  of the fixed program: ${throughput === null ? "" : `${throughput.toFixed(2)} by throughput, `}` +
      `${cpu.toFixed(2)} by CPU in quiet windows (${quietCpu(rounds.bare).toFixed(0)} and ` +
      `${quietCpu(rounds.duka).toFixed(0)} us), ${mean.toFixed(2)} by CPU in all`,
  );
  return rounds;
}

/** Both in turn, round by round, so that what else the machine does hits both alike. */
async function inTurn({ duka, bare }: Both, load: Load, count: number): Promise<Rounds> {
  const rounds: Record<keyof Both, Measured[]> = { duka: [], bare: [] };
  for (let round = 0; round < count; round += 1) {
    rounds.bare.push(await measure(bare, load));
    rounds.duka.push(await measure(duka, load));
  }
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

/** What Duka reaches of the fixed program, the round in the middle. */
function ratio({ duka, bare }: Rounds, of: (one: Measured) => number): number {
  return median(
    duka.flatMap((one, round) => {
      const other = bare[round];
      return other === undefined ? [] : [of(one) / of(other)];
    }),
  );
}

/** Every acknowledged order is in the database. */
function verify(name: string, database: string, loads: readonly (readonly Measured[])[]): void {
  const acknowledged = loads.flat().reduce((sum, { answers }) => sum + answers, 0);
  using opened = new SqliteFile(database, { readonly: true });
  const found = opened.query<{ n: number }, []>("SELECT count(*) AS n FROM orders").get()?.n ?? 0;
  console.log(`  ${name}: acknowledged ${acknowledged}, found in the database ${found}`);
  if (found !== acknowledged) throw new Error("Acknowledged orders and stored orders differ.");
}
