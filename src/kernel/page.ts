// A page of a list: keyset pagination, no total count. Lists are newest first and paged by id unless they say otherwise.

/** A page that a caller asks for: at most `limit` rows behind the place `after`, which is the last row's id. */
export interface PageRequest {
  readonly limit: number;
  readonly after: string | null;
}

export interface Page<T> {
  readonly rows: readonly T[];
  readonly hasMore: boolean;
  /** The end of the page, if its last row does not say it. */
  readonly end?: string | undefined;
  /** Values that a page tells beside its rows, by the names of its members. */
  readonly members?: Readonly<Record<string, string | null>> | undefined;
}

/** Makes a page from the rows of a query that read one row more than the limit. */
export function toPage<T>(found: readonly T[], limit: number): Page<T> {
  return { rows: found.slice(0, limit), hasMore: found.length > limit };
}

/** The same page with each row converted. */
export function mapPage<T, U>(page: Page<T>, present: (row: T) => U): Page<U> {
  return { ...page, rows: page.rows.map(present) };
}

/** How many there are, up to a limit that bounds the cost of counting. */
export interface Counted {
  readonly count: number;
  /** True if there are more than were counted. */
  readonly more: boolean;
}

/** Counts the rows of a query that read one row more than the limit. */
export function countUpTo(found: readonly unknown[], limit: number): Counted {
  return { count: Math.min(found.length, limit), more: found.length > limit };
}
