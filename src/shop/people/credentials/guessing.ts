// Guesses of a password are slowed down by the name they are about and by the network they come from. A device at
// which the person has signed in before counts by itself, so that the guesses of others keep no owner out.

import { defineRefusal, type Refusal } from "#kernel/refusal.ts";
import { DAY_MS, SECOND_MS } from "#kernel/time.ts";

/** Guesses without a delay. */
const FREE = 5;
const DELAY_SECONDS_MAX = 30;
/** So many failures in a row switch a password off for unknown devices, until a link sets another (NIST 800-63B). */
export const FAILURES_MAX = 100;
/** After this long without a guess, a counter starts anew. */
export const FORGOTTEN_MS = DAY_MS;
/** Counters at a time. Strangers make them: those that were not used for longest make room. */
export const COUNTERS_MAX = 10_000;

/** One refusal for every failure, so that a guess does not learn which names there are. */
export const signInFailed = defineRefusal(
  "sign_in_failed",
  "unauthenticated",
  "The name or the password is wrong.",
);

const busy = defineRefusal(
  "sign_in_busy",
  "unavailable",
  "Too many people sign in at the moment. Try again in a few seconds.",
);
const RETRY_SECONDS = "5";

/** The refusal of an attempt that found no place. */
export function signInBusy(): Refusal {
  return busy({ headers: { "Retry-After": RETRY_SECONDS } });
}

/** How long the answer to a guess waits that follows so many failures, milliseconds: 5 are free, then 1, 2, 4 … 30 s. */
export function delayMsAfter(failures: number): number {
  if (failures < FREE) return 0;
  return Math.min(DELAY_SECONDS_MAX, 2 ** (failures - FREE)) * SECOND_MS;
}

/** The counter's key; hashed, because a password may be typed as a name. */
export function counterKey(kind: "name" | "network" | "device" | "session", of: string): string {
  return new Bun.CryptoHasher("sha256").update(`${kind}:${of}`).digest("base64url");
}
