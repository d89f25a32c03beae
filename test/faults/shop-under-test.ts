// What is the same for every fault that is done to a running shop: its shelves, its first key, and
// the audit of what it shows against the ledger of those outside.

import { runDuka, type RunningDuka } from "../support/running-duka.ts";
import type { Ledger } from "./ledger.ts";
import { type Look, seeShop, type Shelves } from "./seen-shop.ts";

/** More than any run can sell. */
const PLENTY = 100_000_000;
/** Simulated payments that were on their way are through after this much of the shop's time. */
const SETTLE_SECONDS = 1_200;

/** Puts two variants on the shelves, one to be sold and one to be counted. */
export async function fillShelves(duka: RunningDuka, key: string): Promise<Shelves> {
  const [soldId, countedId] = [await put(duka, key, "Mug"), await put(duka, key, "Kanga")];
  return { soldId, soldBefore: PLENTY, countedId, countedBefore: PLENTY };
}

async function put(duka: RunningDuka, key: string, name: string): Promise<string> {
  const body = { name, price: 12.5, stock: PLENTY };
  const answer = await duka.request("POST", "/v2/products", { key, body });
  const product: { variants: { id: string }[] } = JSON.parse(await answer.text());
  return product.variants[0]?.id ?? "";
}

/** Reads with a key; throws where the answer is no 200. */
export function looking(duka: RunningDuka, key: string): Look {
  return async (path) => {
    const answer = await duka.request("GET", path, { key });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${text}`);
    return text;
  };
}

/** Lets everything end that was on its way when the shop was stopped. */
export async function settle(duka: RunningDuka, key: string): Promise<void> {
  const terms = { key, body: { seconds: SETTLE_SECONDS } };
  for (let isSettled = false; !isSettled;) {
    const answer = await duka.request("POST", "/v2/test/clock/advance", terms);
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`The clock could not be advanced: ${text}`);
    const told: { settled: boolean } = JSON.parse(text);
    isSettled = told.settled;
  }
}

export interface Audited {
  readonly ledger: Ledger;
  readonly shelves: Shelves;
  readonly key: string;
  /** Where `duka check` finds the data directory, and what it is told about it. */
  readonly folder: string;
  readonly checkArguments?: readonly string[];
  /** Whether nothing is on its way in the shop any more. */
  readonly isSettled?: boolean;
}

/** Every promise that the shop has broken, and every difference that `duka check` finds. */
export async function audit(duka: RunningDuka, audited: Audited): Promise<string[]> {
  const { ledger, shelves, key, folder, checkArguments = [], isSettled = false } = audited;
  const [seen, checked] = await Promise.all([
    seeShop(looking(duka, key), shelves),
    runDuka(["check", ...checkArguments], { folder }),
  ]);
  const differences = checked.code === 0 ? [] : [`check: ${checked.stdout}${checked.stderr}`];
  return [...ledger.compare(seen, isSettled), ...differences];
}
