// Reads lists that no index answers alone, by the filters that are given: newest first and in parts, between which others
// have their turn. Invariant: a walk ends after two seconds, with the place to which it looked.

import { and, gte, lt, type SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";

import { monotonicMs, nextTurn } from "#kernel/time.ts";

import type { Reader } from "./database.ts";
import { serverBusy } from "./errors.ts";
import type { GivenFilters } from "./prepared.ts";

/** Others have their turn after so much of a walk, milliseconds. */
const TURN_MS = 3;
/** The longest that a page looks for its rows, milliseconds. */
const WALK_MS_MAX = 2_000;
/** Walks of a shop that go on at once, and those that may wait for one of them. */
const WALKS_MAX = 4;
const WAITING_MAX = 8;

/** The rows of a stream that are looked for: below one id, and from another one on. */
export interface WalkSpan {
  readonly below: string | undefined;
  readonly from: string | undefined;
  /** As many as are found at most. */
  readonly rows: number;
}

export interface Part {
  /** The ids that match, newest first. */
  readonly found: readonly string[];
  /** The last id that was looked at; null at the end. */
  readonly last: string | null;
}

/** Rows in the order of their ids, newest first, of which some match. */
export interface Stream {
  /** No row is newer, where that is known. */
  readonly start?: string;
  readonly read: (span: WalkSpan) => Promise<Part>;
}

/** The values of a statement that lists: from one id on, below another one, and after that of the page before. */
export interface SpanValues {
  readonly from?: string | undefined;
  readonly below?: string | undefined;
  readonly after?: string | undefined;
  readonly rows: number;
}

/** From an id on, or below one. */
export function inSpan(given: GivenFilters<SpanValues>, id: PgColumn): SQL | undefined {
  return and(
    given.has("from") ? gte(id, given.one("from")) : undefined,
    given.has("below") ? lt(id, given.one("below")) : undefined,
    given.has("after") ? lt(id, given.one("after")) : undefined,
  );
}

/** The conditions of a list's filters, beside the span of ids. */
export function filterConditions<F extends object>() {
  return <N extends keyof F & string>(
    conditions: Readonly<Record<N, (given: GivenFilters<F>) => SQL>>,
  ) => {
    const isName = (name: string): name is N => Object.hasOwn(conditions, name);
    const names = Object.keys(conditions).filter(isName);
    return {
      /** The filters that are given and that `but` does not answer. */
      left: (has: (name: N) => boolean, but: readonly N[] = []): N[] =>
        names.filter((name) => has(name) && !but.includes(name)),
      /** The conditions of these filters. */
      allOf: (given: GivenFilters<F>, some: readonly N[]): SQL | undefined =>
        and(...some.map((name) => conditions[name](given))),
    };
  };
}

type Ids = readonly { readonly id: string }[];

/** How the rows of an index are looked at, which come after those of the values' `after`. */
export interface Looks<V> {
  /** The ids that match of the next so many rows of the index, newest first. */
  readonly matching: (values: V & { readonly looks: number }) => Promise<Ids>;
  /** The id after which so many of the span are passed; null where each row of the index matches. */
  readonly placeAfter: ((values: V & { readonly passed: number }) => Promise<Ids>) | null;
  /** As many are looked at in each part but the first. */
  readonly most: number;
}

/** As many rows are looked at first, among which most pages find theirs. */
const LOOKS_FIRST = 250;

/** The rows of an index that a list with these values has, as a stream. */
export function inParts<V extends SpanValues>(
  values: V,
  { matching, placeAfter, most }: Looks<V>,
): Stream {
  let looks = LOOKS_FIRST;
  return {
    read: async ({ below: after, from, rows }) => {
      const span = { ...values, after, from, rows };
      const found = (await matching({ ...span, looks })).map(({ id }) => id);
      const passed = looks - 1;
      looks = most;
      if (found.length === rows) return { found, last: found.at(-1) ?? null };
      const [place] = (await placeAfter?.({ ...span, passed })) ?? [];
      return { found, last: place?.id ?? null };
    },
  };
}

export interface Walked {
  /** The ids that match, newest first. */
  readonly ids: readonly string[];
  /** The last id that was looked at, where the walk ended before its page was full; else null. */
  readonly stop: string | null;
}

class Place {
  readonly stream: Stream;
  /** The last id that was looked at; undefined before the first part, null at the end. */
  last: string | null | undefined;

  constructor(stream: Stream) {
    this.stream = stream;
  }

  /** True if a row at this id or above it may still come. */
  reaches(least: string | undefined): boolean {
    if (this.last === null) return false;
    if (least === undefined) return true;
    if (this.last !== undefined) return this.last > least;
    return this.stream.start === undefined || this.stream.start >= least;
  }
}

/**
 * Returns the newest ids of all streams that match, as many as are asked for. The stream that has come the least far is
 * read next, so that what is found above it is whole. Refuses with `server_busy`.
 */
export async function walk(
  db: Reader,
  streams: readonly Stream[],
  { below, from, rows }: WalkSpan,
): Promise<Walked> {
  const places = streams.map((stream) => new Place(stream));
  let found: readonly string[] = [];
  using pace = new Pace(db);
  for (;;) {
    const least = found[rows - 1] ?? from;
    const next = newestPlace(places.filter((place) => place.reaches(least)));
    if (next === undefined) return { ids: found.slice(0, rows), stop: null };
    const { last } = next;
    if (typeof last === "string" && pace.isOver) {
      return { ids: found.filter((id) => id >= last), stop: last };
    }
    await pace.rest(last !== undefined);
    const part = await next.stream.read({ below: last ?? below, from: least, rows });
    next.last = part.last;
    found = newestOf([...found, ...part.found]);
  }
}

/** The place that has come the least far; one that has not begun, before all others. */
function newestPlace(places: readonly Place[]): Place | undefined {
  let newest: Place | undefined;
  for (const place of places) {
    if (place.last === undefined) return place;
    if (newest === undefined || (place.last ?? "") > (newest.last ?? "")) newest = place;
  }
  return newest;
}

/** Each id once, newest first. */
function newestOf(ids: readonly string[]): string[] {
  return [...new Set(ids)].toSorted().toReversed();
}

/** The walks of a shop, by its vault, which all its readers have. */
const gates = new WeakMap<Reader["vault"], Gate>();

/** Lets a walk that takes longer than a turn give way to others. */
class Pace implements Disposable {
  readonly #gate: Gate;
  readonly #endsAtMs = monotonicMs() + WALK_MS_MAX;
  #turnAtMs = monotonicMs() + TURN_MS;
  #isInside = false;

  constructor({ vault }: Reader) {
    const gate = gates.get(vault) ?? new Gate();
    gates.set(vault, gate);
    this.#gate = gate;
  }

  get isOver(): boolean {
    return monotonicMs() >= this.#endsAtMs;
  }

  /** Only one that goes on in a stream takes a place: first parts alone are as few as there are streams. */
  async rest(goesOn: boolean): Promise<void> {
    if (monotonicMs() < this.#turnAtMs) return;
    if (goesOn && !this.#isInside) {
      await this.#gate.enter();
      this.#isInside = true;
    }
    await nextTurn();
    this.#turnAtMs = monotonicMs() + TURN_MS;
  }

  [Symbol.dispose](): void {
    if (this.#isInside) this.#gate.leave();
  }
}

/** Lets a few in, keeps some waiting, and refuses the others. */
class Gate {
  #inside = 0;
  readonly #waiting: (() => void)[] = [];

  async enter(): Promise<void> {
    if (this.#inside < WALKS_MAX) {
      this.#inside += 1;
      return;
    }
    if (this.#waiting.length === WAITING_MAX) throw serverBusy({ headers: { "Retry-After": "1" } });
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** The place is handed over, so that nothing that comes now takes it first. */
  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#inside -= 1;
    else next();
  }
}
