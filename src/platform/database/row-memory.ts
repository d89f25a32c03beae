// Rows in memory, as lookups answered them. Invariant: what is remembered is committed, and is what the rows are now:
// a change of a table closes the memory of its lookups until the transaction ended, and then empties it.

import { base62, numberOf, randomBytes } from "#kernel/random.ts";

/** The tables that a lookup reads, and how much of it stays. */
export interface LookupTerms {
  readonly tables: readonly string[];
  /** True if an answer says of which version of its row it is, so that a change need not empty the memory. */
  readonly hasVersions: boolean;
  /** Answers; beyond that the memory begins anew. */
  readonly most: number;
}

/** The answers of one lookup, by its keys. */
export class LookupMemory {
  readonly #terms: LookupTerms;
  readonly #answers = new Map<string, unknown>();
  #isClosed: boolean;
  #generation = 0;

  constructor(terms: LookupTerms, isClosed: boolean) {
    this.#terms = terms;
    this.#isClosed = isClosed;
  }

  /** While a change of its tables is not committed, nothing is known and nothing may be remembered. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Rises whenever the memory was closed or emptied: what was read before must not be remembered. */
  get generation(): number {
    return this.#generation;
  }

  reads(table: string): boolean {
    return this.#terms.tables.includes(table);
  }

  get answers(): Map<string, unknown> {
    if (this.#answers.size > this.#terms.most) this.#answers.clear();
    return this.#answers;
  }

  /** The change was committed or undone. */
  reopen(): void {
    if (!this.#terms.hasVersions) this.#answers.clear();
    this.#isClosed = false;
    this.#generation += 1;
  }

  close(): void {
    this.#isClosed = true;
    this.#generation += 1;
  }

  forget(): void {
    this.#answers.clear();
    this.#isClosed = false;
    this.#generation += 1;
  }
}

/** Bytes of an epoch, and its characters: none is told twice. */
const EPOCH_BYTES = 8;
const EPOCH_LENGTH = 11;

export class RowMemory {
  readonly #dataVersion: () => number;
  readonly #lookups = new Map<object, LookupMemory>();
  /** Tables that the open transaction changed; null stands for any. */
  readonly #changed = new Set<string | null>();
  /** The commits of this epoch that changed a table. */
  readonly #commits = new Map<string, number>();
  #epoch = newEpoch();
  #seenVersion: number;
  #isChecked = false;

  /** `dataVersion` differs after another connection than the writer's changed the file. */
  constructor(dataVersion: () => number) {
    this.#dataVersion = dataVersion;
    this.#seenVersion = dataVersion();
  }

  /** The memory of a lookup. */
  of(lookup: object, terms: LookupTerms): LookupMemory {
    if (!this.#isChecked) this.check();
    const known = this.#lookups.get(lookup);
    if (known !== undefined) return known;
    const made = new LookupMemory(terms, this.#isChanging(terms.tables));
    this.#lookups.set(lookup, made);
    return made;
  }

  /**
   * Names the state of remembered tables: another one after each commit that changed one of them. What is read of them
   * afterwards is of that state or a newer one, never of an older one.
   */
  stateOf(tables: readonly string[]): string {
    if (!this.#isChecked) this.check();
    return `${this.#epoch} ${tables.map((table) => this.#commits.get(table) ?? 0).join(" ")}`;
  }

  /** Forgets everything if another connection changed the file. Holds for the rest of this turn of the event loop. */
  check(): void {
    const version = this.#dataVersion();
    if (version !== this.#seenVersion) this.forget();
    this.#seenVersion = version;
    if (this.#isChecked) return;
    this.#isChecked = true;
    setImmediate(() => (this.#isChecked = false));
  }

  /** The open transaction is about to change the table; null if that is not known. */
  beforeChangeOf(table: string | null): void {
    if (this.#changed.has(table)) return;
    if (table !== null && !rememberedTables.has(table)) return;
    this.#changed.add(table);
    for (const one of this.#lookups.values()) {
      if (!one.isClosed && (table === null || one.reads(table))) one.close();
    }
  }

  /** The transaction was committed or undone. */
  afterTransaction(): void {
    if (this.#changed.size === 0) return;
    for (const table of this.#changed) {
      if (table === null) this.#beginEpoch();
      else this.#commits.set(table, (this.#commits.get(table) ?? 0) + 1);
    }
    this.#changed.clear();
    for (const one of this.#lookups.values()) if (one.isClosed) one.reopen();
  }

  /** Forgets everything: the rows are others now. */
  forget(): void {
    this.#changed.clear();
    this.#beginEpoch();
    for (const one of this.#lookups.values()) one.forget();
  }

  #beginEpoch(): void {
    this.#epoch = newEpoch();
    this.#commits.clear();
  }

  #isChanging(tables: readonly string[]): boolean {
    return this.#changed.has(null) || tables.some((table) => this.#changed.has(table));
  }
}

function newEpoch(): string {
  return base62(numberOf(randomBytes(EPOCH_BYTES)), EPOCH_LENGTH);
}

/** The names of the tables that lookups remember, or whose states are asked for. */
export const rememberedTables = new Set<string>();
