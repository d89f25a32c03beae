// The live shop as people sign in to it: with the slow hashes of passwords, and the delays of guesses.

import { setTimeout } from "node:timers/promises";

import type { Shop } from "#platform/database/shop.ts";

import { Attempts } from "./attempts.ts";
import { openPasswordHasher, type PasswordHasher } from "./credentials/hashing.ts";

export interface PeopleShop extends Shop {
  readonly passwords: PasswordHasher;
  readonly attempts: Attempts;
  /** Resolves after so many milliseconds, or once the shop closes. */
  readonly delay: (milliseconds: number) => Promise<void>;
}

/** Opens the shop of people beside the bare one. */
export function openPeopleShop({
  closing,
}: Pick<Shop, "closing">): Pick<PeopleShop, "passwords" | "attempts" | "delay"> {
  return {
    passwords: openPasswordHasher(),
    attempts: new Attempts(),
    delay: async (milliseconds) => {
      if (milliseconds === 0 || closing.aborted) return;
      await setTimeout(milliseconds, undefined, { signal: closing }).catch((error: unknown) => {
        if (!closing.aborted) throw error;
      });
    },
  };
}
