// The live shop as people sign in to it: with the slow hashes of passwords, and the delays of guesses.

import { setTimeout } from "node:timers/promises";

import type { Shop } from "#platform/database/shop.ts";
import type { MarksShop } from "#shop/marks/abuse-marks.ts";
import {
  counterKey,
  openPasswordHasher,
  type PasswordHasher,
  signInBusy,
} from "#shop/people/credentials/hashing.ts";

// Attempts that are worked on: counted or verified. Few of them may be about one name, or from one network, device or
// session, so that a flood is refused early. The delay that earlier failures earned holds no place: else who guesses
// slowly would fill them all, and keep others out.

/** Attempts about one name, or from one network, device or session, that are worked on at a time. */
const EACH_MAX = 8;
/** The same of attempts at unknown devices; a person at a known device is not kept out by them. */
const STRANGERS_MAX = 128;
const STRANGERS = "strangers";

/** The counter of an attempt, and how many of these may be worked on. */
type Place = readonly [counter: string, max: number];

/** The places that an attempt at an unknown device takes. */
export function strangersPlaces(nameKey: string, network: string | null): readonly Place[] {
  return [[counterKey("name", nameKey), EACH_MAX], ...networkPlaces(network)];
}

/** The same of an attempt that is about no name. */
export function networkPlaces(network: string | null): readonly Place[] {
  const ofNetwork = network === null ? [] : [[counterKey("network", network), EACH_MAX] as const];
  return [...ofNetwork, [STRANGERS, STRANGERS_MAX]];
}

/** The place of an attempt that is counted by itself: at a known device, or in a session. */
export function ownPlace(counter: string): readonly Place[] {
  return [[counter, EACH_MAX]];
}

/** The attempts that this program works on. */
class Attempts {
  readonly #underWay = new Map<string, number>();

  /** Does a piece of the work of an attempt at its places. Refuses with `sign_in_busy` where one of them is taken. */
  async at<T>(places: readonly Place[], work: () => Promise<T>): Promise<T> {
    if (places.some(([counter, max]) => this.#count(counter) >= max)) throw signInBusy();
    for (const [counter] of places) this.#underWay.set(counter, this.#count(counter) + 1);
    try {
      return await work();
    } finally {
      for (const [counter] of places) this.#end(counter);
    }
  }

  #count(counter: string): number {
    return this.#underWay.get(counter) ?? 0;
  }

  #end(counter: string): void {
    const left = this.#count(counter) - 1;
    if (left > 0) this.#underWay.set(counter, left);
    else this.#underWay.delete(counter);
  }
}

export interface PeopleShop extends Shop, MarksShop {
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
