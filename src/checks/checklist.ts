// Runs checks beside each other and remembers what they found. Invariant: a list is answered within five seconds,
// whatever a check waits for.

import { MINUTE_MS, monotonicMs, SECOND_MS } from "#kernel/time.ts";
import type { Mode } from "#platform/database/shop.ts";
import { openDeadline, untilAborted } from "#platform/net/deadline.ts";

import { type Area, areas, type Check, type CheckRow, type Finding, unknown } from "./check.ts";

const LOOK_MS = 5 * SECOND_MS;
/** A page that is opened again asks no gateway again. */
const KEPT_MS = MINUTE_MS;

export interface ChecklistTerms<Seen> {
  readonly checks: readonly Check<Seen>[];
  readonly mode: Mode;
  /** Called for each list: what is looked at may have changed. */
  readonly see: () => Seen;
  /** Called with the error of a check that could not look. */
  readonly onFault: (check: string, error: unknown) => void;
  /** How long a check may take; five seconds by default. */
  readonly lookMs?: number;
}

interface Remembered {
  readonly lookedAtMs: number;
  readonly row: Promise<CheckRow>;
}

export class Checklist<Seen> {
  readonly #terms: ChecklistTerms<Seen>;
  readonly #remembered = new Map<string, Remembered>();

  constructor(terms: ChecklistTerms<Seen>) {
    this.#terms = terms;
  }

  /** The rows of an area, or of all, in the order of the areas. */
  async rows(area?: Area): Promise<readonly CheckRow[]> {
    const asked = area === undefined ? areas : [area];
    const seen = this.#terms.see();
    const checks = asked.flatMap((one) => this.#terms.checks.filter((check) => check.area === one));
    return Promise.all(checks.map((check) => this.#rowOf(check, seen)));
  }

  /** A row of the shop is read each time, of its own tables alone: a step ticks when it is done. */
  #rowOf(check: Check<Seen>, seen: Seen): Promise<CheckRow> {
    if (check.area === "shop") return this.#look(check, seen);
    const known = this.#remembered.get(check.name);
    const nowMs = monotonicMs();
    if (known !== undefined && nowMs - known.lookedAtMs < KEPT_MS) return known.row;
    const row = this.#look(check, seen);
    this.#remembered.set(check.name, { lookedAtMs: nowMs, row });
    return row;
  }

  async #look({ name, area, href, blocks = false, look }: Check<Seen>, seen: Seen) {
    const { mode, onFault, lookMs = LOOK_MS } = this.#terms;
    using deadline = openDeadline(lookMs);
    const { signal } = deadline;
    const finding = await untilAborted(
      Promise.try(() => look(seen, signal)),
      signal,
    ).catch((error: unknown): Finding => {
      if (signal.aborted) return unknown("There was no answer in time.");
      onFault(name, error);
      return unknown("It could not be looked at: the log of the server says why.");
    });
    const path = href.startsWith("/guides/") ? href : `${rootOf(mode)}${href}`;
    return { check: name, area, ...finding, href: path, blocks };
  }
}

/** The address of the first page of a shop's dashboard. */
function rootOf(mode: Mode): string {
  return mode === "live" ? "/dashboard" : "/dashboard/test";
}
