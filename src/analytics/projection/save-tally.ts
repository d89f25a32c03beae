// Story: add a tally to the projection.

import type { Tx } from "#platform/database/database.ts";
import { nextNumber } from "#platform/database/held-rows.ts";

import type { SalesScope } from "./fact.ts";
import {
  addFigureRow,
  addPartRow,
  addPurchaseRow,
  findNames,
  findScope,
  insertName,
  insertScope,
  type NameRow,
  renameThing,
  replaceCheckout,
  replaceCustomer,
  replaceRefunded,
} from "./queries.ts";
import { scopeKey } from "./recall-memory.ts";
import { figureRows, partRows, purchaseRows } from "./roll-up.ts";
import { type Named, nameKey, type ScopeTally, type Tally } from "./tally.ts";

type Numbers = ReadonlyMap<string, number>;

/** Adds the tally to the rows of every resolution and saves the changes of its memory. */
export async function saveTally(tx: Tx, tally: Tally): Promise<void> {
  const { memory } = tally;
  const numbers = await numberNames(tx, [...tally.names.values()]);
  const scopes = new Map<string, number>();
  for (const [key, scope] of tally.scopes) {
    const number = await scopeNumber(tx, scope);
    scopes.set(key, number);
    await saveScope(tx, scope, { number, numbers });
  }
  for (const [orderId, refundedMinor] of memory.refunded.changes) {
    await replaceRefunded(tx, { orderId, refundedMinor });
  }
  for (const [subject, isLeft] of memory.checkouts.changes) {
    await replaceCheckout(tx, { subject, isLeft });
  }
  for (const { customerId, slot: lastSlot, ...place } of memory.customers.changes.values()) {
    const scope = scopes.get(scopeKey(place));
    if (scope === undefined)
      throw new Error(`No scope was tallied for a purchase in ${scopeKey(place)}.`);
    await replaceCustomer(tx, { scope, customerId, lastSlot });
  }
}

async function saveScope(
  tx: Tx,
  tally: ScopeTally,
  { number: scope, numbers }: { readonly number: number; readonly numbers: Numbers },
): Promise<void> {
  const numberOf = (part: string | number) =>
    typeof part === "number" ? part : (numbers.get(part) ?? 0);
  for (const { resolution, bucket, sums } of figureRows(tally)) {
    await addFigureRow(tx, { scope, resolution, bucket, ...sums });
  }
  for (const { part, owner, ...row } of partRows(tally)) {
    await addPartRow(tx, { ...row, scope, part: numberOf(part), owner: numberOf(owner ?? 0) });
  }
  for (const row of purchaseRows(tally)) await addPurchaseRow(tx, { scope, ...row });
}

async function scopeNumber(tx: Tx, { currency, channel }: SalesScope): Promise<number> {
  const known = await findScope(tx, { currency, channel });
  if (known !== undefined) return known;
  const number = await nextNumber(tx, "analytics_scopes", 1);
  await insertScope(tx, { number, currency, channel });
  return number;
}

/** The number of each name by `nameKey`. Inserts new names and saves changed titles. */
async function numberNames(tx: Tx, things: readonly Named[]): Promise<ReadonlyMap<string, number>> {
  const found = await findNames(tx, [...new Set(things.map(({ name }) => name))]);
  const known = new Map(found.map((row) => [`${row.kind} ${row.name}`, row]));
  const numbers = new Map<string, number>();
  for (const thing of things) {
    const key = nameKey(thing);
    numbers.set(key, await numberName(tx, thing, known.get(key)));
  }
  return numbers;
}

async function numberName(tx: Tx, thing: Named, known: NameRow | undefined): Promise<number> {
  if (known === undefined) {
    const number = await nextNumber(tx, "analytics_names", 1);
    await insertName(tx, { ...thing, number });
    return number;
  }
  const isNew = thing.title !== known.title || thing.sku !== known.sku;
  if (thing.title !== null && isNew) {
    await renameThing(tx, { number: known.number, title: thing.title, sku: thing.sku });
  }
  return known.number;
}
