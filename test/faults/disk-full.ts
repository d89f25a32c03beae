// The fault `disk`: the disk is filled under load and emptied again. Writes are refused with Retry-After,
// reads continue, and the same process serves again when there is space.

import { openReceiver, type Receiver } from "../support/receivers.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { Crowd } from "./crowd.ts";
import { Chance, type Fault, type FaultOptions, type FaultReport, openExtent } from "./fault.ts";
import { Ledger } from "./ledger.ts";
import type { Read } from "./seen-shop.ts";
import { audit, check, fillShelves, readerOf, settle } from "./shop-under-test.ts";
import { allowsMounts, type DiskKind, serveOnSmallDisk, type SmallDisk } from "./small-disk.ts";

const CLIENTS = 16;
/** How often a shop's disk is filled. */
const FILLS_PER_SHOP = 20;
/** Acknowledgements before the disk is filled, and after it is emptied. */
const DEEDS = 60;
/** Refusals in a row before it is emptied. */
const REFUSALS = 60;
/** The bytes left on the disk at most: the shop itself takes the last ones. */
const LEFT_BYTES_MAX = 300_000;

/** What must be answered while no write is possible. */
const READS = ["/v2/orders", "/v2/products", "/v2/inventory", "/v2/payments", "/v2/events"];
const OPEN_READS = ["/livez"];

export const diskFull: Fault = {
  name: "disk",
  what: "the disk is filled under load, and emptied again",
  short: { rounds: 2, minutes: 2 },
  long: { rounds: 200, minutes: 20 },
  run: (options) => fillDisk(options),
};

interface Counted {
  fills: number;
  shops: number;
  reads: number;
  delivered: number;
  slowestMs: number;
  readonly ledgers: Ledger[];
  readonly broken: string[];
}

/** Fills a disk of this kind; by default the best kind that this machine allows. */
export async function fillDisk(options: FaultOptions, given?: DiskKind): Promise<FaultReport> {
  const chance = new Chance(options.seed);
  const extent = openExtent(options);
  const kind = given ?? bestKind();
  const counted: Counted = {
    fills: 0,
    shops: 0,
    reads: 0,
    delivered: 0,
    slowestMs: 0,
    ledgers: [],
    broken: [],
  };
  while (!extent.isUsedUp(counted.fills) && counted.broken.length === 0) {
    const isLast = () => extent.isUsedUp(counted.fills);
    await fillOneShop(counted, { chance, kind, isLast, progress: options.progress });
  }
  const sum = (of: (ledger: Ledger) => number) =>
    counted.ledgers.reduce((total, ledger) => total + of(ledger), 0);
  return {
    figures: {
      disk: kind,
      "times full": counted.fills,
      shops: counted.shops,
      acknowledged: sum((ledger) => ledger.acknowledged.size),
      "refused with storage_full": sum((ledger) => ledger.refused),
      "reads while full": counted.reads,
      "webhooks delivered": counted.delivered,
      "slowest first yes after there was room, ms": Math.round(counted.slowestMs),
    },
    broken: counted.broken,
  };
}

function bestKind(): DiskKind {
  using scratch = openScratchFolder();
  return allowsMounts(scratch.path) ? "a tmpfs of its own" : "a limit of the engine";
}

interface Course {
  readonly chance: Chance;
  readonly kind: DiskKind;
  readonly isLast: () => boolean;
  readonly progress: (line: string) => void;
}

async function fillOneShop(counted: Counted, course: Course): Promise<void> {
  const { chance, kind, isLast, progress } = course;
  using scratch = openScratchFolder();
  await using disk = await serveOnSmallDisk(scratch.path, kind);
  await using receiver = openReceiver();
  const { duka } = disk;
  const { key } = duka;
  const ledger = new Ledger();
  counted.ledgers.push(ledger);
  counted.shops += 1;
  const shelves = await fillShelves(duka, key);
  const body = { url: receiver.url, events: ["order.placed"] };
  await duka.request("POST", "/v2/webhooks", { body });
  const mayRefuse = isStorageFull;
  const crowd = new Crowd({ clients: CLIENTS, chance, ledger, shelves, key, name: "d", mayRefuse });
  crowd.open(duka.url);
  const read = readerOf(duka, key);
  for (let fills = 0; fills < FILLS_PER_SHOP && !isLast(); fills += 1) {
    await crowd.acknowledgements(DEEDS);
    disk.fill(chance.below(LEFT_BYTES_MAX));
    await crowd.refusals(REFUSALS);
    counted.broken.push(...(await readWhileFull(read, counted)));
    counted.broken.push(...(await check({ folder: scratch.path, program: disk.program })));
    counted.slowestMs = Math.max(counted.slowestMs, await resume(disk, crowd));
    counted.fills += 1;
    progress(`${counted.fills} times full, ${ledger.acknowledged.size} deeds in this shop`);
    if (counted.broken.length + ledger.broken.length > 0) break;
  }
  await crowd.acknowledgements(DEEDS);
  await crowd.disperse();
  counted.broken.push(...ledger.broken);
  await settle(duka, key);
  const audited = { ledger, shelves, key, folder: scratch.path, program: disk.program };
  counted.broken.push(...(await audit(duka, { ...audited, isSettled: true })));
  counted.broken.push(...(await undelivered(read, receiver)));
  counted.delivered += receiver.received.length;
}

/** Whether the answer is the one refusal of a full disk, with Retry-After. */
function isStorageFull(response: Response, text: string): boolean {
  if (response.status !== 503 || !/^\d+$/.test(response.headers.get("retry-after") ?? "")) {
    return false;
  }
  const { code }: { code: string } = JSON.parse(text);
  return code === "storage_full";
}

async function readWhileFull(read: Read, counted: Counted): Promise<string[]> {
  const broken: string[] = [];
  for (const path of [...READS, ...OPEN_READS]) {
    counted.reads += 1;
    await read(path).catch((error: unknown) => broken.push(`while full: ${String(error)}`));
  }
  return broken;
}

/** Makes space; returns the milliseconds until the next acknowledgement. */
async function resume(disk: SmallDisk, crowd: Crowd): Promise<number> {
  const firstYes = crowd.acknowledgements(1);
  const madeAt = performance.now();
  disk.makeRoom();
  await firstYes;
  return performance.now() - madeAt;
}

interface Feed {
  readonly data: readonly { readonly id: string; readonly sequence: number }[];
  readonly has_more: boolean;
}

/** The order.placed events of the feed that the receiver did not get. */
async function undelivered(read: Read, { received }: Receiver): Promise<string[]> {
  const arrived = new Set(received.map(({ headers }) => headers.get("webhook-id")));
  const missing: string[] = [];
  let after = 0;
  for (let hasMore = true; hasMore;) {
    const path = `/v2/events?event=order.placed&limit=100&after=${after}`;
    const page: Feed = JSON.parse(await read(path));
    missing.push(...page.data.map(({ id }) => id).filter((id) => !arrived.has(id)));
    after = page.data.at(-1)?.sequence ?? after;
    hasMore = page.has_more;
  }
  return missing.map((id) => `${id} was never delivered`);
}
