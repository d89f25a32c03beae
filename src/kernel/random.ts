// The only place that asks the machine for randomness, so that a run can be made repeatable.

/** 16 bytes of a UUIDv7 for the instant; increasing while the instant does not change. */
export function randomUuidBytes(atMs: number): Uint8Array {
  return Bun.randomUUIDv7("buffer", atMs);
}

/** Cryptographically strong random bytes. */
export function randomBytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length));
}
