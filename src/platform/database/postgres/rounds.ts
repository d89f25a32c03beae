// The statements of stories that share a transaction. The stories run at the same time; when all of them wait, the
// statements that they wait for are sent together. Invariant: rows are locked in the order of locks, whichever
// story asks, so that two transactions never wait for each other.

import { lockPlaces, type Statement } from "#platform/database/database.ts";

import type { PostgresLink } from "./link.ts";
import type { ManyRows } from "./statement.ts";

/** A statement of a story, and the text and values that are sent. */
interface Question {
  readonly statement: Statement<unknown>;
  readonly values: object;
  readonly text: string;
  readonly bound: unknown[];
  /** The place of its story among those that share the transaction. */
  readonly story: number;
}

interface Asked {
  readonly place: number;
  /** Orders the rows of one place. */
  readonly key: string;
  readonly story: number;
  readonly send: () => Promise<void>;
}

export class Rounds {
  readonly #link: PostgresLink;
  readonly #appended = new Map<ManyRows, object[]>();
  #asked: Asked[] = [];
  #onAsked = () => {};

  /** The transaction was begun on the link. */
  constructor(link: PostgresLink) {
    this.#link = link;
  }

  /** The rows of a statement in the driver's form, once its round has come. */
  ask({ statement, values, text, bound, story }: Question): Promise<unknown[][]> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown[][]>();
    const { lockPlace, by } = statement;
    this.#asked.push({
      place: lockPlace === undefined ? -1 : lockPlaces.indexOf(lockPlace),
      key: by === undefined ? "" : String(Reflect.get(values, by)),
      story,
      send: () => this.#link.ask(text, bound).then(resolve, reject),
    });
    this.#onAsked();
    return promise;
  }

  /** Writes a row before the next round, together with all others of its table. */
  append(table: ManyRows, bound: readonly unknown[]): void {
    const row = Object.fromEntries(table.columns.map((column, index) => [column, bound[index]]));
    const rows = this.#appended.get(table);
    if (rows === undefined) this.#appended.set(table, [row]);
    else rows.push(row);
  }

  /** Runs rounds until the stories have ended. */
  async runUntil(ended: Promise<unknown>): Promise<void> {
    const over = ended.then(() => true);
    for (;;) {
      // Each story goes on until it waits.
      await new Promise<void>((resolve) => setImmediate(resolve));
      const asked = new Promise<false>((resolve) => (this.#onAsked = () => resolve(false)));
      if (this.#asked.length > 0) await this.#round();
      else if (await Promise.race([over, asked])) break;
    }
    this.#writeAppended();
  }

  #writeAppended(): void {
    for (const [{ text }, rows] of this.#appended) this.#link.send(text, [JSON.stringify(rows)]);
    this.#appended.clear();
  }

  /**
   * Sends what is first in the order of locks: what comes later waits for the stories that are not there yet. Stories
   * that change one row do so in the order in which their events are appended.
   */
  async #round(): Promise<void> {
    this.#writeAppended();
    const first = Math.min(...this.#asked.map(({ place }) => place));
    const { now = [], later = [] } = Object.groupBy(this.#asked, ({ place }) =>
      place === first ? "now" : "later",
    );
    this.#asked = later;
    const inOrder = now.toSorted(
      (one, other) => compare(one.key, other.key) || one.story - other.story,
    );
    await Promise.all(inOrder.map(({ send }) => send()));
  }
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
