// What is the same for every fault that is done to a running shop: its shelves, its first key, and
// the audit of what it shows against the ledger of those outside.

import { join } from "node:path";

import { SQL } from "bun";

import { runDuka, type RunningDuka } from "../support/running-duka.ts";
import type { Ledger } from "./ledger.ts";
import { type Look, seeShop, type Shelves } from "./seen-shop.ts";

/** More than any run can sell. */
const PLENTY = 100_000_000;
/** Payments and refunds on their way are through by then: what is unknown is looked at every hour. */
const SETTLE_SECONDS = 7_200;

/** A yes that was not given yet, because a program that is gone had begun on it: within a minute it is. */
export function isHeldByTheDead(response: Response, text: string): boolean {
  return response.status === 409 && text.includes('"code":"idempotency_in_progress"');
}

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

/**
 * On PostgreSQL, resolves when what somebody was at who is gone may be done by another: what a gateway was
 * asked last is nobody else's for most of a minute, on the machine's clock.
 */
export async function outlastTheDead(databaseUrl: string): Promise<void> {
  await using sql = new SQL(databaseUrl, { max: 1 });
  const [row] = await sql
    .unsafe("SELECT max(until) FROM test.leases WHERE name LIKE 'call_gateway %'")
    .values();
  await Bun.sleep(Math.max(0, Number(row?.[0] ?? 0) - Date.now()));
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
  /** Where the data directory is. */
  readonly folder: string;
  /** What starts Duka beside the shop, where that is not simply Duka. */
  readonly program?: readonly string[];
  /** What the shop runs with, where `duka check` has to know. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether nothing is on its way in the shop any more. */
  readonly isSettled?: boolean;
}

/** Every promise that the shop has broken, and every difference that `duka check` finds. */
export async function audit(duka: RunningDuka, audited: Audited): Promise<string[]> {
  const { ledger, shelves, key, isSettled = false } = audited;
  const [seen, differences] = await Promise.all([
    seeShop(looking(duka, key), shelves),
    check(audited),
  ]);
  return [...ledger.compare(seen, isSettled), ...differences];
}

/** What `duka check` says where it is not content. */
export async function check(
  terms: Pick<Audited, "folder" | "program" | "settings">,
): Promise<string[]> {
  const checked = await runDuka(["check", "--data-dir", join(terms.folder, "data")], terms);
  return checked.code === 0 ? [] : [`check: ${checked.stdout}${checked.stderr}`];
}
