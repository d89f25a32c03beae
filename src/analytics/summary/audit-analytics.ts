// Lookup: compare the projection with a new count of the log, at every resolution. The log is read in
// pages up to the cursor.

import {
  addFigures,
  addPart,
  CONSUMER,
  figureNames,
  type Figures,
  noFigures,
  noPart,
  type PartFigures,
} from "#analytics/figures.ts";
import { readFact } from "#analytics/projection/fact.ts";
import { type Memory, Remembered, scopeKey } from "#analytics/projection/recall-memory.ts";
import { purchaseResolutions } from "#analytics/projection/roll-up.ts";
import { type ScopeTally, Tally } from "#analytics/projection/tally.ts";
import { resolutions } from "#analytics/slots.ts";
import type { Difference } from "#kernel/difference.ts";
import { nextTurn } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";
import { eventsAfter } from "#platform/event-log/event-log.ts";
import { findLogCursor } from "#platform/event-log/log-cursors.ts";

import { findFigures, listPartSums, listPurchaseSums, listScopes } from "./queries.ts";

const PAGE_SIZE = 1_000;
const partNames = ["count", "units", "grossMinor", "netMinor"] as const;
/** All buckets. */
const ALL_TIME = { from: -1_000_000_000, to: 1_000_000_000 };

/** The totals of one scope. */
interface Count {
  readonly figures: Figures;
  readonly parts: Map<number, PartFigures>;
  purchases: number;
}

/** Every sum that differs from the log. Needs a Reader of one snapshot. */
export async function* auditAnalytics(db: Reader): AsyncGenerator<Difference> {
  const counted = await recount(db);
  const scopes = await listScopes(db);
  const parts = await listPartSums(db);
  const purchases = await listPurchaseSums(db);
  for (const { number: scope, currency, channel } of scopes) {
    const key = scopeKey({ currency, channel });
    const expected = counted.get(key) ?? newCount();
    counted.delete(key);
    const of = <Row extends { readonly scope: number }>(rows: readonly Row[]) =>
      rows.filter((row) => row.scope === scope);
    const subject = `analytics ${key}`;
    for (const resolution of resolutions) {
      const found = await sumFigures(db, { scope, resolution });
      yield* compare({ subject, resolution, names: figureNames }, expected.figures, found);
    }
    yield* wrongParts(subject, expected.parts, of(parts));
    for (const resolution of purchaseResolutions) {
      const found = of(purchases).find((row) => row.resolution === resolution)?.count ?? 0;
      const place = { subject, resolution, names: ["purchases"] as const };
      yield* compare(place, { purchases: expected.purchases }, { purchases: found });
    }
  }
  for (const key of counted.keys()) {
    yield { subject: `analytics ${key}`, what: "figures", expected: "some", found: "none" };
  }
}

async function recount(db: Reader): Promise<Map<string, Count>> {
  const counts = new Map<string, Count>();
  const memory: Memory = {
    refunded: new Remembered(new Map()),
    checkouts: new Remembered(new Map()),
    customers: new Remembered(new Map()),
  };
  const until = await findLogCursor(db, CONSUMER);
  for (let after = 0; after < until;) {
    await nextTurn();
    const events = await eventsAfter(db, { after, until, limit: PAGE_SIZE });
    const tally = new Tally(memory);
    for (const fact of events.map(readFact)) if (fact !== null) tally.add(fact);
    for (const [key, scope] of tally.scopes) {
      const count = counts.get(key) ?? newCount();
      counts.set(key, count);
      addTally(count, scope);
    }
    after = events.at(-1)?.sequence ?? until;
  }
  return counts;
}

function newCount(): Count {
  return { figures: noFigures(), parts: new Map(), purchases: 0 };
}

function addTally(count: Count, { figures, parts, purchases }: ScopeTally): void {
  for (const sums of figures.values()) addFigures(count.figures, sums);
  for (const part of parts.values()) {
    const sum = count.parts.get(part.kind) ?? { ...noPart };
    count.parts.set(part.kind, sum);
    addPart(sum, part);
  }
  count.purchases += purchases.length;
}

async function sumFigures(
  db: Reader,
  at: { readonly scope: number; readonly resolution: number },
): Promise<Figures> {
  const sum = noFigures();
  for (const row of await findFigures(db, { ...at, ...ALL_TIME })) addFigures(sum, row);
  return sum;
}

interface PartSum extends PartFigures {
  readonly resolution: number;
  readonly kind: number;
}

function* wrongParts(
  subject: string,
  expected: ReadonlyMap<number, PartFigures>,
  found: readonly PartSum[],
): Generator<Difference> {
  const kinds = new Set([...expected.keys(), ...found.map(({ kind }) => kind)]);
  for (const kind of kinds) {
    for (const resolution of resolutions) {
      const sum = found.find((row) => row.kind === kind && row.resolution === resolution) ?? noPart;
      const place = { subject: `${subject} kind ${kind}`, resolution, names: partNames };
      yield* compare(place, expected.get(kind) ?? noPart, sum);
    }
  }
}

interface Place<Name extends string> {
  readonly subject: string;
  readonly resolution: number;
  readonly names: readonly Name[];
}

function* compare<Name extends string>(
  { subject, resolution, names }: Place<Name>,
  expected: Readonly<Record<Name, number>>,
  found: Readonly<Record<Name, number>>,
): Generator<Difference> {
  for (const name of names) {
    if (expected[name] === found[name]) continue;
    const what = `${name} by ${resolution} slots`;
    yield { subject, what, expected: expected[name], found: found[name] };
  }
}
