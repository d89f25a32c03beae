// The only module that reads the machine's randomness, so that a run can be made repeatable.

/** Survives every terminal, address and message. */
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Numbers drawn at once: many small draws cost more than one large draw. */
const POOL_SIZE = 2_048;
/** The last number of the 12-bit counter of a UUIDv7. */
const COUNTER_MAX = 0xfff;
/** The counter starts in the lower half, so that at least 2,048 ids of an instant fit. */
const COUNTER_START_BELOW = 0x800;
/** How far the counter runs into the random bits once it is exhausted: the first 22 of the 62. */
const EXCESS_MAX = 2 ** 22 - 1;
/** The instants whose counters are remembered: transactions of different instants interleave. */
const INSTANTS_MAX = 1024;

const pool = new Uint16Array(POOL_SIZE);
let drawn = POOL_SIZE;

interface InstantCounter {
  readonly atMs: number;
  /** Above COUNTER_MAX, the excess continues in the random bits. */
  count: number;
}

/** The counters of recent instants, the one in use last at the end. */
const counters = new Map<number, InstantCounter>();
let current: InstantCounter = { atMs: -1, count: 0 };

/** The bits of a UUIDv7 behind its instant, beside 40 more random bits. */
export interface UuidParts {
  /** 12 bits. */
  readonly counter: number;
  /** The first 22 of the 62 random bits. */
  readonly leading: number;
}

/**
 * The parts of the next UUIDv7 of the instant, epoch milliseconds (RFC 9562, 5.7): a 12-bit counter that
 * starts anew at random for each instant (6.2, method 1), and random bits, so that an id tells
 * nothing about others. Ids of one instant sort in the order in which they were made, even if ids
 * of other instants are made in between. After about 2,000 ids of one instant the counter goes on in
 * the first 22 of the random bits, because the instant itself must stay true.
 */
export function orderedParts(atMs: number): UuidParts {
  const next = counterOf(atMs);
  next.count += 1;
  const counter = Math.min(next.count, COUNTER_MAX);
  const excess = Math.min(next.count - counter, EXCESS_MAX);
  return { counter, leading: counter < COUNTER_MAX ? random22() : excess };
}

/** The same without any order within the instant. */
export function randomParts(): UuidParts {
  return { counter: random16() & COUNTER_MAX, leading: random22() };
}

/** The counter of the instant. An instant not among the last ones starts anew. */
function counterOf(atMs: number): InstantCounter {
  if (current.atMs === atMs) return current;
  const known = counters.get(atMs);
  current = known ?? { atMs, count: random16() % COUNTER_START_BELOW };
  counters.delete(atMs);
  counters.set(atMs, current);
  if (counters.size > INSTANTS_MAX) {
    for (const oldest of counters.keys()) {
      counters.delete(oldest);
      break;
    }
  }
  return current;
}

function random22(): number {
  return (random16() << 6) | (random16() & 0x3f);
}

/** 16 random bits that no other draw gets. */
export function random16(): number {
  if (drawn === POOL_SIZE) {
    crypto.getRandomValues(pool);
    drawn = 0;
  }
  const bits = pool[drawn] ?? 0;
  drawn += 1;
  return bits;
}

/** A random number from 0 up to, but not including, 1: for spreading load over time. */
export function randomShare(): number {
  return Math.random();
}

/** Cryptographically strong random bytes. */
export function randomBytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length));
}

/** The whole number that the bytes spell, the first one first. */
export function numberOf(bytes: Uint8Array): bigint {
  return bytes.reduce((whole, byte) => (whole << 8n) | BigInt(byte), 0n);
}

/** The number in digits of base 62, with zeros in front up to the length. */
export function base62(number: bigint, length: number): string {
  let digits = "";
  for (let rest = number; rest > 0n; rest /= 62n) {
    digits = BASE62.charAt(Number(rest % 62n)) + digits;
  }
  return digits.padStart(length, "0");
}
