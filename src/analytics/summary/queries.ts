// All SQL that reads the projection. Callers add up the rows, which are few.

import { and, asc, eq, gte, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

import {
  addFigures,
  type CustomerCount,
  type Figures,
  noFigures,
  type PartKind,
  partKinds,
} from "#analytics/figures.ts";
import { type Piece, readingOf, type Span } from "#analytics/slots.ts";
import { figures, names, parts, purchases, scopes } from "#analytics/tables.ts";
import { nextTurn } from "#kernel/time.ts";
import type { Reader } from "#platform/database/database.ts";
import { type Placeholders, prepared, preparedByFilters } from "#platform/database/prepared.ts";

export type ScopeRow = typeof scopes.$inferSelect;
export type FigureRow = typeof figures.$inferSelect;
export type PartRow = Omit<typeof parts.$inferSelect, "scope" | "resolution" | "bucket">;
export type NameRow = typeof names.$inferSelect;

/** Parts per page: about a millisecond. */
const PAGE_SIZE = 2_000;

interface PieceOfScope extends Piece {
  readonly scope: number;
}

type BucketOfScope = Pick<FigureRow, "scope" | "resolution" | "bucket">;

const isWithin = (at: Placeholders<PieceOfScope>) =>
  and(
    eq(figures.scope, at.scope),
    eq(figures.resolution, at.resolution),
    gte(figures.bucket, at.from),
    lt(figures.bucket, at.to),
  );
const isOf = (at: Placeholders<BucketOfScope>) =>
  and(eq(parts.scope, at.scope), eq(parts.resolution, at.resolution), eq(parts.bucket, at.bucket));

const allScopes = prepared()((db) =>
  db.select().from(scopes).orderBy(asc(scopes.currency), asc(scopes.channel)),
);
const figuresWithin = prepared<PieceOfScope>()((db, at) =>
  db.select().from(figures).where(isWithin(at)),
);
const figuresOfScopes = preparedByFilters<Piece & { readonly scopes: readonly number[] }>()(
  (db, given) =>
    db
      .select()
      .from(figures)
      .where(
        and(
          inArray(figures.scope, given.each("scopes")),
          eq(figures.resolution, given.one("resolution")),
          gte(figures.bucket, given.one("from")),
          lt(figures.bucket, given.one("to")),
        ),
      ),
);
const salesWithin = prepared<PieceOfScope>()((db, at) =>
  db
    .select({
      resolution: figures.resolution,
      bucket: figures.bucket,
      placed: figures.placed,
      paid: figures.paid,
      unitsSold: figures.unitsSold,
      grossMinor: figures.grossMinor,
      discountMinor: figures.discountMinor,
      refundedMinor: figures.refundedMinor,
      shippingMinor: figures.shippingMinor,
      taxMinor: figures.taxMinor,
    })
    .from(figures)
    .where(isWithin(at)),
);
const partsAfter = prepared<
  BucketOfScope & { afterKind: number; afterPart: number; rows: number }
>()((db, at) =>
  db
    .select({
      kind: parts.kind,
      part: parts.part,
      owner: parts.owner,
      count: parts.count,
      units: parts.units,
      grossMinor: parts.grossMinor,
      netMinor: parts.netMinor,
    })
    .from(parts)
    .where(and(isOf(at), sql`(${parts.kind}, ${parts.part}) > (${at.afterKind}, ${at.afterPart})`))
    .orderBy(asc(parts.kind), asc(parts.part))
    .limit(at.rows),
);
const stepsOf = prepared<BucketOfScope & { kind: PartKind }>()((db, at) =>
  db
    .select({ part: parts.part, count: parts.count })
    .from(parts)
    .where(and(isOf(at), eq(parts.kind, at.kind))),
);
const namesByNumber = preparedByFilters<{ number: readonly number[] }>()((db, given) =>
  db
    .select()
    .from(names)
    .where(inArray(names.number, given.each("number"))),
);

interface PurchaseSpan extends PieceOfScope {
  /** Only purchases whose previous one is before this slot count. */
  readonly before: number;
}

const sumWhere = (condition: SQL) =>
  sql<number>`coalesce(sum(CASE WHEN ${condition} THEN ${purchases.count} ELSE 0 END), 0)`.mapWith(
    Number,
  );

const purchasesWithin = prepared<PurchaseSpan>()((db, at) =>
  db
    .select({
      fresh: sumWhere(sql`${purchases.previous} < 0`),
      returning: sumWhere(sql`${purchases.previous} >= 0`),
    })
    .from(purchases)
    .where(
      and(
        eq(purchases.scope, at.scope),
        eq(purchases.resolution, at.resolution),
        gte(purchases.bucket, at.from),
        lt(purchases.bucket, at.to),
        lt(purchases.previous, at.before),
      ),
    ),
);
const purchasesAfter = prepared<{
  scope: number;
  from: number;
  to: number;
  previousFrom: number;
  previousTo: number;
}>()((db, at) =>
  db
    .select({
      // A bound on the bucket in WHERE would make SQLite scan the buckets instead of the partial index.
      returning: sumWhere(
        sql`${purchases.bucket} >= ${at.from} AND ${purchases.bucket} < ${at.to}`,
      ),
    })
    .from(purchases)
    .where(
      and(
        eq(purchases.scope, at.scope),
        // The literal condition of the partial index, so that SQLite uses it.
        sql`level = 1`,
        gte(purchases.previous, at.previousFrom),
        lt(purchases.previous, at.previousTo),
      ),
    ),
);

const sumOf = (column: PgColumn) => sql<number>`sum(${column})`.mapWith(Number);

const partSums = prepared()((db) =>
  db
    .select({
      scope: parts.scope,
      resolution: parts.resolution,
      kind: parts.kind,
      count: sumOf(parts.count),
      units: sumOf(parts.units),
      grossMinor: sumOf(parts.grossMinor),
      netMinor: sumOf(parts.netMinor),
    })
    .from(parts)
    .groupBy(parts.scope, parts.resolution, parts.kind),
);
const purchaseSums = prepared()((db) =>
  db
    .select({
      scope: purchases.scope,
      resolution: purchases.resolution,
      count: sumOf(purchases.count),
    })
    .from(purchases)
    .groupBy(purchases.scope, purchases.resolution),
);

/** Every scope, by currency and channel. */
export function listScopes(db: Reader): Promise<ScopeRow[]> {
  return allScopes(db, {});
}

/** The figures of one scope in the rows of a piece. */
export function findFigures(db: Reader, piece: PieceOfScope): Promise<FigureRow[]> {
  return figuresWithin(db, piece);
}

/** The figures of several scopes, unordered. */
export async function findFiguresOf(
  db: Reader,
  numbers: readonly number[],
  { resolution, from, to }: Piece,
): Promise<FigureRow[]> {
  return numbers.length === 0 ? [] : figuresOfScopes(db, { scopes: numbers, resolution, from, to });
}

/** The sales figures of each span, which are all that a series needs; zeros without a scope. */
export async function sumSales(
  db: Reader,
  scope: number | null,
  spans: readonly Span[],
): Promise<Figures[]> {
  const points = spans.map(noFigures);
  if (scope === null) return points;
  const reading = readingOf(spans);
  for (const piece of reading.pieces) {
    for (const row of await salesWithin(db, { scope, ...piece })) {
      const point = points[reading.indexOf(row.resolution, row.bucket) ?? -1];
      if (point !== undefined) addFigures(point, row);
    }
  }
  return points;
}

/** The parts of one bucket of a scope in pages: there may be tens of thousands. */
export async function* partPages(
  db: Reader,
  { scope, resolution, bucket }: BucketOfScope,
): AsyncGenerator<PartRow[]> {
  for (let last: PartRow | undefined, hasMore = true; hasMore;) {
    await nextTurn();
    const after = { afterKind: last?.kind ?? 0, afterPart: last?.part ?? 0 };
    const page = await partsAfter(db, { scope, resolution, bucket, ...after, rows: PAGE_SIZE });
    yield page;
    last = page.at(-1);
    hasMore = page.length === PAGE_SIZE;
  }
}

/** The counts of the histogram's steps in one bucket of a scope. */
export function findSteps(db: Reader, { scope, resolution, bucket }: BucketOfScope) {
  return stepsOf(db, { scope, resolution, bucket, kind: partKinds.seconds });
}

/** The names with these numbers. */
export async function findNames(
  db: Reader,
  number: readonly number[],
): Promise<ReadonlyMap<number, NameRow>> {
  const rows = number.length === 0 ? [] : await namesByNumber(db, { number });
  return new Map(rows.map((row) => [row.number, row]));
}

/** New customers in a piece, and those whose previous purchase was before the given slot. */
export async function countPurchases(db: Reader, span: PurchaseSpan): Promise<CustomerCount> {
  const [row] = await purchasesWithin(db, span);
  return row ?? { fresh: 0, returning: 0 };
}

/** The number of purchases in span `next` whose previous one is in span `previous`. */
export async function countReturns(
  db: Reader,
  scope: number,
  { previous, next }: { readonly previous: Span; readonly next: Span },
): Promise<number> {
  if (previous.from === previous.to) return 0;
  const between = { scope, ...next, previousFrom: previous.from, previousTo: previous.to };
  return (await purchasesAfter(db, between))[0]?.returning ?? 0;
}

/** The sums of the parts by kind and resolution. */
export function listPartSums(db: Reader) {
  return partSums(db, {});
}

/** The sums of the purchases by resolution. */
export function listPurchaseSums(db: Reader) {
  return purchaseSums(db, {});
}
