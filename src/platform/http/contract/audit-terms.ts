// Declares the entries of a route in the audit log, and what follows where it declares nothing: every
// route but GET is audited, about the record that its path names, else about what it answered.

import { isObject } from "#kernel/assume.ts";
import { kindOfId } from "#kernel/id.ts";
import type { Reader, Tx } from "#platform/database/database.ts";
import type { ChangedFields, RecordAct, Shown } from "#platform/event-log/event-log.ts";

/** `P` is the parameters of the route's path. */
export interface AuditTerms<P> {
  /** The id of the record that is acted on, where the path does not name it. Reads after the change. */
  readonly subject?: (db: Reader, params: P, body: unknown) => Promise<string | null>;
  /**
   * The record as it was, as the wire shows it, or a part of it. The entry names those of its fields that the
   * answer shows otherwise. Takes the lock that the handler takes first: a change that is committed between the
   * two would be counted to this entry.
   */
  readonly before?: (tx: Tx, params: P) => Promise<object>;
  /** The fields that may be kept with their values: no personal data and no secrets. Without it none are. */
  readonly keeps?: (shown: Shown) => Shown;
  /** The values of the request for a new record that its entry keeps as those after: no personal data and no secrets. */
  readonly notes?: (body: Shown) => Shown;
  /** True if the entry of a workflow that writes nothing says how many records its answer has, as `rows`. */
  readonly countsRows?: boolean;
}

/** Fields that change with every other field. */
const stamps: ReadonlySet<string> = new Set(["version", "updated_at"]);

/** The last id in a path, which is that of the record itself; null if there is none. */
export function idInPath(params: Readonly<Record<string, string>>): string | null {
  return Object.values(params).findLast((text) => kindOfId(text) !== null) ?? null;
}

/** The id of what was answered; null if it has none. */
export function idOfAnswer(shown: unknown): string | null {
  const id = isObject(shown) ? shown["id"] : null;
  return typeof id === "string" && kindOfId(id) !== null ? id : null;
}

/** The number of records that were answered: the one itself, and those of its lists. */
export function rowsOf(answered: unknown): number {
  return Object.values(shownOf(answered)).reduce<number>(
    (sum, value) => sum + (Array.isArray(value) ? value.length : 0),
    1,
  );
}

/** The fields of what the wire shows; none where it shows nothing. */
export function shownOf(value: unknown): Shown {
  return isObject(value) ? value : {};
}

/** The difference between two versions of a record; all of it where nothing is left. */
export function differenceOf(
  before: Shown,
  after: Shown,
  keeps: AuditTerms<never>["keeps"],
): ChangedFields {
  const fields = Object.keys(before).filter(
    (name) => !stamps.has(name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const keptBefore = keeps?.(before) ?? {};
  const kept = fields.filter((name) => Object.hasOwn(keptBefore, name));
  if (keeps === undefined || kept.length === 0) return { fields, before: null, after: null };
  const valuesOf = (shown: Shown) =>
    Object.fromEntries(kept.map((name) => [name, shown[name] ?? null]));
  return { fields, before: valuesOf(keptBefore), after: valuesOf(keeps(after)) };
}

// The port of the HTTP layer to the audit log.

export interface AuditPort {
  readonly record: RecordAct;
  /** The network of a request's client as the log keeps it; null if it is not known. */
  readonly networkOf: (request: Request) => string | null;
}
