// Counts what limits refuse, in memory, and has it saved once a minute and at the end: a refusal costs no statement.

import type { AbuseKind } from "#kernel/abuse.ts";
import { Refusal } from "#kernel/refusal.ts";
import { type Clock, HOUR_MS, MINUTE_MS } from "#kernel/time.ts";
import type { Database } from "#platform/database/database.ts";

import type { AbuseMark } from "./tables.ts";

/** Sums between two saves, as many as the rows of a day: a flood from more networks is summed without them. */
const UNSAVED_MAX = 1_000;

/** A shop that counts what its limits refuse. */
export interface MarksShop {
  readonly marks: AbuseMarks;
}

export interface MarksTerms {
  readonly database: Database;
  /** The shop's clock. */
  readonly clock: Clock;
  readonly onCounted?: ((kind: AbuseKind) => void) | undefined;
  /** Called once until a save succeeds again; nothing is lost. */
  readonly onFault: (error: unknown) => void;
}

/** The counts of one mode. */
export class AbuseMarks {
  readonly #terms: MarksTerms;
  #unsaved = new Map<string, AbuseMark>();
  #alarm: NodeJS.Timeout | undefined;
  #saving: Promise<void> = Promise.resolve();
  #isFailing = false;

  constructor(terms: MarksTerms) {
    this.#terms = terms;
  }

  /** Counts one; `network` is that of the client, null if it is not known. */
  count(kind: AbuseKind, network: string | null): void {
    this.#terms.onCounted?.(kind);
    const now = this.#terms.clock.now();
    this.#add({ kind, network: network ?? "", hour: now - (now % HOUR_MS), count: 1 });
    this.#alarm ??= setTimeout(() => void this.save(), MINUTE_MS).unref();
  }

  /** Does the work for the client of the network, and counts its refusal if a limit made it. */
  async watch<T>(network: string | null, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Refusal && error.abuse !== undefined) this.count(error.abuse, network);
      throw error;
    }
  }

  /** Writes what was counted. What cannot be written is counted with what follows. */
  save(): Promise<void> {
    clearTimeout(this.#alarm);
    this.#alarm = undefined;
    this.#saving = this.#saving.then(() => this.#saveNow());
    return this.#saving;
  }

  async #saveNow(): Promise<void> {
    const saved = this.#unsaved;
    if (saved.size === 0) return;
    this.#unsaved = new Map();
    try {
      // Loaded with the first refusal: the start needs none of it.
      const { saveMarks } = await import("./save-marks.ts");
      await this.#terms.database.write((tx) => saveMarks(tx, [...saved.values()]));
      this.#isFailing = false;
    } catch (error) {
      for (const mark of saved.values()) this.#add(mark);
      if (!this.#isFailing) this.#terms.onFault(error);
      this.#isFailing = true;
    }
  }

  #add(mark: AbuseMark): void {
    const own = keyOf(mark);
    const isKept = this.#unsaved.has(own) || this.#unsaved.size < UNSAVED_MAX;
    const added = isKept ? mark : { ...mark, network: "" };
    const key = keyOf(added);
    const before = this.#unsaved.get(key)?.count ?? 0;
    this.#unsaved.set(key, { ...added, count: before + added.count });
  }
}

/** Tells the rows apart. */
export function keyOf({ kind, network, hour }: Omit<AbuseMark, "count">): string {
  return `${kind} ${hour} ${network}`;
}
