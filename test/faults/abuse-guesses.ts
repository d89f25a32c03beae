// A part of the fault `abuse`: thirty days of guesses at the codes of one contact, as many as are allowed, from networks
// that are always new. The chance is summed from the guesses that the shop compared with a code.

import { join } from "node:path";

import { rowsBehind } from "../support/behind-the-shop.ts";
import type { RunningDuka } from "../support/running-duka.ts";
import { until } from "../support/until.ts";
import { asMerchant, each, memberOf, pageKeyOf, Visitors } from "./abuse-visitors.ts";

const DAYS = 30;
const HOURS = 24 * DAYS;
/** As many as a contact is sent in an hour, each asked for from another network. */
const CODES_PER_HOUR = 40;
/** One more than a code takes, with its challenge and without one. */
const TRIES = 6;
const FOREIGN_TRIES = 1_000;
const PHONE = "+233201234567";

export interface Guesses {
  readonly hours: number;
  /** Wrong codes that were compared with one, and not refused before. */
  readonly compared: number;
  readonly digits: number;
  /** Of a right guess in thirty days. */
  readonly chance: number;
  /** Statuses of the owner's sign-ins. */
  readonly owner: readonly number[];
}

interface GuessTerms {
  readonly folder: string;
  readonly hours: number;
  readonly secondsMax: number;
}

/** Guesses for so many hours of the shop's clock. What is left of thirty days is reckoned like the last hour. */
export async function guess(duka: RunningDuka, terms: GuessTerms): Promise<Guesses> {
  const limits = { phone_codes_per_day: 1_000_000 };
  await asMerchant(duka, "PUT /v2/store", { body: { enforce_limits: true, limits } });
  const guesser = new Guesser(duka, new Visitors(duka, await pageKeyOf(duka)), terms.folder);
  const owner = [await guesser.signInOwner(0)];
  const beganAt = performance.now();
  let hours = 0;
  while (hours < terms.hours && performance.now() - beganAt < terms.secondsMax * 1_000) {
    await guesser.hour(hours === 0);
    hours += 1;
  }
  owner.push(await guesser.signInOwner(FOREIGN_TRIES));
  const { compared, chance, lastChance, digits } = guesser;
  return { hours, compared, digits, chance: chance + lastChance * (HOURS - hours), owner };
}

class Guesser {
  /** The sum of the chances of all guesses. */
  chance = 0;
  /** That of the last hour. */
  lastChance = 0;
  compared = 0;
  digits = 6;
  readonly #duka: RunningDuka;
  readonly #visitors: Visitors;
  readonly #directory: string;
  #network = 0;

  constructor(duka: RunningDuka, visitors: Visitors, folder: string) {
    this.#duka = duka;
    this.#visitors = visitors;
    this.#directory = join(folder, "data");
  }

  /** Asks for as many codes as there are in an hour, and tries each as often as it takes; the first ones at once. */
  async hour(isAtOnce: boolean): Promise<void> {
    const before = this.chance;
    if (isAtOnce) {
      const codes = await Promise.all(Array.from({ length: CODES_PER_HOUR }, () => this.#ask()));
      for (const code of codes) await this.#count(code.digits, () => this.#try(code));
    } else {
      for (let nth = 0; nth < CODES_PER_HOUR; nth += 1) {
        const code = await this.#ask();
        await this.#count(code.digits, () => this.#try(code));
      }
    }
    this.lastChance = this.chance - before;
    await this.#pass(3_600);
  }

  /** The owner asks for a code, strangers give wrong ones, and the owner gives the right one. */
  async signInOwner(foreignTries: number): Promise<number> {
    await asMerchant(this.#duka, "DELETE /v2/test/inbox");
    const own = { from: "192.0.2.1", body: { phone: PHONE } };
    const asked = await this.#visitors.ask("POST", "/v2/customer-sessions/code", own);
    const code = await this.#sentCode();
    await each(foreignTries, 8, async (nth) => {
      await this.#give(nth % 2 === 0 ? {} : { challenge: `csc_${"A".repeat(22)}` });
    });
    const body = { phone: PHONE, code, challenge: memberOf(asked, "challenge") };
    const { status } = await this.#visitors.ask("POST", "/v2/customer-sessions", { ...own, body });
    await this.#pass(3_600);
    return status;
  }

  async #ask() {
    const body = { phone: PHONE };
    const path = "/v2/customer-sessions/code";
    const asked = await this.#visitors.ask("POST", path, { from: this.#nextAddress(), body });
    const digits = Number(memberOf(asked, "digits"));
    return { challenge: memberOf(asked, "challenge"), digits, isSent: asked.status === 202 };
  }

  async #try({ challenge, isSent }: { readonly challenge: string; readonly isSent: boolean }) {
    const tries = Array.from({ length: TRIES }, () => [this.#give({}), this.#give({ challenge })]);
    if (isSent) await Promise.all(tries.flat());
  }

  /** A code that is not asked for by its owner: its digits do not matter to a guess. */
  #give(given: object) {
    const body = { phone: PHONE, code: "9".repeat(this.digits), ...given };
    return this.#visitors.ask("POST", "/v2/customer-sessions", { from: this.#nextAddress(), body });
  }

  /** Sums the chances of the guesses that the work made, at a code with so many digits. */
  async #count(digits: number, work: () => Promise<unknown>): Promise<void> {
    const before = await this.#failures();
    await work();
    const compared = (await this.#failures()) - before;
    this.compared += compared;
    this.chance += compared * 10 ** -digits;
    this.digits = digits;
  }

  /** The wrong codes of the only contact, as the shop counts them. */
  async #failures(): Promise<number> {
    const [row] = await rowsBehind(this.#directory, "SELECT failures FROM customer_codes");
    return Number(row?.["failures"] ?? 0);
  }

  /** The code in the only message of the inbox, which comes after the answer. */
  async #sentCode(): Promise<string> {
    let code: string | undefined;
    await until(async () => {
      const text = await asMerchant(this.#duka, "GET /v2/test/inbox?name=messages");
      code = /code\W+(\d{6,12})\b/.exec(text)?.[1];
      return code !== undefined;
    }, "No code was sent.");
    return code ?? "";
  }

  async #pass(seconds: number): Promise<void> {
    await asMerchant(this.#duka, "POST /v2/test/clock/advance", { body: { seconds } });
  }

  #nextAddress(): string {
    this.#network += 1;
    const high = Math.floor(this.#network / 65_536).toString(16);
    return `2001:${high}:${(this.#network % 65_536).toString(16)}::1`;
  }
}
