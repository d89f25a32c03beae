// How the last calls to each gateway went, as this program saw them. A gateway that fails is called by few at once, and
// one that has its calls of the minute by none.

import { HOUR_MS, MINUTE_MS, monotonicMs } from "#kernel/time.ts";

import type { GatewayRules } from "./gateway.ts";

/** The calls at once to a gateway, and to one whose last calls all failed. */
const WIDTH = 8;
const WIDTH_FAILING = 2;
/** So many failed calls in a row make a gateway failing. */
const FAILED_IN_A_ROW = 5;
/** So long a machine may take to have a network, milliseconds. */
const STARTING_MS = HOUR_MS;

interface Minute {
  readonly since: number;
  readonly calls: number;
}

export class GatewayHealth {
  /** The calls that failed since the last one that succeeded. */
  readonly #failed = new Map<string, number>();
  /** The present minute of each gateway, from its first call on. */
  readonly #minutes = new Map<string, Minute>();
  /** The time of the first call of each gateway that has not answered any; null once it has. */
  readonly #silentSince = new Map<string, number | null>();
  readonly #now: () => number;
  readonly #shopTime: () => number;

  constructor(now = monotonicMs, shopTime = now) {
    this.#now = now;
    this.#shopTime = shopTime;
  }

  /**
   * Records a call that was answered, or one whose outcome is unknown or that was not sent. One that was too many ends
   * the calls of its minute.
   */
  record(
    gateway: string,
    {
      isAnswered,
      isLimited = false,
    }: { readonly isAnswered: boolean; readonly isLimited?: boolean },
  ): void {
    this.#failed.set(gateway, isAnswered ? 0 : (this.#failed.get(gateway) ?? 0) + 1);
    if (isAnswered) this.#silentSince.set(gateway, null);
    else if (!this.#silentSince.has(gateway)) this.#silentSince.set(gateway, this.#shopTime());
    const { since, calls } = this.#minuteOf(gateway);
    this.#minutes.set(gateway, { since, calls: isLimited ? Infinity : calls + 1 });
  }

  /** True if the gateway has not answered since this program started, and is asked for less than an hour. */
  isUnreached(gateway: string): boolean {
    const since = this.#silentSince.get(gateway) ?? null;
    return since !== null && this.#shopTime() - since < STARTING_MS;
  }

  /** How many timers may call the gateway at once. Customers do not wait for a minute that is full. */
  widthOf({ id, perMinute }: Pick<GatewayRules, "id" | "perMinute">): number {
    const width = (this.#failed.get(id) ?? 0) < FAILED_IN_A_ROW ? WIDTH : WIDTH_FAILING;
    return perMinute === undefined
      ? width
      : Math.max(0, Math.min(width, perMinute - this.#minuteOf(id).calls));
  }

  #minuteOf(gateway: string): Minute {
    const now = this.#now();
    const minute = this.#minutes.get(gateway);
    return minute === undefined || now - minute.since >= MINUTE_MS
      ? { since: now, calls: 0 }
      : minute;
  }
}
