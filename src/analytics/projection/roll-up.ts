// What was tallied by quarters, as it is added to the rows of every level.

import { addFigures, addPart, type Figures, noFigures } from "#analytics/figures.ts";
import { bucketOf, levels, QUARTERS_OF_DAY } from "#analytics/quarters.ts";

import { NEVER } from "./memory.ts";
import type { PartSum, Purchase, ScopeTally } from "./tally.ts";

interface Bucket {
  readonly level: number;
  readonly bucket: number;
}

export interface FigureRow extends Bucket {
  readonly sums: Figures;
}
export type PartRow = Bucket & Omit<PartSum, "quarter">;
export interface PurchaseRow extends Bucket {
  readonly previous: number;
  count: number;
}

/** How many quarters a row of purchases may count: buyers are never wanted over more at once. */
export const purchaseLevels: readonly number[] = [1, QUARTERS_OF_DAY];

/** The figures of each level. */
export function figureRows({ figures }: ScopeTally): Iterable<FigureRow> {
  const rows = new Map<string, FigureRow>();
  for (const [quarter, sums] of figures) {
    for (const level of levels) {
      const bucket = bucketOf(quarter, level);
      const key = `${level} ${bucket}`;
      const row = rows.get(key);
      if (row === undefined) rows.set(key, { level, bucket, sums: { ...noFigures(), ...sums } });
      else addFigures(row.sums, sums);
    }
  }
  return rows.values();
}

/** The parts of each level. */
export function partRows({ parts }: ScopeTally): Iterable<PartRow> {
  const rows = new Map<string, PartRow>();
  for (const { quarter, ...part } of parts.values()) {
    for (const level of levels) {
      const bucket = bucketOf(quarter, level);
      const key = `${level} ${bucket} ${part.kind} ${part.part}`;
      const row = rows.get(key);
      if (row === undefined) rows.set(key, { level, bucket, ...part });
      else addPart(row, part);
    }
  }
  return rows.values();
}

/** The purchases of quarters and days. */
export function purchaseRows({ purchases }: ScopeTally): Iterable<PurchaseRow> {
  const rows = new Map<string, PurchaseRow>();
  for (const purchase of purchases) {
    for (const level of purchaseLevels) {
      const row = purchaseRow(purchase, level);
      const key = `${level} ${row.bucket} ${row.previous}`;
      const known = rows.get(key);
      if (known === undefined) rows.set(key, row);
      else known.count += 1;
    }
  }
  return rows.values();
}

function purchaseRow({ quarter, previous }: Purchase, level: number): PurchaseRow {
  const before = previous === NEVER ? NEVER : bucketOf(previous, level);
  return { level, bucket: bucketOf(quarter, level), previous: before, count: 1 };
}
