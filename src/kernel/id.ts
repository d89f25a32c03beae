// Identifiers: a prefix for the kind, and a time-ordered UUIDv7 in 26 base32 characters (TypeID
// 0.3.0). Invariant: ids of one prefix sort by the instant they were made for, so lists page by id
// alone and a span of time is a span of ids.

import { orderedUuidBytes, randomUuidBytes } from "./random.ts";
import { realClock } from "./time.ts";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const DIGIT_PAIRS = [...ALPHABET].flatMap((first) => [...ALPHABET].map((other) => first + other));
const SUFFIX_LENGTH = 26;
const INSTANT_DIGITS = 10;
/** The 48-bit millisecond field of a UUIDv7 ends in the year 10889. */
const MAX_INSTANT_MS = 2 ** 48 - 1;

export const idPrefixes = {
  store: "str",
  product: "prod",
  variant: "var",
  customer: "cus",
  cart: "cart",
  order: "ord",
  lineItem: "li",
  fulfillment: "ful",
  return: "ret",
  payment: "pay",
  refund: "ref",
  dispute: "dsp",
  webhook: "whk",
  event: "evt",
  delivery: "dlv",
  key: "key",
  movement: "mov",
  discount: "disc",
  audit: "aud",
  person: "per",
  session: "ses",
  personLink: "lnk",
  taxRate: "txr",
  shippingZone: "shz",
  shippingRate: "shr",
  pickupLocation: "loc",
} as const;

export type IdKind = keyof typeof idPrefixes;
export type Id<K extends IdKind> = `${(typeof idPrefixes)[K]}_${string}`;

/** An id of which all digits are zero: none that is made. */
export function zeroId<K extends IdKind>(kind: K): Id<K> {
  return `${idPrefixes[kind]}_${"0".repeat(SUFFIX_LENGTH)}`;
}

/** A new id whose time part is the given instant, epoch milliseconds. */
export function newId<K extends IdKind>(kind: K, atMs: number): Id<K> {
  return `${idPrefixes[kind]}_${encode(orderedUuidBytes(atMs))}`;
}

/** The smallest id that an instant can have: `created_at >= t` is `id >= firstIdAt(kind, t)`. */
export function firstIdAt<K extends IdKind>(kind: K, atMs: number): Id<K> {
  const bytes = new Uint8Array(16);
  let rest = Math.min(Math.max(Math.ceil(atMs), 0), MAX_INSTANT_MS);
  for (let index = 5; index >= 0; index -= 1) {
    bytes[index] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return `${idPrefixes[kind]}_${encode(bytes)}`;
}

/** The instant an id was made for, epoch milliseconds: the first 50 bits, two of them zero. */
export function instantOf(id: Id<IdKind>): number {
  const suffix = id.slice(-SUFFIX_LENGTH);
  let instant = 0;
  for (const digit of suffix.slice(0, INSTANT_DIGITS)) {
    instant = instant * 32 + ALPHABET.indexOf(digit);
  }
  return instant;
}

/**
 * A new id of a request, for the log and for the `X-Request-Id` header. It takes no counter, so that
 * it tells nothing about how many ids were made.
 */
export function newRequestId(): string {
  return `req_${encode(randomUuidBytes(realClock.now()))}`;
}

/** Whether the text has the exact shape of an id of this kind. */
export function isId<K extends IdKind>(kind: K, text: string): text is Id<K> {
  return hasShape(idPrefixes[kind], text);
}

/** The kind of which the text is an id, such as `order`; null if it is none. */
export function kindOfId(text: string): string | null {
  const found = Object.entries(idPrefixes).find(([, prefix]) => hasShape(prefix, text));
  return found?.[0] ?? null;
}

function hasShape(prefix: string, text: string): boolean {
  return (
    text.length === prefix.length + 1 + SUFFIX_LENGTH &&
    text.startsWith(prefix) &&
    text[prefix.length] === "_" &&
    /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text.slice(prefix.length + 1))
  );
}

/** 128 bits, two zero bits in front, as 26 digits of five bits each. */
function encode(bytes: Uint8Array): string {
  let text = digitPair(byteAt(bytes, 0));
  for (let at = 1; at < bytes.length; at += 5) {
    const [b, c, d] = [byteAt(bytes, at + 1), byteAt(bytes, at + 2), byteAt(bytes, at + 3)];
    text += digitPair((byteAt(bytes, at) << 2) | (b >>> 6));
    text += digitPair(((b & 0x3f) << 4) | (c >>> 4));
    text += digitPair(((c & 0x0f) << 6) | (d >>> 2));
    text += digitPair(((d & 0x03) << 8) | byteAt(bytes, at + 4));
  }
  return text;
}

/** Ten bits as two digits. */
function digitPair(tenBits: number): string {
  return DIGIT_PAIRS[tenBits] ?? "";
}

function byteAt(bytes: Uint8Array, index: number): number {
  return bytes[index] ?? 0;
}
