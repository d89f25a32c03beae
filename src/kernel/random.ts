// The only module that reads the machine's randomness, so that a run can be made repeatable.

/** Bytes drawn at once: many small draws cost more than one large draw. */
const POOL_BYTES = 4096;
const RANDOM_BYTES_OF_ID = 4;

const pool = new Uint8Array(POOL_BYTES);
let drawn = POOL_BYTES;

/**
 * Counts the ids of this process, from a random start in the lower half of 42 bits: it overflows
 * after two trillion ids.
 */
let counter = Math.floor(Math.random() * 2 ** 41);

/**
 * 16 bytes of a UUIDv7 for the instant, epoch milliseconds (RFC 9562, 5.7). The random part begins
 * with a counter of this process (6.2, method 1), so ids of one instant sort in the order in which
 * they were made, even if ids of other instants are made in between.
 */
export function randomUuidBytes(atMs: number): Uint8Array {
  if (!Number.isSafeInteger(atMs) || atMs < 0) throw new RangeError(`Invalid instant: ${atMs}`);
  counter += 1;
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, Math.floor(atMs / 2 ** 32));
  view.setUint32(2, atMs % 2 ** 32);
  view.setUint16(6, 0x7000 | Math.floor(counter / 2 ** 30));
  view.setUint32(8, 0x80000000 | (counter % 2 ** 30));
  if (drawn + RANDOM_BYTES_OF_ID > POOL_BYTES) {
    crypto.getRandomValues(pool);
    drawn = 0;
  }
  bytes.set(pool.subarray(drawn, drawn + RANDOM_BYTES_OF_ID), 16 - RANDOM_BYTES_OF_ID);
  drawn += RANDOM_BYTES_OF_ID;
  return bytes;
}

/** A random number from 0 up to, but not including, 1: for spreading load over time. */
export function randomShare(): number {
  return Math.random();
}

/** Cryptographically strong random bytes. */
export function randomBytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length));
}
