// Rows of tables that rarely change, in memory. Invariant: what is remembered is committed, and is what the rows are
// now: a change of a remembered table closes the memory until its transaction ended, and then empties it.

/** Entries of one lookup; beyond that it begins anew. */
const ENTRIES_MAX = 5_000;

/** The answers of one lookup by their keys. */
type Answers = Map<string, unknown>;

export class RowMemory {
  readonly #dataVersion: () => number;
  readonly #lookups = new Map<object, Answers>();
  #seenVersion: number;
  #isChecked = false;
  #isClosed = false;
  #generation = 0;

  /** `dataVersion` differs after another connection than the writer's changed the file. */
  constructor(dataVersion: () => number) {
    this.#dataVersion = dataVersion;
    this.#seenVersion = dataVersion();
  }

  /** Rises whenever the memory was closed or emptied: what was read before must not be remembered. */
  get generation(): number {
    return this.#generation;
  }

  /** The answers of the lookup; null while a change is not committed. */
  answersOf(lookup: object): Answers | null {
    if (this.#isClosed) return null;
    if (!this.#isChecked) this.check();
    let known = this.#lookups.get(lookup);
    if (known === undefined || known.size > ENTRIES_MAX) {
      known = new Map();
      this.#lookups.set(lookup, known);
    }
    return known;
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
    if (this.#isClosed || (table !== null && !rememberedTables.has(table))) return;
    this.#isClosed = true;
    this.#generation += 1;
  }

  /** The transaction was committed or undone. */
  afterTransaction(): void {
    if (this.#isClosed) this.forget();
  }

  /** Forgets everything: the rows are others now. */
  forget(): void {
    this.#lookups.clear();
    this.#isClosed = false;
    this.#generation += 1;
  }
}

/** The names of the tables that lookups remember. */
export const rememberedTables = new Set<string>();
