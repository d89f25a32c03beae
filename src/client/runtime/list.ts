// Pages of lists, read one after the other. Part of the emitted file.

/** One page of a list. */
export interface Page<T> {
  data: T[];
  has_more: boolean;
  next_cursor: string | null;
}

/** What every page has: events continue after a sequence, all other lists after a cursor. */
export interface AnyPage<T> {
  data: T[];
  has_more: boolean;
  next_cursor?: string | null;
  next_after?: number;
}

/** A list. `for await` yields every item and requests further pages as they are needed. */
export class List<T, P extends AnyPage<T> = Page<T>> implements AsyncIterable<T> {
  readonly #load: (place: object) => Promise<P>;

  constructor(load: (place: object) => Promise<P>) {
    this.#load = load;
  }

  /** One page alone, the first unless the query has a cursor. */
  page(): Promise<P> {
    return this.#load({});
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    let page = await this.page();
    yield* page.data;
    while (page.has_more) {
      const { next_cursor: cursor, next_after: after } = page;
      page = await this.#load(cursor === undefined ? { after } : { cursor });
      yield* page.data;
    }
  }
}
