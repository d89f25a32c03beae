// A part of the fault `abuse`: visitors who ask for a little, beside attackers who ask for more than all may have
// together, from 2 networks and from 1,000. No visitor is refused.

import type { RunningDuka } from "../support/running-duka.ts";
import { each, goodsOf, p99, pageKeyOf, Visitors } from "./abuse-visitors.ts";
import type { Chance } from "./fault.ts";

const CONNECTIONS = 16;
const VISITORS = 100;
/** Of a visitor in a minute, where all visitors together have 60,000: both are scaled alike. */
const VISITS_PER_MINUTE = 40;
const MINUTE_LIMIT = 60_000;
/** The requests of the attackers, in limits. */
const EXCESS = 1.4;
/** A visitor looks how far the others are so often. */
const LOOK_MS = 5;
const PAGE = "/v2/products?limit=5";

export interface CrowdTerms {
  /** The limit of all visitors together, a minute. */
  readonly perMinute: number;
  readonly networks: number;
  /** Requests of the attackers a second; Infinity for as many as they can. */
  readonly perSecond: number;
  /** How long visitors ask alone before. */
  readonly quietSeconds: number;
  readonly chance: Chance;
}

export interface Crowd {
  readonly quietMs: number;
  readonly floodedMs: number;
  readonly asked: number;
  readonly refused: number;
  /** True if the machine was too slow for the attackers to exceed the limit of a minute. */
  readonly isTooSlow: boolean;
  readonly visits: number;
  readonly visitsRefused: number;
}

/** Lets visitors ask alone, and then as many beside attackers who exceed the limit. */
export async function crowd(duka: RunningDuka, terms: CrowdTerms): Promise<Crowd> {
  const { perMinute, quietSeconds, chance } = terms;
  await duka.request("PUT", "/v2/store", { body: { enforce_limits: true } });
  for (let nth = 0; nth < 5; nth += 1) await goodsOf(duka, 10);
  const visitors = new Visitors(duka, await pageKeyOf(duka));
  const visits = Math.max(1, Math.floor((VISITS_PER_MINUTE * perMinute) / MINUTE_LIMIT));
  const quiet = new Visits(visitors, { network: "198.18", visits });
  await quiet.during(async (progress) => {
    for (let nth = 1; nth <= 50; nth += 1) {
      await Bun.sleep(quietSeconds * 20);
      progress(nth / 50);
    }
  });
  const flooded = new Visits(visitors, { network: "198.19", visits });
  const flood = { asked: 0, refused: 0 };
  const wanted = Math.round(perMinute * EXCESS);
  const beganAt = performance.now();
  await flooded.during((progress) =>
    each(wanted, CONNECTIONS, async (nth) => {
      await Bun.sleep(Math.max(0, (1_000 * nth) / terms.perSecond - performance.now() + beganAt));
      const network = chance.below(terms.networks).toString(16);
      const from = `2001:db8:${network}:${chance.below(65_536).toString(16)}::1`;
      const { status } = await visitors.ask("GET", PAGE, { from });
      flood.asked += 1;
      if (status === 429) flood.refused += 1;
      progress(flood.asked / wanted);
    }),
  );
  const seconds = (performance.now() - beganAt) / 1_000;
  return {
    isTooSlow: seconds * EXCESS > 60,
    quietMs: p99(quiet.times),
    floodedMs: p99(flooded.times),
    ...flood,
    visits: flooded.times.length,
    visitsRefused: quiet.refused + flooded.refused,
  };
}

/** What visitors ask while something else goes on, each in a network of their own. */
class Visits {
  readonly times: number[] = [];
  refused = 0;
  readonly #visitors: Visitors;
  readonly #terms: { readonly network: string; readonly visits: number };
  #progress = 0;

  constructor(visitors: Visitors, terms: { readonly network: string; readonly visits: number }) {
    this.#visitors = visitors;
    this.#terms = terms;
  }

  /** Spreads the visits over the work, which tells its progress from 0 to 1. */
  async during(work: (progress: (share: number) => void) => Promise<void>): Promise<void> {
    const all = Array.from({ length: VISITORS }, (_, nth) => this.#visit(nth));
    await work((share) => {
      this.#progress = share;
    });
    this.#progress = 1;
    await Promise.all(all);
  }

  async #visit(nth: number): Promise<void> {
    const { network, visits } = this.#terms;
    const from = `${network}.${nth}.7`;
    for (let visit = 0; visit < visits; visit += 1) {
      while (this.#progress < (visit + nth / VISITORS) / visits) await Bun.sleep(LOOK_MS);
      const asked = await this.#visitors.ask("GET", PAGE, { from });
      this.times.push(asked.milliseconds);
      if (asked.status !== 200) this.refused += 1;
    }
  }
}

/**
 * Lets one visitor of a storefront's server do all that they may, and then another one, whom the server names as well.
 * Returns the statuses of the other one, of whom nothing may be refused.
 */
export async function throughStorefront(duka: RunningDuka, server: string): Promise<number[]> {
  await duka.request("PUT", "/v2/store", { body: { enforce_limits: true } });
  const visitors = new Visitors(duka, await pageKeyOf(duka));
  const line_items = [{ variant_id: await goodsOf(duka, 1_000), quantity: 1 }];
  const phone = "+233201234568";
  const visit = async (address: string) => {
    const from = `${address}, ${server}`;
    const asked = [
      await visitors.ask("POST", "/v2/orders", { from, body: { line_items } }),
      await visitors.ask("POST", "/v2/carts", { from, body: { line_items } }),
      await visitors.ask("POST", "/v2/customer-sessions/code", { from, body: { phone } }),
      await visitors.ask("GET", PAGE, { from }),
    ];
    return asked.map(({ status }) => status);
  };
  const first: number[] = [];
  await each(130, CONNECTIONS, async () => {
    first.push(...(await visit("203.0.113.1")));
  });
  if (!first.includes(429)) throw new Error("The first visitor met no limit.");
  return visit("198.51.100.1");
}
