// The fault `power`: every system call of a shop under load is recorded. Then a power cut is simulated between
// any two calls, and Duka starts on what a disk could hold. Everything acknowledged before the cut must be
// there.

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
/** Acknowledgements in a recording: enough for checkpoints of the write-ahead log during writes. */
const DEEDS = 400;
/** One in this many cuts starts the whole program, the others its modules in this process. */
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

/** Cuts the power of the given server, by default of Duka. */
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

/** This many places between two calls, spread over the recording, in order. */
function cutPoints(calls: number, cuts: number, chance: Chance): number[] {
  const stride = calls / cuts;
  return Array.from({ length: cuts }, (_, index) => Math.ceil((index + chance.share()) * stride));
}

type Talk = Extract<Call, { readonly channel: string }>;

/** Walks through a recording, and verifies what is left at each cut. */
class Replay {
  readonly #shop: RecordedShop;
  readonly #counted: Counted;
  readonly #chance: Chance;
  readonly #disk: Disk;
  readonly #ledger = new Ledger();
  /** The last request on each connection. */
  readonly #lastRequest = new Map<string, string>();
  readonly #shown = { firstKey: false, secret: false };
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
    const broken = await this.#read(this.#disk.cut(survival, this.#chance));
    this.#counted.broken.push(...broken.map((sentence) => this.#placed(sentence, survival)));
  }

  #placed(sentence: string, survival: Survival): string {
    return `cut before call ${this.#at} of ${this.#shop.calls.length}, ${survival} kept: ${sentence}`;
  }

  /** Enters an acknowledgement into the ledger. */
  #listen(call: Call): void {
    if (call.type === "receive") this.#hear(call);
    else if (call.type === "send") this.#say(call);
  }

  #hear({ channel, text }: Talk): void {
    const mark = /^idempotency-key: (\S+)/im.exec(text)?.[1];
    if (mark === undefined) return;
    this.#lastRequest.set(channel, mark);
    const deed = this.#shop.deeds.get(mark);
    if (deed !== undefined) this.#ledger.attempt(deed);
  }

  #say({ channel, text }: Talk): void {
    if (text.includes(this.#shop.key)) this.#shown.firstKey = true;
    if (!/^HTTP\/1\.1 2\d\d /.test(text)) return;
    const mark = this.#lastRequest.get(channel) ?? "";
    const deed = this.#shop.deeds.get(mark);
    if (deed !== undefined) this.#ledger.acknowledge({ deed, status: 200, text });
    if (mark === this.#shop.secret.mark) this.#shown.secret = true;
  }

  async #read(image: Image): Promise<string[]> {
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
      const read = async (path: string, as = key) => {
        const answer = await fetch(`${duka.url}${path}`, {
          headers: { Authorization: `Bearer ${as}` },
        });
        const text = await answer.text();
        if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${text}`);
        return text;
      };
      if (this.#shown.firstKey) await read("/v2/store", this.#shop.key);
      // Its answer is given again only to the key that asked for it.
      if (this.#shown.secret) broken.push(...(await this.#checkSecret(duka.url, this.#shop.key)));
      if (this.#ledger.attempted.size > 0) {
        broken.push(...this.#ledger.compare(await seeShop(read, this.#shop.shelves), false));
      }
    } finally {
      await duka.stop();
    }
    for (const mode of ["test", "live"]) {
      broken.push(...(await differencesIn(join(directory, `${mode}.sqlite`))));
    }
    return broken;
  }

  /** A secret is shown once; a retry shows it again, which needs both its row and the key file. */
  async #checkSecret(url: string, key: string): Promise<string[]> {
    const again = await askForSecret(url, key, this.#shop.secret);
    return again === this.#shop.secret.text ? [] : [`the sealed answer is now ${again}`];
  }
}

/** Writes a disk image for Duka. Memory-mapped content may be anything. */
function lay(image: Image, root: string, folder: string): void {
  for (const [path, bytes] of [...image].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    const target = join(folder, relative(root, path));
    if (bytes === null) mkdirSync(target, { mode: 0o700 });
    else writeFileSync(target, path.endsWith("-shm") ? bytes.fill(0xa7) : bytes, { mode: 0o600 });
  }
}

/** The whole program starts, ends, and `duka check` finds nothing wrong. */
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
    replaces: null,
    expiresAt: null,
  });
  return typeof made === "object" && made !== null && "key" in made ? String(made.key) : "";
}

/** The differences that `duka check` finds. */
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
