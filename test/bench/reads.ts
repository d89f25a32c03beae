// What reads take beside the writes of a shop that sells: lists and a search beside no orders, 100 and 500 a second. The
// orders come at their times, whether those before are answered or not.

import { startDuka } from "./programs.ts";
import { measure, plainOrders, print, SECONDS, stock } from "./shop.ts";

const RATES = [0, 100, 500];
/** Reads a second: what is measured is how long one waits, not how many there can be. */
const READS = 50;
const reads = ["GET /v2/products?limit=20", "GET /v2/orders?limit=20", "GET /v2/products?q=cloth"];

export async function measureReads(folder: string): Promise<void> {
  const duka = await startDuka(folder, null);
  const bodies = plainOrders(await stock(duka));
  for (const rate of RATES) {
    console.log(`\nbeside ${rate} orders a second`);
    for (const target of reads) {
      const orders = { target: "POST /v2/orders", bodies, rate, connections: 8, seconds: SECONDS };
      const selling = rate === 0 ? null : measure(duka, orders);
      const read = await measure(duka, { target, bodies: [], rate: READS, connections: 4 });
      await selling;
      print("duka", read, `  ${target}`);
    }
  }
  await duka.stop();
}
