// Time in slots of 15 minutes since 1970 UTC: the UTC offset of every time zone in use is a multiple
// of a slot. Invariant: the pieces of a span cover each of its slots exactly once.

/** 15 minutes, in milliseconds. */
export const SLOT_MS = 900_000;
export const SLOTS_OF_HOUR = 4;
export const SLOTS_OF_DAY = 96;

/**
 * The lengths of rows, in slots: 15 minutes, an hour, six hours, a day, four and sixteen days. Each
 * figure is stored at every resolution, so any span is read from few rows.
 */
export const resolutions: readonly number[] = [1, SLOTS_OF_HOUR, 24, SLOTS_OF_DAY, 384, 1536];

/** A span of slots; `to` is exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The rows of one resolution in a span. The number of a bucket is its first slot. */
export interface Piece extends Span {
  readonly resolution: number;
}

/** The slot that contains an instant. */
export function slotAt(epochMs: number): number {
  return Math.floor(epochMs / SLOT_MS);
}

/** The bucket of a resolution that contains a slot. */
export function bucketOf(slot: number, resolution: number): number {
  return Math.floor(slot / resolution) * resolution;
}

/** The fewest rows that cover the span: short ones at its ends, the longest between. */
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

/** The same with no row across slot `at`, because the later side may still change. */
export function piecesApart({ from, to }: Span, at: number): Piece[] {
  const middle = Math.min(Math.max(from, at), to);
  return [...piecesOf({ from, to: middle }), ...piecesOf({ from: middle, to })];
}

function widestAt(at: number, to: number): number {
  return resolutions.findLast((resolution) => at % resolution === 0 && at + resolution <= to) ?? 1;
}

/** The most unneeded rows to read before a second query is cheaper. */
const SPARE_ROWS = 8;

/** How to read consecutive spans together. */
export interface Reading {
  readonly pieces: readonly Piece[];
  /** The index of the span that a row belongs to; undefined if it belongs to none. */
  indexOf(resolution: number, bucket: number): number | undefined;
}

/** The rows that cover the spans, in as few queries as is worthwhile. */
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
