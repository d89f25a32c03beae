// The fault `power`: every system call of a shop under load is recorded; then the power is cut between
// any two of them, on paper, and Duka is started on what a disk could hold. What was acknowledged
// before the cut must be there.

import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

import { auditStock } from "#catalog/inventory/audit-stock.ts";
import { keyCommands } from "#cli/operator/key-commands.ts";
import { auditPayments } from "#payments/reconciliation/audit-payments.ts";
import { parseConfig } from "#platform/config/config.ts";
import { openForVerification } from "#platform/database/sqlite/verify.ts";
import { openLog } from "#platform/log/log.ts";
import { auditOrders } from "#sales/history/audit-orders.ts";
import { type Duka, startDuka } from "#server.ts";

import { openRunningDuka, runDuka } from "../support/running-duka.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { Disk, type Image, type Survival, survivals } from "./disk-model.ts";
import { Chance, type Fault, type FaultOptions, type FaultReport, openExtent } from "./fault.ts";
import { Ledger } from "./ledger.ts";
import { askForSecret, type RecordedShop, recordShop } from "./recorded-shop.ts";
import { seeShop } from "./seen-shop.ts";
import type { Call } from "./system-calls.ts";

/** Cuts of one recording. */
const CUTS_PER_SHOP = 100;
/** Acknowledgements in a recording: enough for the log to be copied back while it is written. */
const DEEDS = 250;
/** Of the cuts, one in so many is followed by the program itself, not by its parts in here. */
const PROGRAM_EVERY = 20;

export interface PowerCutTerms {
  readonly served?: (directory: string) => readonly string[];
}

export const powerCut: Fault = {
  name: "power",
  what: "the power is cut between any two system calls; unsynced writes are lost, kept or torn",
  short: { rounds: 60, minutes: 2 },
  long: { rounds: 1_000, minutes: 60 },
  run: (options) => cutPower(options),
};

interface Counted {
  cuts: number;
  shops: number;
  calls: number;
  acknowledged: number;
  pendingWrites: number;
  started: number;
  broken: string[];
}

/** Cuts the power of what is served, which is Duka where nothing else is said. */
export async function cutPower(
  options: FaultOptions,
  terms: PowerCutTerms = {},
): Promise<FaultReport> {
  const chance = new Chance(options.seed);
  const extent = openExtent(options);
  const counted: Counted = {
    cuts: 0,
    shops: 0,
    calls: 0,
    acknowledged: 0,
    pendingWrites: 0,
    started: 0,
    broken: [],
  };
  while (!extent.isUsedUp(counted.cuts) && counted.broken.length === 0) {
    const shop = await recordShop({ seed: chance.below(2 ** 31), deeds: DEEDS, ...terms });
    counted.shops += 1;
    counted.calls += shop.calls.length;
    const cuts = Math.min(CUTS_PER_SHOP, options.rounds - counted.cuts);
    const replay = new Replay(shop, counted, chance);
    for (const at of cutPoints(shop.calls.length, cuts, chance)) {
      await replay.cutAt(at);
      if (extent.isUsedUp(counted.cuts)) break;
    }
    options.progress(`${counted.cuts} cuts, ${counted.broken.length} broken promises`);
  }
  return {
    figures: {
      cuts: counted.cuts,
      "shops recorded": counted.shops,
      "system calls recorded": counted.calls,
      "acknowledged before a cut, in all": counted.acknowledged,
      "writes not synced at a cut, in all": counted.pendingWrites,
      "of the cuts, followed by duka serve and check": counted.started,
    },
    broken: counted.broken,
  };
}

/** So many places between two calls, spread over the whole of them, in order. */
function cutPoints(calls: number, cuts: number, chance: Chance): number[] {
  const stride = calls / cuts;
  return Array.from({ length: cuts }, (_, index) => Math.ceil((index + chance.share()) * stride));
}

type Talk = Extract<Call, { readonly channel: string }>;

/** Walks through a recording, and looks at what is left at each cut. */
class Replay {
  readonly #shop: RecordedShop;
  readonly #counted: Counted;
  readonly #chance: Chance;
  readonly #disk: Disk;
  readonly #ledger = new Ledger();
  /** What was asked last on each connection. */
  readonly #asked = new Map<string, string>();
  readonly #told = { firstKey: false, secret: false };
  #at = 0;

  constructor(shop: RecordedShop, counted: Counted, chance: Chance) {
    this.#shop = shop;
    this.#counted = counted;
    this.#chance = chance;
    this.#disk = new Disk(shop.root);
  }

  async cutAt(at: number): Promise<void> {
    for (const call of this.#shop.calls.slice(this.#at, at)) {
      this.#disk.take(call);
      this.#listen(call);
    }
    this.#at = at;
    this.#counted.cuts += 1;
    this.#counted.acknowledged += this.#ledger.acknowledged.size;
    this.#counted.pendingWrites += this.#disk.pendingWrites;
    const survival = this.#chance.one(survivals);
    const broken = await this.#look(this.#disk.cut(survival, this.#chance));
    this.#counted.broken.push(...broken.map((sentence) => this.#placed(sentence, survival)));
  }

