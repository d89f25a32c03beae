// A page of a list: newest first, keyset on the id, no counting.

/** What a caller asks of a list: at most `limit` rows older than the id `after`. */
export interface PageRequest {
  readonly limit: number;
  readonly after: string | null;
}

export interface Page<T> {
  readonly rows: readonly T[];
  readonly hasMore: boolean;
}

/** Makes a page of what a query found when it was asked for one row more than the limit. */
export function toPage<T>(found: readonly T[], limit: number): Page<T> {
  return { rows: found.slice(0, limit), hasMore: found.length > limit };
}

/** The same page with each row as the wire has it. */
export function mapPage<T, U>(page: Page<T>, present: (row: T) => U): Page<U> {
  return { rows: page.rows.map(present), hasMore: page.hasMore };
}
