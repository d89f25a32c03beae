// Slow hashes of passwords. Each takes 19 MiB and about 40 ms of a core, so that few run at a time: more wait, and
// yet more are refused, which keeps a flood of sign-ins from taking the memory of the shop.

import { signInBusy } from "./guessing.ts";

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
