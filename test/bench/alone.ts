// One order after the other, as a shop with one customer at a time has them: what the server hands to the kernel for each,
// exactly, and which b-trees the pages belong to. No other order shares a commit or a page with it.

import { Database as SqliteFile } from "bun:sqlite";
import { readFileSync } from "node:fs";

import { type Duka, startDuka } from "./programs.ts";
import { plainOrders, type Stock, stock } from "./shop.ts";

const WARM_ORDERS = 200;
/** As long as terms of lines are collected, and the pages of the first orders are moved into the file. */
const REST_MS = 12_000;

/** How the keys of the requests come: as one client counts, or as uuids. */
export type Keys = "in order" | "random";

/** What one order costs on average. */
export interface AloneFigures {
  readonly keys: Keys;
  /** `wchar` and `syscw` of proc(5). */
  readonly bytes: number;
  readonly calls: number;
  /** Pages that were appended to the log, by their b-tree, the most first; of the part that the log still has. */
  readonly frames: readonly { readonly tree: string; readonly share: number }[];
}

/** Prints the figures of so many orders of each kind. */
export async function printAlone(folder: string, orders = 1000): Promise<void> {
  for (const { keys, bytes, calls, frames } of await measureAlone(folder, orders)) {
    const trees = frames.map(({ tree, share }) => `${tree} ${(share * 100).toFixed(1)} %`);
    console.log(
      `one order alone, keys ${keys}: ${(bytes / 1000).toFixed(1)} kB in ${calls.toFixed(1)} calls\n` +
        `  of the log: ${trees.join(", ")}`,
    );
  }
}

/** Places so many orders, one after the other, with each kind of keys. */
export async function measureAlone(folder: string, orders: number): Promise<AloneFigures[]> {
  const duka = await startDuka(folder, null);
  const goods = await stock(duka);
  await place(duka, { goods, orders: WARM_ORDERS, keys: "in order" });
  await Bun.sleep(REST_MS);
  const figures: AloneFigures[] = [];
  for (const keys of ["in order", "random"] as const) {
    const before = duka.written();
    await place(duka, { goods, orders, keys });
    const after = duka.written();
    figures.push({
      keys,
      bytes: (after.bytes - before.bytes) / orders,
      calls: (after.calls - before.calls) / orders,
      frames: framesByTree(duka.database),
    });
  }
  await duka.stop();
  return figures;
}

interface Placed {
  readonly goods: Stock;
  readonly orders: number;
  readonly keys: Keys;
}

async function place(duka: Duka, { goods, orders, keys }: Placed): Promise<void> {
  const bodies = plainOrders(goods);
  const run = Date.now();
  for (let index = 0; index < orders; index += 1) {
    const key = keys === "random" ? crypto.randomUUID() : `${run}-${index}`;
    const answer = await fetch(`http://127.0.0.1:${duka.port}/v2/orders`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${duka.key}`,
        "Content-Type": "application/json",
        "Idempotency-Key": key,
      },
      body: bodies[index % bodies.length] ?? "",
    });
    const text = await answer.text();
    if (answer.status !== 201) throw new Error(text);
  }
}

const LOG_HEAD_BYTES = 32;
const FRAME_HEAD_BYTES = 24;
const PAGE_BYTES = 4096;

/** Reads the write-ahead log (sqlite.org/fileformat2, section 4): the frames since it began anew have its salt. */
function framesByTree(database: string): AloneFigures["frames"] {
  const log = readFileSync(`${database}-wal`);
  if (log.length < LOG_HEAD_BYTES) return [];
  using opened = new SqliteFile(database, { readonly: true });
  const trees = new Map(
    opened
      .query<{ pageno: number; name: string }, []>("SELECT pageno, name FROM dbstat")
      .all()
      .map(({ pageno, name }) => [pageno, name]),
  );
  const counted = new Map<string, number>();
  const salt = log.readBigUInt64BE(16);
  let all = 0;
  const step = FRAME_HEAD_BYTES + PAGE_BYTES;
  for (let at = LOG_HEAD_BYTES; at + step <= log.length; at += step) {
    if (log.readBigUInt64BE(at + 8) !== salt) break;
    const tree = trees.get(log.readUInt32BE(at)) ?? "free";
    counted.set(tree, (counted.get(tree) ?? 0) + 1);
    all += 1;
  }
  return [...counted]
    .toSorted(([, one], [, other]) => other - one)
    .map(([tree, count]) => ({ tree, share: count / all }));
}
