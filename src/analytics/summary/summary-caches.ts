// What was read and added up before, kept in memory for whoever asks next. Invariant: what is given is
// what reading it anew would give, because whoever asks says by a stamp what it was made of.

/** Something to be kept, and how much room it takes, in rows. */
export interface Kept<T> {
  readonly value: T;
  readonly rows: number;
}

interface Stamped<T> extends Kept<T> {
  readonly stamp: string;
}

export class SummaryCache<T> {
  readonly #rowsMax: number;
  /** What was used last comes last. */
  readonly #kept = new Map<string, Stamped<T>>();
  #rows = 0;

  constructor(rowsMax: number) {
    this.#rowsMax = rowsMax;
  }

  /** Whether there is something of this name, of whatever stamp. */
  has(key: string): boolean {
    return this.#kept.has(key);
  }

  /** What has this name and this stamp, made where there is none. */
  async read(key: string, stamp: string, make: () => Promise<Kept<T>>): Promise<T> {
    const known = this.#kept.get(key);
    const found = known?.stamp === stamp ? known : { ...(await make()), stamp };
    this.#keep(key, found);
    return found.value;
  }

  /** Room is made for it by what nobody used for longest; it stays itself, however large. */
  #keep(key: string, kept: Stamped<T>): void {
    this.#drop(key);
    this.#kept.set(key, kept);
    this.#rows += kept.rows;
    for (const oldKey of this.#kept.keys()) {
      if (this.#rows <= this.#rowsMax || oldKey === key) break;
      this.#drop(oldKey);
    }
  }

  #drop(key: string): void {
    this.#rows -= this.#kept.get(key)?.rows ?? 0;
    this.#kept.delete(key);
  }
}
