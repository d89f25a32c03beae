// The only module that reads the machine's randomness, so that a run can be made repeatable.

/** Survives every terminal, address and message. */
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Bytes drawn at once: many small draws cost more than one large draw. */
const POOL_BYTES = 4096;
/** The 62 random bits behind the variant of a UUID. */
const RANDOM_BYTES_OF_ID = 8;
/** The last number of the 12-bit counter. */
const COUNTER_MAX = 0xfff;
/** The counter starts in the lower half, so that at least 2,048 ids of an instant fit. */
const COUNTER_START_BELOW = 0x800;
/** How far the counter runs into the random bits once it is exhausted: 22 bits of the 62. */
const EXCESS_MAX = 2 ** 22 - 1;
/** The instants whose counters are remembered: transactions of different instants interleave. */
const INSTANTS_MAX = 1024;

const pool = new Uint8Array(POOL_BYTES);
let drawn = POOL_BYTES;

interface InstantCounter {
  readonly atMs: number;
  /** Above COUNTER_MAX, the excess continues in the random bits. */
  count: number;
}

/** The counters of recent instants, the one in use last at the end. */
const counters = new Map<number, InstantCounter>();
let current: InstantCounter = { atMs: -1, count: 0 };

/**
 * 16 bytes of a UUIDv7 for the instant, epoch milliseconds (RFC 9562, 5.7): a 12-bit counter that
 * starts anew at random for each instant (6.2, method 1), and 62 random bits, so that an id tells
 * nothing about others. Ids of one instant sort in the order in which they were made, even if ids
 * of other instants are made in between. After about 2,000 ids of one instant the counter goes on in
 * the first 22 of the random bits, because the instant itself must stay true.
 */
export function orderedUuidBytes(atMs: number): Uint8Array {
  const bytes = randomUuidBytes(atMs);
  const counter = counterOf(atMs);
  counter.count += 1;
  const count = Math.min(counter.count, COUNTER_MAX);
  bytes[6] = 0x70 | (count >>> 8);
  bytes[7] = count & 0xff;
  if (counter.count < COUNTER_MAX) return bytes;
  const excess = Math.min(counter.count - COUNTER_MAX, EXCESS_MAX);
  bytes[8] = 0x80 | (excess >>> 16);
  bytes[9] = (excess >>> 8) & 0xff;
  bytes[10] = excess & 0xff;
  return bytes;
}

/** 16 bytes of a UUIDv7 for the instant, epoch milliseconds, without any order within it. */
export function randomUuidBytes(atMs: number): Uint8Array {
  if (!Number.isSafeInteger(atMs) || atMs < 0) throw new RangeError(`Invalid instant: ${atMs}`);
  const start = drawPooled(RANDOM_BYTES_OF_ID + 2);
  // Bytes one by one: a DataView would cost more than the rest.
  const bytes = new Uint8Array(16);
  let rest = atMs;
  for (let at = 5; at >= 0; at -= 1) {
    bytes[at] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  for (let at = 6; at < bytes.length; at += 1) bytes[at] = pooledByte(start + at - 6);
  bytes[6] = 0x70 | (pooledByte(start) & 0x0f);
  bytes[8] = 0x80 | (pooledByte(start + 2) & 0x3f);
  return bytes;
}

/** The counter of the instant. An instant not among the last ones starts anew. */
function counterOf(atMs: number): InstantCounter {
  if (current.atMs === atMs) return current;
  const known = counters.get(atMs);
  current = known ?? { atMs, count: randomBelow(COUNTER_START_BELOW) };
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

/** A random number from 0 up to, but not including, a power of two of at most 65,536. */
function randomBelow(end: number): number {
  const start = drawPooled(2);
  return (pooledByte(start) * 256 + pooledByte(start + 1)) % end;
}

function pooledByte(at: number): number {
  return pool[at] ?? 0;
}

/** The offset in the pool of bytes that no other draw gets. */
function drawPooled(length: number): number {
  if (drawn + length > POOL_BYTES) {
    crypto.getRandomValues(pool);
    drawn = 0;
  }
  drawn += length;
  return drawn - length;
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
