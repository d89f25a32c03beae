// Tokens of sessions, links and known devices: 256 random bits as 43 characters, of which the hash is kept.

import { base62, numberOf, randomBytes } from "#kernel/random.ts";

const RANDOM_BYTES = 32;
/** 62^43 is the first power of 62 beyond 2^256. */
const LENGTH = 43;

/** A new token. */
export function newToken(): string {
  return base62(numberOf(randomBytes(RANDOM_BYTES)), LENGTH);
}

/** The token that these texts stand for, always the same. One of them must be random and secret. */
export function tokenFor(...texts: readonly string[]): string {
  const digest = new Bun.CryptoHasher("sha256").update(JSON.stringify(texts)).digest();
  return base62(numberOf(digest), LENGTH);
}

/** The SHA-256 of a token, by which it is found: 256 random bits need no slow hash. */
export function hashOfToken(token: string): string {
  return new Bun.CryptoHasher("sha256").update(token).digest("base64url");
}
