// Content codings (RFC 9110, 8.4): which one a request accepts, and bodies in it. Each coding of a
// representation has an ETag of its own, because a strong tag names bytes.

import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants, gzip } from "node:zlib";

/** By preference: of the three, zstd is the fastest and compresses JSON best at that speed. */
export const codings = ["zstd", "br", "gzip"] as const;

export type Coding = (typeof codings)[number];

/** Characters from which a page or a read is compressed: a shorter one fits one packet anyway. */
export const CODED_LENGTH_MIN = 1_024;

/** An identity that is not listed is acceptable, and any listed coding is preferred to it. */
const UNLISTED_IDENTITY = Number.MIN_VALUE;

/** The same bytes in some codings. */
export type Codings = Readonly<Partial<Record<Coding, () => Blob | Promise<Blob>>>>;

export interface Offer {
  /** The codings in which the representation is available besides identity; all codings by default. */
  readonly offered?: readonly Coding[];
  /** True if compression is refused unless identity is, because the body is small. */
  readonly isSmall?: boolean;
}

/**
 * The coding for an `Accept-Encoding` header; null is identity. Identity is also used if every
 * coding is refused: RFC 9110 allows it, and a 406 after a write would hide its result.
 */
export function chooseCoding(acceptEncoding: string | null, offer: Offer = {}): Coding | null {
  if (acceptEncoding === null) return null;
  const { offered = codings, isSmall = false } = offer;
  const weights = weightsOf(acceptEncoding);
  let best: Coding | null = null;
  let bestWeight = 0;
  for (const coding of offered) {
    const weight = weightIn(weights, coding, 0);
    if (weight > bestWeight) [best, bestWeight] = [coding, weight];
  }
  const identity = weightIn(weights, "identity", UNLISTED_IDENTITY);
  return identity > 0 && (isSmall || bestWeight < identity) ? null : best;
}

function weightIn(weights: Weights, coding: string, unlisted: number): number {
  return weights.get(coding) ?? weights.get("*") ?? unlisted;
}

type Weights = ReadonlyMap<string, number>;

/** Parsed headers: a client sends the same one with every request. Emptied at this many. */
const KNOWN_HEADERS_MAX = 100;
const known = new Map<string, Weights>();

function weightsOf(acceptEncoding: string): Weights {
  const before = known.get(acceptEncoding);
  if (before !== undefined) return before;
  if (known.size >= KNOWN_HEADERS_MAX) known.clear();
  const weights = parseWeights(acceptEncoding);
  known.set(acceptEncoding, weights);
  return weights;
}

/** The weight of each listed coding; one with a malformed weight counts as refused. */
function parseWeights(acceptEncoding: string): Weights {
  return new Map(
    acceptEncoding
      .toLowerCase()
      .split(",")
      .map((part) => {
        const [coding = "", weight] = part.split(";").map((text) => text.trim());
        return [coding, weight === undefined ? 1 : qualityOf(weight)];
      }),
  );
}

function qualityOf(weight: string): number {
  const quality = Number(/^q=([01](?:\.\d{0,3})?)$/.exec(weight)?.[1] ?? 0);
  return quality > 1 ? 0 : quality;
}

/** The ETag of a representation in a coding, from the one it has without. */
export function codedTag(tag: string, coding: Coding): string {
  return `${tag.slice(0, -1)}-${coding}"`;
}

/** Compresses a response made for one request, as fast as the coding allows: 10 µs for an order. */
export function compressNow(text: string, coding: Coding): Uint8Array {
  switch (coding) {
    case "zstd":
      return Bun.zstdCompressSync(text, { level: 1 });
    case "br":
      return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
    case "gzip":
      return Bun.gzipSync(text, { level: 1, library: "libdeflate" });
  }
}

const brotliApart = promisify(brotliCompress);
const gzipApart = promisify(gzip);

/** Compresses a constant well, on another thread; levels above these double the time for 5 %. */
function compressWell(text: string, coding: Coding): Promise<Uint8Array> {
  switch (coding) {
    case "zstd":
      return Bun.zstdCompress(text, { level: 12 });
    case "br":
      return brotliApart(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
    case "gzip":
      return gzipApart(text, { level: 9 });
  }
}

/** Each coding of a constant text, compressed on first use and kept; none of a small text. */
export function codingsOf(text: string): Codings {
  if (text.length < CODED_LENGTH_MIN) return {};
  const kept: Partial<Record<Coding, Promise<Blob>>> = {};
  const once = (coding: Coding) => () =>
    (kept[coding] ??= compressWell(text, coding).then((bytes) => new Blob([bytes])));
  return { zstd: once("zstd"), br: once("br"), gzip: once("gzip") };
}
