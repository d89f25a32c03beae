// Time as the projection counts it: slots of 15 minutes since 1970 UTC, because every time zone in use
// is off UTC by whole slots. Invariant: the pieces of a span cover each slot of it once.
/** 15 minutes, in milliseconds. */
export const SLOT_MS = 900_000;
export const SLOTS_OF_HOUR = 4;
export const SLOTS_OF_DAY = 96;

/**
 * How much one row counts, in slots: a slot, an hour, six hours, a day, four and sixteen days.
 * Each figure is kept at every resolution, so that any span is read from few rows.
 */
export const resolutions: readonly number[] = [1, SLOTS_OF_HOUR, 24, SLOTS_OF_DAY, 384, 1536];

/** From one slot to before another. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The rows of one resolution from one bucket to before another; a bucket is named by its first slot. */
export interface Piece extends Span {
  readonly resolution: number;
}

/** The slot that an instant lies in. */
export function slotAt(epochMs: number): number {
  return Math.floor(epochMs / SLOT_MS);
}

/** The bucket of a resolution that a slot lies in. */
export function bucketOf(slot: number, resolution: number): number {
  return Math.floor(slot / resolution) * resolution;
}

/** The fewest rows that make up the span: fine ones at its edges, the widest between. */
export function piecesOf({ from, to }: Span): Piece[] {
  const pieces: Piece[] = [];
  for (let at = from; at < to;) {
    const resolution = widestAt(at, to);
    const last = pieces.at(-1);
    if (last?.resolution === resolution)
      pieces[pieces.length - 1] = { ...last, to: at + resolution };
    else pieces.push({ resolution, from: at, to: at + resolution });
    at += resolution;
  }
  return pieces;
}

/** The same where no row reaches over a slot: one side of it may go on changing. */
export function piecesApart({ from, to }: Span, at: number): Piece[] {
  const middle = Math.min(Math.max(from, at), to);
  return [...piecesOf({ from, to: middle }), ...piecesOf({ from: middle, to })];
}

function widestAt(at: number, to: number): number {
  return resolutions.findLast((resolution) => at % resolution === 0 && at + resolution <= to) ?? 1;
}

/** Rows that are read though nobody needs them, before another query is cheaper. */
const SPARE_ROWS = 8;

/** How many spans that follow each other are read, and where what is read belongs. */
export interface Reading {
  readonly pieces: readonly Piece[];
  /** The index of the span that a row is a part of; undefined where it is of none. */
  indexOf(resolution: number, bucket: number): number | undefined;
}

/** The rows that make up each of the spans, in as few stretches as is worth it. */
export function readingOf(spans: readonly Span[]): Reading {
  const places = new Map(resolutions.map((resolution) => [resolution, new Map<number, number>()]));
  const runs = new Map<number, Piece[]>();
  spans.forEach((span, index) => {
    for (const piece of piecesOf(span)) {
      extend(runs, piece);
      for (let bucket = piece.from; bucket < piece.to; bucket += piece.resolution) {
        places.get(piece.resolution)?.set(bucket, index);
      }
    }
  });
  return {
    pieces: [...runs.values()].flat(),
    indexOf: (resolution, bucket) => places.get(resolution)?.get(bucket),
  };
}

function extend(runs: Map<number, Piece[]>, piece: Piece): void {
  const ofResolution = runs.get(piece.resolution) ?? [];
  runs.set(piece.resolution, ofResolution);
  const last = ofResolution.at(-1);
  const isNear = last !== undefined && piece.from - last.to <= SPARE_ROWS * piece.resolution;
  if (isNear) ofResolution[ofResolution.length - 1] = { ...last, to: piece.to };
  else ofResolution.push(piece);
}
