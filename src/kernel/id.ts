// Identifiers: a prefix for the kind, and a time-ordered UUIDv7 in 26 base32 characters (TypeID
// 0.3.0). Invariant: ids of one prefix sort by the instant they were made for, so lists page by id
// alone and a span of time is a span of ids.

import { orderedParts, random16, randomParts, type UuidParts } from "./random.ts";
import { realClock } from "./time.ts";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const SUFFIX_LENGTH = 26;
const INSTANT_DIGITS = 10;
/** The 48-bit millisecond field of a UUIDv7 ends in the year 10889. */
const MAX_INSTANT_MS = 2 ** 48 - 1;

/** The prefix of each kind of id. A noun adds its kinds where it defines them, and the union stays closed. */
export interface IdKinds {}
export type IdKind = keyof IdKinds;
export type Id<K extends IdKind> = `${IdKinds[K]}_${string}`;

const prefixes: Partial<IdKinds> = {};
const kindNames = new Map<string, string>();

/**
 * Defines a kind of id, and what the documentation calls it; once, before an id of the kind is made or read. Throws if
 * another kind has the name or the prefix.
 */
export function defineKind<K extends IdKind>(kind: K, prefix: IdKinds[K], name: string = kind) {
  const known = Object.entries(prefixes).find(([one, its]) => one === kind || its === prefix);
  if (known !== undefined) {
    throw new Error(`Two kinds of ids: ${kind} is ${prefix}_, and ${known.join(" is ")}_.`);
  }
  prefixes[kind] = prefix;
  kindNames.set(kind, name);
}

/** The prefix of the kind. Throws for a kind that is not defined: the file that defines it was not loaded before. */
export function prefixOf<K extends IdKind>(kind: K): IdKinds[K] {
  const prefix = prefixes[kind];
  if (prefix === undefined) throw new Error(`The kind of ids ${kind} is not defined yet.`);
  return prefix;
}

/** The kind as the documentation names it. */
export function nameOfKind(kind: IdKind): string {
  return kindNames.get(kind) ?? kind;
}

/** An id of which all digits are zero: none that is made. */
export function zeroId<K extends IdKind>(kind: K): Id<K> {
  return `${prefixOf(kind)}_${"0".repeat(SUFFIX_LENGTH)}`;
}

/** A new id whose time part is the given instant, epoch milliseconds. */
export function newId<K extends IdKind>(kind: K, atMs: number): Id<K> {
  return `${prefixOf(kind)}_${digitsOf(atMs, orderedParts(atMs))}`;
}

/** The smallest id that an instant can have: `created_at >= t` is `id >= firstIdAt(kind, t)`. */
export function firstIdAt<K extends IdKind>(kind: K, atMs: number): Id<K> {
  const instant = Math.min(Math.max(Math.ceil(atMs), 0), MAX_INSTANT_MS);
  writeInstant(instant);
  const digits = text.toString("latin1", 0, INSTANT_DIGITS);
  return `${prefixOf(kind)}_${digits.padEnd(SUFFIX_LENGTH, "0")}`;
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
  return `req_${digitsOf(realClock.now(), randomParts())}`;
}

/** Returns true if the text has the exact shape of an id of this kind. */
export function isId<K extends IdKind>(kind: K, text: string): text is Id<K> {
  return hasShape(prefixOf(kind), text);
}

/** The kind of which the text is an id, such as `order`; null if it is none. */
export function kindOfId(text: string): string | null {
  const found = Object.entries(prefixes).find(([, prefix]) => hasShape(prefix, text));
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

/** The digits of the id that is being made: texts that are put together digit by digit cost several times as much. */
const text = Buffer.alloc(SUFFIX_LENGTH, ALPHABET.charAt(0));
const digitCodes = Buffer.from(ALPHABET);
let writtenInstant = 0;

/** 130 bits: two zero bits, the instant, version 7 and the counter, the variant (binary 10), and 62 random bits. */
function digitsOf(atMs: number, { counter, leading }: UuidParts): string {
  writeInstant(atMs);
  const versioned = 0x7000 | counter;
  writePair(10, versioned >>> 6);
  writePair(12, (versioned << 4) | 0b1000 | (leading >>> 20));
  writePair(14, leading >>> 10);
  writePair(16, leading);
  for (let at = 18; at < SUFFIX_LENGTH; at += 2) writePair(at, random16());
  return text.toString("latin1");
}

/** The first digits. Ids are made many at an instant, so those of the last one stay. */
function writeInstant(atMs: number): void {
  if (atMs === writtenInstant) return;
  if (!Number.isSafeInteger(atMs) || atMs < 0 || atMs > MAX_INSTANT_MS) {
    throw new RangeError(`Invalid instant: ${atMs}`);
  }
  let rest = atMs;
  for (let at = INSTANT_DIGITS - 2; at >= 0; at -= 2) {
    writePair(at, rest % 1024);
    rest = Math.floor(rest / 1024);
  }
  writtenInstant = atMs;
}

/** The lowest ten bits of the number as two digits. */
function writePair(at: number, bits: number): void {
  text[at] = digitCodes[(bits >>> 5) & 0x1f] ?? 0;
  text[at + 1] = digitCodes[bits & 0x1f] ?? 0;
}
