// The only place that asks the machine for randomness, so that a run can be made repeatable.

/** Bytes drawn at once: asking for a few at a time costs more than they do. */
const POOL_BYTES = 4096;
const RANDOM_BYTES_OF_ID = 4;

const pool = new Uint8Array(POOL_BYTES);
let drawn = POOL_BYTES;

/**
 * Counts every id of this process, from a random start in the lower half of 42 bits: two trillion
 * ids before it would run over.
 */
let counter = Math.floor(Math.random() * 2 ** 41);

/**
 * 16 bytes of a UUIDv7 for the instant, epoch milliseconds (RFC 9562, 5.7). Its random part begins
 * with a counter of this process (6.2, method 1), so ids of one instant sort in the order in which
 * they were made, whatever other instants come in between.
 */
export function randomUuidBytes(atMs: number): Uint8Array {
  if (!Number.isSafeInteger(atMs) || atMs < 0) throw new RangeError(`No instant: ${atMs}`);
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

/** A number from 0 up to, and not including, 1: for spreading what would come at once. */
export function randomShare(): number {
  return Math.random();
}

/** Cryptographically strong random bytes. */
export function randomBytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length));
}
