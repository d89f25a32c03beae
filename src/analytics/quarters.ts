// Time as the projection counts it: quarters of an hour since 1970 UTC, because every time zone in use
// is off UTC by whole quarters. Invariant: the pieces of a span cover each quarter of it once.

/** A quarter of an hour, milliseconds. */
export const QUARTER_MS = 900_000;
export const QUARTERS_OF_HOUR = 4;
export const QUARTERS_OF_DAY = 96;

/**
 * How much one row counts, in quarters: a quarter, an hour, six hours, a day, four and sixteen days.
 * Each figure is kept at every level, so that any span is read from few rows.
 */
export const levels: readonly number[] = [1, QUARTERS_OF_HOUR, 24, QUARTERS_OF_DAY, 384, 1536];

/** From one quarter to before another. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The rows of one level from one bucket to before another; a bucket is named by its first quarter. */
export interface Piece extends Span {
  readonly level: number;
}

/** The quarter that an instant lies in. */
export function quarterAt(epochMs: number): number {
  return Math.floor(epochMs / QUARTER_MS);
}

/** The bucket of a level that a quarter lies in. */
export function bucketOf(quarter: number, level: number): number {
  return Math.floor(quarter / level) * level;
}

/** The fewest rows that make up the span: fine ones at its edges, the widest between. */
export function piecesOf({ from, to }: Span): Piece[] {
  const pieces: Piece[] = [];
  for (let at = from; at < to;) {
    const level = widestAt(at, to);
    const last = pieces.at(-1);
    if (last?.level === level) pieces[pieces.length - 1] = { ...last, to: at + level };
    else pieces.push({ level, from: at, to: at + level });
    at += level;
  }
  return pieces;
}

/** The same where no row reaches over a quarter: one side of it may go on changing. */
export function piecesApart({ from, to }: Span, at: number): Piece[] {
  const middle = Math.min(Math.max(from, at), to);
  return [...piecesOf({ from, to: middle }), ...piecesOf({ from: middle, to })];
}

function widestAt(at: number, to: number): number {
  return levels.findLast((level) => at % level === 0 && at + level <= to) ?? 1;
}

/** Rows that are read though nobody needs them, before another query is cheaper. */
const SPARE_ROWS = 8;

/** How many spans that follow each other are read, and where what is read belongs. */
export interface Reading {
  readonly pieces: readonly Piece[];
  /** The index of the span that a row is a part of; undefined where it is of none. */
  indexOf(level: number, bucket: number): number | undefined;
}

/** The rows that make up each of the spans, in as few stretches as is worth it. */
export function readingOf(spans: readonly Span[]): Reading {
  const places = new Map(levels.map((level) => [level, new Map<number, number>()]));
  const runs = new Map<number, Piece[]>();
  spans.forEach((span, index) => {
    for (const piece of piecesOf(span)) {
      extend(runs, piece);
      for (let bucket = piece.from; bucket < piece.to; bucket += piece.level) {
        places.get(piece.level)?.set(bucket, index);
      }
    }
  });
  return {
    pieces: [...runs.values()].flat(),
    indexOf: (level, bucket) => places.get(level)?.get(bucket),
  };
}

function extend(runs: Map<number, Piece[]>, piece: Piece): void {
  const ofLevel = runs.get(piece.level) ?? [];
  runs.set(piece.level, ofLevel);
  const last = ofLevel.at(-1);
  const isNear = last !== undefined && piece.from - last.to <= SPARE_ROWS * piece.level;
  if (isNear) ofLevel[ofLevel.length - 1] = { ...last, to: piece.to };
  else ofLevel.push(piece);
}
