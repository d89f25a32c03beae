// API keys as text: a prefix with the mode and the kind, 256 random bits, and a checksum that rejects typos without
// a database read. Invariant: the text of a secret key is never stored, only its hash and its last four characters.

import { defineFaults, type Meanings } from "#kernel/fault.ts";
import { base62, numberOf } from "#kernel/random.ts";
import { defineRefusal } from "#kernel/refusal.ts";
import type { Mode } from "#platform/database/shop.ts";

const RANDOM_BYTES = 32;
/** 62^43 is the first power of 62 beyond 2^256. */
const SECRET_LENGTH = 43;
/** 62^6 is the first power of 62 beyond 2^32. */
const CHECKSUM_LENGTH = 6;
const KEY_FORM = /^(test|live)_[sp]k_[0-9A-Za-z]{49}$/;
/** Enough characters to tell two keys apart, too few to help guess the rest. */
const SHOWN_LENGTH = 4;

export const NAME_LENGTH_MAX = 100;
/** Requests per minute. The limiter stores 8 bytes for each, so one key uses at most 8 MB. */
export const RATE_PER_MINUTE_MAX = 1_000_000;

/** How long a rotated key stays valid beside the new one, hours; as long as the secrets of webhooks do. */
export const OVERLAP_HOURS_DEFAULT = 24;
export const OVERLAP_HOURS_MAX = 168;

export const keyNotFound = defineRefusal("key_not_found", "not_found", "There is no such API key.");
export const scopeNotHeld = defineRefusal("scope_not_held", "forbidden", {
  title: "A key can only grant scopes that it has.",
  cause: "The new key would have scopes that the calling key does not have.",
  remedy: "Leave out the `scopes` of the response, or use a key that has them.",
  example: { members: { scopes: ["payments:write"] } },
});

export const keyEnded = defineRefusal("key_ended", "conflict", {
  title: "The API key was revoked or has expired.",
  cause: "A revoked or expired key cannot be rotated.",
  remedy: "Create a new key.",
});

/** A publishable key may be in a web page; a secret key stays on the merchant's servers. */
export const keyKinds = ["secret", "publishable"] as const;
export type KeyKind = (typeof keyKinds)[number];

const prefixOf: Readonly<Record<KeyKind, string>> = { secret: "sk", publishable: "pk" };

/** Encodes 32 random bytes as a key of this mode and kind. All keys have the same length. */
export function makeKey(mode: Mode, kind: KeyKind, bytes: Uint8Array): string {
  if (bytes.length !== RANDOM_BYTES) throw new Error(`A key of ${bytes.length} bytes`);
  const unchecked = `${mode}_${prefixOf[kind]}_${base62(numberOf(bytes), SECRET_LENGTH)}`;
  return unchecked + checksumOf(unchecked);
}

/** Returns the mode of a key, or null for a malformed one. Reads no database. */
export function readKey(text: string): { readonly mode: Mode } | null {
  if (!KEY_FORM.test(text)) return null;
  if (checksumOf(text.slice(0, -CHECKSUM_LENGTH)) !== text.slice(-CHECKSUM_LENGTH)) return null;
  return { mode: text.startsWith("live") ? "live" : "test" };
}

/** Returns true if the key was revoked or has expired. */
export function hasEnded(
  {
    revokedAt,
    expiresAt,
  }: { readonly revokedAt: number | null; readonly expiresAt: number | null },
  now: number,
): boolean {
  return revokedAt !== null || (expiresAt !== null && expiresAt <= now);
}

/** The part of a key that may be displayed: `test_sk_…a1B2`. */
export function displayOf(key: string): string {
  return `${key.slice(0, key.lastIndexOf("_") + 1)}…${key.slice(-SHOWN_LENGTH)}`;
}

/** Returns the SHA-256 of the whole key. 256 random bits need no slow hash. */
export function hashOf(key: string): string {
  return new Bun.CryptoHasher("sha256").update(key).digest("base64url");
}

/** Not a security measure: it detects typos and lets secret scanners recognize a key. */
function checksumOf(text: string): string {
  return base62(BigInt(Bun.hash.crc32(text)), CHECKSUM_LENGTH);
}

const keyFaults = defineFaults({
  scopes_of_other_kind: "The scopes belong to the other kind of API key.",
});
declare module "#kernel/fault.ts" {
  interface FaultCodes extends Meanings<typeof keyFaults> {}
}
