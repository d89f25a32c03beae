// Duka beside the bare program: the same data, the same load, in turn. What counts is the ratio.

import { Database as SqliteFile } from "bun:sqlite";
import { copyFileSync } from "node:fs";
import { join } from "node:path";

import { type Program, startBare, startDuka, timeOfStart } from "./programs.ts";
import { type Load, measure, type Measured, median, print, ROUNDS, stock } from "./shop.ts";

const STARTS = 5;

/** Measures orders and products, then how fast Duka starts on what it has sold. */
export async function measureSales(folder: string): Promise<void> {
  const first = await startDuka(folder, null);
  const orders = { target: "POST /v2/orders", bodies: await stock(first) };
  await first.stop();
  const bareDatabase = join(folder, "bare.sqlite");
  copyFileSync(first.database, bareDatabase);
  const duka = await startDuka(folder, first.key);
  const bare = await startBare(bareDatabase);
  const both = { duka, bare };
  const peak = await compare(
    "POST /v2/orders (two lines, a fresh key each, durable)",
    both,
    orders,
  );
  const found = countOrders(duka.database);
  console.log(`  acknowledged ${peak.answers}, found in the database ${found}`);
  if (found !== peak.answers) throw new Error("Acknowledged orders and stored orders differ.");
  const list = { target: "GET /v2/products?limit=20", bodies: [] };
  await compare(list.target, both, list);
  console.log("\nPOST /v2/orders at half the peak rate");
  print("duka", await measure(duka, { ...orders, rate: peak.perSecond / 2 }));
  await duka.stop();
  await bare.stop();
  const starts: number[] = [];
  for (let run = 0; run < STARTS; run += 1) starts.push(await timeOfStart(folder));
  console.log(`\nstart to first 200: ${starts.map((ms) => ms.toFixed(0)).join(", ")} ms`);
}

/** Runs a load on both in turn, round by round, and prints the median ratio. */
async function compare(
  title: string,
  both: { readonly duka: Program; readonly bare: Program },
  load: Load,
): Promise<{ readonly perSecond: number; readonly answers: number }> {
  console.log(`\n${title}`);
  const rounds: { duka: Measured; bare: Measured }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const bare = await measure(both.bare, load);
    const duka = await measure(both.duka, load);
    print("bare", bare);
    print("duka", duka);
    rounds.push({ duka, bare });
  }
  const ratio = median(rounds.map(({ duka, bare }) => duka.perSecond / bare.perSecond));
  const cpu = median(rounds.map(({ duka, bare }) => bare.cpuMicroseconds / duka.cpuMicroseconds));
  console.log(`  ratio ${ratio.toFixed(2)} by throughput, ${cpu.toFixed(2)} by CPU per request`);
  return {
    perSecond: median(rounds.map(({ duka }) => duka.perSecond)),
    answers: rounds.reduce((sum, { duka }) => sum + duka.answers, 0),
  };
}

function countOrders(database: string): number {
  using opened = new SqliteFile(database, { readonly: true });
  return opened.query<{ n: number }, []>("SELECT count(*) AS n FROM orders").get()?.n ?? 0;
}
