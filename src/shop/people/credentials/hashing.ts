// Slow hashes of passwords, and how guesses are slowed down: by the name they are about and by the network they come
// from. A device at which the person has signed in before counts by itself, so that the guesses of others keep no owner
// out.

import { defineRefusal, type Refusal } from "#kernel/refusal.ts";
import { DAY_MS, SECOND_MS } from "#kernel/time.ts";

/** Guesses without a delay. */
const FREE = 5;
const DELAY_SECONDS_MAX = 30;
/** Honest people share a network with who guesses there, and wait for it this long at most. */
const NETWORK_DELAY_SECONDS_MAX = 5;
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
  return busy({ abuse: "sign_ins", headers: { "Retry-After": RETRY_SECONDS } });
}

/** How long the answer to a guess waits that follows so many failures, milliseconds: 5 are free, then 1, 2, 4 … 30 s. */
export function delayMsAfter(failures: number, secondsMax = DELAY_SECONDS_MAX): number {
  if (failures < FREE) return 0;
  return Math.min(secondsMax, 2 ** (failures - FREE)) * SECOND_MS;
}

/** The same where the failures came from one network: 1, 2, 4, 5 s. */
export function networkDelayMsAfter(failures: number): number {
  return delayMsAfter(failures, NETWORK_DELAY_SECONDS_MAX);
}

/** The counter's key; hashed, because a password may be typed as a name. */
export function counterKey(kind: "name" | "network" | "device" | "session", of: string): string {
  return new Bun.CryptoHasher("sha256").update(`${kind}:${of}`).digest("base64url");
}

/** OWASP's choice for argon2id; in KiB and passes. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
/** Bun has one lane always. */
const HEAD = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$`;
/** Verified where there is no password, so that an unknown name takes as long as a known one. */
export const HASH_OF_NO_PASSWORD = `${HEAD}${"A".repeat(43)}$${"A".repeat(43)}`;

const RUNNING_MAX = 2;
const WAITING_MAX = 16;
/** In characters. What is longer is no password, and hashing it would be work for nothing. */
const VERIFIED_LENGTH_MAX = 1024;

/** Hashes and verifies passwords. Both refuse with `sign_in_busy` while too many wait. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** True if the password has this hash; false, too, where the hash or the password is none. */
  verify(password: string, hash: string): Promise<boolean>;
}

/** A hasher that works on at most two passwords at a time, while at most 16 wait. */
export function openPasswordHasher(): PasswordHasher {
  const turns = new Turns();
  return {
    hash: (password) =>
      turns.take(() =>
        Bun.password.hash(textOf(password), {
          algorithm: "argon2id",
          memoryCost: MEMORY_KIB,
          timeCost: PASSES,
        }),
      ),
    verify: (password, hash) => turns.take(() => verified(password, hash)),
  };
}

/** Returns true if the hash was made with other parameters than a new one. */
export function isOutdated(hash: string): boolean {
  return !hash.startsWith(HEAD);
}

/** Bun throws for an empty password and for a text that is no hash: neither opens anything. */
async function verified(password: string, hash: string): Promise<boolean> {
  const isPossible = password !== "" && password.length <= VERIFIED_LENGTH_MAX;
  const text = isPossible ? textOf(password) : "-";
  const isSame = await Bun.password.verify(text, hash).catch(() => false);
  return isSame && isPossible;
}

/** One text for what looks the same, however a keyboard composes it. */
function textOf(password: string): string {
  return password.normalize("NFC");
}

/** Runs few pieces of work at a time, in the order in which they came. */
class Turns {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running === RUNNING_MAX) await this.#wait();
    else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  /** Resolves with the turn of one that has ended. */
  #wait(): Promise<void> {
    if (this.#waiting.length === WAITING_MAX) {
      throw signInBusy();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
