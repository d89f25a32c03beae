// Rows of every resolution from a tally by slots.

import { addFigures, addPart, type Figures, noFigures } from "#analytics/figures.ts";
import { bucketOf, resolutions, SLOTS_OF_DAY } from "#analytics/slots.ts";

import { NEVER } from "./recall-memory.ts";
import type { PartSum, Purchase, ScopeTally } from "./tally.ts";

interface Bucket {
  readonly resolution: number;
  readonly bucket: number;
}

export interface FigureRow extends Bucket {
  readonly sums: Figures;
}
export type PartRow = Bucket & Omit<PartSum, "slot">;
export interface PurchaseRow extends Bucket {
  readonly previous: number;
  count: number;
}

/** The resolutions of purchases: customers are counted by days and, at the ends of a span, by slots. */
export const purchaseResolutions: readonly number[] = [1, SLOTS_OF_DAY];

/** The rows of figures at each resolution. */
export function figureRows({ figures }: ScopeTally): Iterable<FigureRow> {
  const rows = new Map<string, FigureRow>();
  for (const [slot, sums] of figures) {
    for (const resolution of resolutions) {
      const bucket = bucketOf(slot, resolution);
      const key = `${resolution} ${bucket}`;
      const row = rows.get(key);
      if (row === undefined)
        rows.set(key, { resolution, bucket, sums: { ...noFigures(), ...sums } });
      else addFigures(row.sums, sums);
    }
  }
  return rows.values();
}

/** The rows of parts at each resolution. */
export function partRows({ parts }: ScopeTally): Iterable<PartRow> {
  const rows = new Map<string, PartRow>();
  for (const { slot, ...part } of parts.values()) {
    for (const resolution of resolutions) {
      const bucket = bucketOf(slot, resolution);
      const key = `${resolution} ${bucket} ${part.kind} ${part.part}`;
      const row = rows.get(key);
      if (row === undefined) rows.set(key, { resolution, bucket, ...part });
      else addPart(row, part);
    }
  }
  return rows.values();
}

/** The rows of purchases by slot and by day. */
export function purchaseRows({ purchases }: ScopeTally): Iterable<PurchaseRow> {
  const rows = new Map<string, PurchaseRow>();
  for (const purchase of purchases) {
    for (const resolution of purchaseResolutions) {
      const row = purchaseRow(purchase, resolution);
      const key = `${resolution} ${row.bucket} ${row.previous}`;
      const known = rows.get(key);
      if (known === undefined) rows.set(key, row);
      else known.count += 1;
    }
  }
  return rows.values();
}

function purchaseRow({ slot, previous }: Purchase, resolution: number): PurchaseRow {
  const before = previous === NEVER ? NEVER : bucketOf(previous, resolution);
  return { resolution, bucket: bucketOf(slot, resolution), previous: before, count: 1 };
}
