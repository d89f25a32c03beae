// What all faults on a running shop share: its products, its first key, and the audit of what it shows
// against the ledger of its clients.

import { join } from "node:path";

import { SQL } from "bun";

import { runDuka, type RunningDuka } from "../support/running-duka.ts";
import type { Ledger } from "./ledger.ts";
import { type Read, seeShop, type Shelves } from "./seen-shop.ts";

/** More than any run can sell. */
const PLENTY = 100_000_000;
/** Payments and refunds are settled by then: unknown outcomes are polled every hour. */
const SETTLE_SECONDS = 7_200;

/** An answer that waits for a program that is gone comes within a minute. */
export function isLockedByDeadProgram(response: Response, text: string): boolean {
  return response.status === 409 && text.includes('"code":"idempotency_in_progress"');
}

/** Creates two variants, one for orders and one for adjustments. */
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

/** Reads with a key; throws unless the answer is 200. */
export function readerOf(duka: RunningDuka, key: string): Read {
  return async (path) => {
    const answer = await duka.request("GET", path, { key });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${text}`);
    return text;
  };
}

/**
 * On PostgreSQL, resolves when another program may continue the work of one that is gone: the lease on a
 * gateway call lasts most of a minute of the machine's clock.
 */
export async function awaitLeases(databaseUrl: string): Promise<void> {
  await using sql = new SQL(databaseUrl, { max: 1 });
  const [row] = await sql
    .unsafe("SELECT max(until) FROM test.leases WHERE name LIKE 'call_gateway %'")
    .values();
  await Bun.sleep(Math.max(0, Number(row?.[0] ?? 0) - Date.now()));
}

/** Completes all work that was in progress when the shop was stopped. */
export async function settle(duka: RunningDuka, key: string): Promise<void> {
  const terms = { key, body: { seconds: SETTLE_SECONDS } };
  for (let isSettled = false; !isSettled;) {
    const answer = await duka.request("POST", "/v2/test/clock/advance", terms);
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`The clock could not be advanced: ${text}`);
    const clock: { settled: boolean } = JSON.parse(text);
    isSettled = clock.settled;
  }
}

export interface Audited {
  readonly ledger: Ledger;
  readonly shelves: Shelves;
  readonly key: string;
  /** The data directory's folder. */
  readonly folder: string;
  /** The command that starts Duka beside the shop, if not plain Duka. */
  readonly program?: readonly string[];
  /** The settings of the shop, for `duka check`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Whether no work of the shop is in progress. */
  readonly isSettled?: boolean;
}

/** Every broken promise of the shop, and every difference that `duka check` finds. */
export async function audit(duka: RunningDuka, audited: Audited): Promise<string[]> {
  const { ledger, shelves, key, isSettled = false } = audited;
  const [seen, differences] = await Promise.all([
    seeShop(readerOf(duka, key), shelves),
    check(audited),
  ]);
  return [...ledger.compare(seen, isSettled), ...differences];
}

/** The output of `duka check` if it fails. */
export async function check(
  terms: Pick<Audited, "folder" | "program" | "settings">,
): Promise<string[]> {
  const checked = await runDuka(["check", "--data-dir", join(terms.folder, "data")], terms);
  return checked.code === 0 ? [] : [`check: ${checked.stdout}${checked.stderr}`];
}
