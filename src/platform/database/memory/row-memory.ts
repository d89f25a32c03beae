// Rows in memory, as lookups answered them. Invariant: what is remembered is committed, and is what the rows are now:
// a change of a table closes the memory of its lookups until the transaction ended, and then empties it.

/** Answers of one lookup; beyond that it begins anew. Those with versions are whole orders, which weigh more. */
const ANSWERS_MAX = 5_000;
const VERSIONED_MAX = 500;

/** The tables that a lookup reads. */
export interface RememberedTables {
  readonly tables: readonly string[];
  readonly hasVersions: boolean;
}

/** What one lookup answered, by its keys. */
export class LookupMemory {
  readonly tables: readonly string[];
  /** Whether an answer says of which version of its row it is, so that a change need not empty the memory. */
  readonly #hasVersions: boolean;
  readonly #answers = new Map<string, unknown>();
  #isClosed: boolean;
  #generation = 0;

  constructor({ tables, hasVersions }: RememberedTables, isClosed: boolean) {
    this.tables = tables;
    this.#hasVersions = hasVersions;
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

  get answers(): Map<string, unknown> {
    const most = this.#hasVersions ? VERSIONED_MAX : ANSWERS_MAX;
    if (this.#answers.size > most) this.#answers.clear();
    return this.#answers;
  }

  /** The change was committed or undone. */
  reopen(): void {
    if (!this.#hasVersions) this.#answers.clear();
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

export class RowMemory {
  readonly #dataVersion: () => number;
  readonly #lookups = new Map<object, LookupMemory>();
  /** Tables that the open transaction changed; null stands for any. */
  readonly #changed = new Set<string | null>();
  #seenVersion: number;
  #isChecked = false;

  /** `dataVersion` differs after another connection than the writer's changed the file. */
  constructor(dataVersion: () => number) {
    this.#dataVersion = dataVersion;
    this.#seenVersion = dataVersion();
  }

  /** The memory of a lookup that reads these tables. */
  of(lookup: object, read: RememberedTables): LookupMemory {
    if (!this.#isChecked) this.check();
    const known = this.#lookups.get(lookup);
    if (known !== undefined) return known;
    const made = new LookupMemory(read, this.#isChanging(read.tables));
    this.#lookups.set(lookup, made);
    return made;
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
      if (!one.isClosed && (table === null || one.tables.includes(table))) one.close();
    }
  }

  /** The transaction was committed or undone. */
  afterTransaction(): void {
    if (this.#changed.size === 0) return;
    this.#changed.clear();
    for (const one of this.#lookups.values()) if (one.isClosed) one.reopen();
  }

  /** Forgets everything: the rows are others now. */
  forget(): void {
    this.#changed.clear();
    for (const one of this.#lookups.values()) one.forget();
  }

  #isChanging(tables: readonly string[]): boolean {
    return this.#changed.has(null) || tables.some((table) => this.#changed.has(table));
  }
}

/** The names of the tables that lookups remember. */
export const rememberedTables = new Set<string>();
