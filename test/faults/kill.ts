// The fault `kill`: the program is killed (SIGKILL) repeatedly under the load of many clients, sometimes
// while it starts. The ledger of the clients is the criterion: nothing lost, nothing doubled.

import { join } from "node:path";

import { engine } from "#platform/database/engine.ts";

import { databaseSettings } from "../support/postgres-databases.ts";
import {
  type DukaTerms,
  openRunningDuka,
  program,
  type RunningDuka,
} from "../support/running-duka.ts";
import { openScratchFolder } from "../support/scratch.ts";
import { Crowd } from "./crowd.ts";
import { Chance, type Fault, type FaultOptions, type FaultReport, openExtent } from "./fault.ts";
import { Ledger, missing } from "./ledger.ts";
import type { Shelves } from "./seen-shop.ts";
import {
  audit,
  awaitLeases,
  fillShelves,
  isLockedByDeadProgram,
  settle,
} from "./shop-under-test.ts";

const CLIENTS = 32;
/** Kills per shop: everything in it is read again after each of them. */
const KILLS_PER_SHOP = 25;
/** Acknowledgements between two kills. */
const DEEDS_PER_LIFE_MAX = 400;
/** The time from the last of them to the kill, milliseconds: anywhere within a commit. */
const LAST_MOMENTS_MS = 8;
/** The share of starts that are killed too. */
const KILLED_WHILE_STARTING = 0.2;
const START_MOMENTS_MS = 600;

interface Counted {
  kills: number;
  killsWhileStarting: number;
  shops: number;
  ledgers: Ledger[];
  broken: string[];
}

export const kill: Fault = {
  name: "kill",
  what: `SIGKILL under the load of ${CLIENTS} clients, and while starting`,
  short: { rounds: 5, minutes: 2 },
  long: { rounds: 1_000, minutes: 60 },
  run: runKills,
};

async function runKills(options: FaultOptions): Promise<FaultReport> {
  const chance = new Chance(options.seed);
  const extent = openExtent(options);
  const counted: Counted = { kills: 0, killsWhileStarting: 0, shops: 0, ledgers: [], broken: [] };
  while (!extent.isUsedUp(counted.kills) && counted.broken.length === 0) {
    const isLast = () => extent.isUsedUp(counted.kills);
    await killOneShop(counted, { chance, isLast, progress: options.progress });
  }
  const sum = (of: (ledger: Ledger) => number) =>
    counted.ledgers.reduce((total, ledger) => total + of(ledger), 0);
  return {
    figures: {
      kills: counted.kills,
      "of them while starting": counted.killsWhileStarting,
      shops: counted.shops,
      acknowledged: sum((ledger) => ledger.acknowledged.size),
      "answers lost and retried": sum((ledger) => ledger.lost),
      "of them done before the kill": sum((ledger) => ledger.replayed),
    },
    broken: counted.broken,
  };
}

interface Course {
  readonly chance: Chance;
  readonly isLast: () => boolean;
  readonly progress: (line: string) => void;
}

/** Runs one shop from its first start to its last, and audits it after each kill. */
async function killOneShop(counted: Counted, { chance, isLast, progress }: Course): Promise<void> {
  using scratch = openScratchFolder();
  const terms: DukaTerms = { folder: scratch.path };
  const ledger = new Ledger();
  counted.ledgers.push(ledger);
  counted.shops += 1;
  let duka = await openRunningDuka(terms);
  const { key } = duka;
  const shelves: Shelves = await fillShelves(duka, key);
  const mayRefuse = engine === "postgres" ? isLockedByDeadProgram : () => false;
  const crowd = new Crowd({ clients: CLIENTS, chance, ledger, shelves, key, name: "c", mayRefuse });
  const audited = { ledger, shelves, key, folder: scratch.path };
  try {
    for (let kills = 0; kills < KILLS_PER_SHOP && !isLast(); kills += 1) {
      crowd.open(duka.url);
      await killAtWork(duka, crowd, chance);
      counted.kills += 1;
      if (chance.happens(KILLED_WHILE_STARTING)) {
        await killWhileStarting(terms, chance.below(START_MOMENTS_MS));
        counted.kills += 1;
        counted.killsWhileStarting += 1;
      }
      duka = await openRunningDuka(terms);
      counted.broken.push(...(await audit(duka, audited)));
      progress(`${counted.kills} kills, ${ledger.acknowledged.size} deeds in this shop`);
      if (counted.broken.length > 0) break;
    }
    crowd.open(duka.url);
    await crowd.disperse();
    const { DUKA_DATABASE_URL: database } = await databaseSettings(join(scratch.path, "data"));
    if (database !== undefined) await awaitLeases(database);
    await settle(duka, key);
    const differences = await audit(duka, { ...audited, isSettled: true });
    counted.broken.push(...differences, ...missing(ledger), ...ledger.broken);
  } finally {
    await duka[Symbol.asyncDispose]();
  }
}

async function killAtWork(duka: RunningDuka, crowd: Crowd, chance: Chance): Promise<void> {
  await crowd.acknowledgements(1 + chance.below(DEEDS_PER_LIFE_MAX));
  await Bun.sleep(chance.share() * LAST_MOMENTS_MS);
  crowd.close();
  await duka.end("SIGKILL");
  await crowd.gathered();
}

async function killWhileStarting({ folder }: DukaTerms, afterMs: number): Promise<void> {
  const database = await databaseSettings(join(folder, "data"));
  const child = Bun.spawn([...program, "serve"], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", DUKA_PORT: "0", ...database },
    stdio: ["ignore", "ignore", "ignore"],
  });
  await Bun.sleep(afterMs);
  child.kill("SIGKILL");
  await child.exited;
}