  #placed(sentence: string, survival: Survival): string {
    return `cut before call ${this.#at} of ${this.#shop.calls.length}, ${survival} kept: ${sentence}`;
  }

  /** Who was told what. */
  #listen(call: Call): void {
    if (call.type === "hear") this.#hear(call);
    else if (call.type === "say") this.#say(call);
  }

  #hear({ channel, text }: Talk): void {
    const mark = /^idempotency-key: (\S+)/im.exec(text)?.[1];
    if (mark === undefined) return;
    this.#asked.set(channel, mark);
    const deed = this.#shop.deeds.get(mark);
    if (deed !== undefined) this.#ledger.attempt(deed);
  }

  #say({ channel, text }: Talk): void {
    if (text.includes(this.#shop.key)) this.#told.firstKey = true;
    if (!/^HTTP\/1\.1 2\d\d /.test(text)) return;
    const mark = this.#asked.get(channel) ?? "";
    const deed = this.#shop.deeds.get(mark);
    if (deed !== undefined) this.#ledger.acknowledge({ deed, status: 200, text });
    if (mark === this.#shop.secret.mark) this.#told.secret = true;
  }

  async #look(image: Image): Promise<string[]> {
    using scratch = openScratchFolder();
    lay(image, this.#shop.root, scratch.path);
    try {
      if (this.#counted.cuts % PROGRAM_EVERY === 0) {
        this.#counted.started += 1;
        await serveOnce(scratch.path);
      }
      return await this.#lookInside(scratch.path);
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
  }

  async #lookInside(folder: string): Promise<string[]> {
    const directory = join(folder, "data");
    const duka = await startHere(directory);
    const broken: string[] = [];
    try {
      const key = await anyKey(duka);
      const look = async (path: string, as = key) => {
        const answer = await fetch(`${duka.url}${path}`, {
          headers: { Authorization: `Bearer ${as}` },
        });
        const text = await answer.text();
        if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${text}`);
        return text;
      };
      if (this.#told.firstKey) await look("/v2/store", this.#shop.key);
      if (this.#told.secret) broken.push(...(await this.#lookAtSecret(duka.url, key)));
      if (this.#ledger.attempted.size > 0) {
        broken.push(...this.#ledger.compare(await seeShop(look, this.#shop.shelves), false));
      }
    } finally {
      await duka.stop();
    }
    for (const mode of ["test", "live"]) {
      broken.push(...(await differencesIn(join(directory, `${mode}.sqlite`))));
    }
    return broken;
  }

  /** It was shown once; the same request shows it again, which needs both row and key file. */
  async #lookAtSecret(url: string, key: string): Promise<string[]> {
    const again = await askForSecret(url, key, this.#shop.secret);
    return again === this.#shop.secret.text ? [] : [`the sealed answer is now ${again}`];
  }
}

/** Writes the image where Duka can be started on it. What was mapped into memory may be anything. */
function lay(image: Image, root: string, folder: string): void {
  for (const [path, bytes] of [...image].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const target = join(folder, relative(root, path));
    if (bytes === null) mkdirSync(target, { mode: 0o700 });
    else writeFileSync(target, path.endsWith("-shm") ? bytes.fill(0xa7) : bytes, { mode: 0o600 });
  }
}

/** The program itself starts, ends, and finds nothing wrong. */
async function serveOnce(folder: string): Promise<void> {
  await using duka = await openRunningDuka({ folder });
  await duka.end("SIGKILL");
  const checked = await runDuka(["check"], { folder });
  if (checked.code !== 0) throw new Error(`check: ${checked.stdout}${checked.stderr}`);
}

function startHere(directory: string): Promise<Duka> {
  const config = parseConfig({
    DUKA_HOST: "127.0.0.1",
    DUKA_PORT: "0",
    DUKA_DATA_DIR: directory,
    DUKA_RATE_LIMIT_PER_MINUTE: "0",
    DUKA_SHUTDOWN_SECONDS: "1",
    DUKA_LOG_LEVEL: "error",
  });
  return startDuka(config, { log: openLog({ level: config.log.level }) });
}

async function anyKey({ firstKey, shops }: Duka): Promise<string> {
  if (firstKey !== null) return firstKey;
  const made = await keyCommands({ test: shops.test.database, live: shops.live.database })[
    "keys.create"
  ]?.({
    mode: "test",
    name: "After the cut",
    scopes: ["full"],
    ratePerMinute: null,
    expiresAt: null,
  });
  return typeof made === "object" && made !== null && "key" in made ? String(made.key) : "";
}

/** What `duka check` finds in a file. */
async function differencesIn(path: string): Promise<string[]> {
  using file = openForVerification(path);
  const found = file.faults();
  for (const audit of [auditStock, auditOrders, auditPayments]) {
    for await (const { subject, what, expected, found: is } of audit(file.reader)) {
      found.push(`${subject}: ${what} should be ${expected} and is ${is}`);
    }
  }
  return found;
}
